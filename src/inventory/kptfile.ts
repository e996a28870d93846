import { excerptOf, fail } from "../diagnostics/index.ts";
import { isJsonObject } from "../json/index.ts";
import { groupOf, type KubernetesObject } from "../objects/index.ts";
import { chosenMetadata, type GroupMetadata } from "./group-metadata.ts";
import { type GroupReference, idOfGroup } from "./group-reference.ts";

/** The inventory that a Kptfile names; undefined when it names none. */
export async function kptfileInventory(
  text: string,
  source: string,
): Promise<GroupReference | undefined> {
  // Few packages have a Kptfile; the others need not load what keeps its comments.
  const { isMap, isScalar, LineCounter, parseDocument } = await import("yaml");
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, prettyErrors: false });
  const refuse = (problem: string, offset: number, hint: string): never => {
    const { line, col } = lineCounter.linePos(offset);
    return fail({
      code: "live.invalid-kptfile",
      summary: `the inventory of the Kptfile cannot be read: ${problem}`,
      hint,
      source: { file: source, start: { line, column: col }, excerpt: excerptOf(text, line) },
    });
  };
  const [broken] = document.errors;
  if (broken !== undefined) refuse(broken.message, broken.pos[0], "correct the YAML");
  const { contents } = document;
  if (contents === null) return undefined;
  if (!isMap(contents)) return refuse("it is no map", contents.range?.[0] ?? 0, "correct the YAML");
  const pair = contents.items.find(({ key }) => isScalar(key) && key.value === "inventory");
  const inventory = document.get("inventory", true);
  if (inventory === undefined || (isScalar(inventory) && inventory.value === null))
    return undefined;
  const offset = (isScalar(pair?.key) ? pair.key.range?.[0] : undefined) ?? 0;
  const form = "write `inventory: {name: …, namespace: …, inventoryID: …}`, or leave it out";
  if (!isMap(inventory)) return refuse("inventory is no map", offset, form);
  const field = (name: string): string => {
    const value = inventory.get(name, true);
    return isScalar(value) ? String(value.source ?? value.value) : "";
  };
  const name = field("name");
  if (name === "") refuse("it has no name", offset, form);
  const namespace = field("namespace") === "" ? "default" : field("namespace");
  const { labels, annotations } = inventory.toJS(document) as Partial<GroupMetadata>;
  const metadata = chosenMetadata(labels, annotations);
  return {
    name,
    namespace,
    id: idOfGroup(name, namespace, field("inventoryID")),
    source,
    metadata,
  };
}

/** The inventory of a Kptfile that is an object of an input; undefined when it names none. */
export function inventoryOfKptfile(
  { kind, apiVersion, inventory }: KubernetesObject,
  source: string,
): GroupReference | undefined {
  if (kind !== "Kptfile" || groupOf(apiVersion) !== "kpt.dev" || !isJsonObject(inventory))
    return undefined;
  const { name = "", namespace = "default", inventoryID = "" } = inventory as Inventory;
  return { name, namespace, id: idOfGroup(name, namespace, inventoryID), source };
}

type Inventory = Readonly<Partial<Record<"name" | "namespace" | "inventoryID", string>>>;

/** The Kptfile without its inventory; comments and everything else stay. */
export async function withoutInventory(text: string): Promise<string> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text);
  document.delete("inventory");
  return document.toString();
}

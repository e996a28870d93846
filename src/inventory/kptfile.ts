import { type GroupReference, idOfGroup } from "./group-reference.ts";

/** The inventory that a Kptfile names; undefined when it names none. */
export async function kptfileInventory(
  text: string,
  source: string,
): Promise<GroupReference | undefined> {
  // Few packages have a Kptfile; the others need not load what keeps its comments.
  const { isMap, isScalar, parseDocument } = await import("yaml");
  const document = parseDocument(text);
  const inventory = document.get("inventory");
  if (!isMap(inventory)) return undefined;
  const field = (name: string): string => {
    const value = inventory.get(name, true);
    return isScalar(value) ? String(value.source ?? value.value) : "";
  };
  const name = field("name");
  if (name === "") return undefined;
  const namespace = field("namespace") === "" ? "default" : field("namespace");
  return { name, namespace, id: idOfGroup(name, namespace, field("inventoryID")), source };
}

/** The Kptfile without its inventory; comments and everything else stay. */
export async function withoutInventory(text: string): Promise<string> {
  const { parseDocument } = await import("yaml");
  const document = parseDocument(text);
  document.delete("inventory");
  return document.toString();
}

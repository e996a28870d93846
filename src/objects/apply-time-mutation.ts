import { load } from "js-yaml";
import { groupOf } from "./api-version.ts";
import { identityKey, identityOf, type ObjectIdentity } from "./identity.ts";
import type { JsonPath } from "./json-path/json-path.ts";
import { parseJsonPath } from "./json-path/parse-json-path.ts";
import { isJsonObject, type JsonValue } from "../json/index.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";

export const mutationAnnotation = "config.kubernetes.io/apply-time-mutation";
const entryFields = ["sourceRef", "sourcePath", "targetPath", "token"];
const sourceFields = ["apiVersion", "group", "kind", "name", "namespace"];

/** A field that is filled in from another object when its own is applied. */
export interface Mutation {
  readonly source: ObjectIdentity;
  readonly sourcePath: JsonPath;
  readonly sourcePathText: string;
  readonly targetPath: JsonPath;
  readonly targetPathText: string;
  /** Replaced wherever it stands in the target; without it the target itself is replaced. */
  readonly token: string | undefined;
}

/** Reads the annotation; what is wrong comes back as text. */
export function readMutations(object: KubernetesObject): {
  readonly value: readonly Mutation[];
  readonly problems: readonly string[];
} {
  const { annotations, namespace = "" } = object.metadata;
  const { value, problems } = parseMutations(annotations?.[mutationAnnotation] ?? "", namespace);
  const own = identityKey(identityOf(object));
  const others = value.filter(({ source }) => identityKey(source) !== own);
  return others.length === value.length
    ? { value, problems }
    : { value: others, problems: [...problems, "the object is its own source"] };
}

/** A source as it is known: of a kind without namespaces, it is not in the one that was supposed. */
export function knownSource(
  source: ObjectIdentity,
  isKnown: (key: string) => boolean,
): ObjectIdentity {
  const bare = { ...source, namespace: "" };
  return !isKnown(identityKey(source)) && isKnown(identityKey(bare)) ? bare : source;
}

/** Reads the text of the annotation; sources without a namespace are in that of the object. */
export function parseMutations(
  text: string,
  namespace: string,
): {
  readonly value: readonly Mutation[];
  readonly problems: readonly string[];
} {
  if (text.trim() === "") return { value: [], problems: [] };
  let list: unknown;
  try {
    list = load(text);
  } catch {
    return { value: [], problems: ["it is no YAML"] };
  }
  if (!Array.isArray(list)) return { value: [], problems: ["it is no list"] };
  const value: Mutation[] = [];
  const problems: string[] = [];
  for (const [index, item] of list.entries()) {
    const read = readMutation(item as JsonValue, namespace);
    if (typeof read === "string") problems.push(`entry ${index + 1}: ${read}`);
    else value.push(read);
  }
  return { value, problems };
}

function readMutation(item: JsonValue, namespace: string): Mutation | string {
  if (!isJsonObject(item)) return "it is no mapping";
  const unknown = unknownField(item, entryFields);
  if (unknown !== undefined) return unknown;
  const source = readSource(item["sourceRef"], namespace);
  if (typeof source === "string") return source;
  const { sourcePath, targetPath, token } = item;
  if (typeof sourcePath !== "string" || typeof targetPath !== "string")
    return "it needs sourcePath and targetPath";
  if (token !== undefined && typeof token !== "string") return "token must be a string";
  const from = parseJsonPath(withoutRoot(sourcePath));
  if (from.value === undefined)
    return `sourcePath: ${from.diagnostics[0]?.summary ?? "it is no JSON path"}`;
  const to = parseJsonPath(withoutRoot(targetPath));
  if (to.value === undefined)
    return `targetPath: ${to.diagnostics[0]?.summary ?? "it is no JSON path"}`;
  return {
    source,
    sourcePath: from.value,
    sourcePathText: sourcePath,
    targetPath: to.value,
    targetPathText: targetPath,
    token,
  };
}

/** A field that is not known is a misspelt one; without it something else would be meant. */
function unknownField(value: object, known: readonly string[]): string | undefined {
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  return unknown === undefined
    ? undefined
    : `there is no field ${JSON.stringify(unknown)}; it has ${known.join(", ")}`;
}

/**
 * The annotation writes paths from the root, `$.spec`, which kubectl's dialect leaves out, and keys in
 * single quotes as they are, `['tls.crt']`, where kubectl's wants a backslash before each dot.
 */
function withoutRoot(path: string): string {
  const keyed = path.replaceAll(
    /\['((?:[^'\\]|\\.)*)'\]/g,
    (_whole, key: string) => `[${JSON.stringify(key.replaceAll(/\\(.)/g, "$1"))}]`,
  );
  return `{${keyed.replace(/^\$/, "")}}`;
}

function readSource(value: JsonValue | undefined, ownNamespace: string): ObjectIdentity | string {
  if (!isJsonObject(value)) return "it needs a sourceRef";
  const unknown = unknownField(value, sourceFields);
  if (unknown !== undefined) return `sourceRef: ${unknown}`;
  const { apiVersion, group, kind, name, namespace } = value;
  if (typeof kind !== "string" || typeof name !== "string") return "sourceRef needs kind and name";
  const ownGroup =
    typeof apiVersion === "string" ? groupOf(apiVersion) : typeof group === "string" ? group : "";
  return {
    group: ownGroup,
    kind,
    name,
    namespace: typeof namespace === "string" ? namespace : ownNamespace,
  };
}

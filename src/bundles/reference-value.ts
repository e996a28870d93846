import { fieldAt, isJsonObject, type JsonObject, type JsonValue } from "../json/index.ts";
import { evaluateJsonPath, type KubernetesObject, parseJsonPath } from "../objects/index.ts";
import type { BundleReference } from "./bundle.ts";
import type { BundleObject, OutputObject, ReferenceWorld } from "./bundle-world.ts";

const namePath = /^(?:\{\.?metadata\.name\}|\.?metadata\.name)$/;

type ReferenceValue =
  | { readonly kind: "value"; readonly value: JsonValue; readonly output?: OutputObject }
  /** It is not there yet, and nobody need do anything about that. */
  | { readonly kind: "waiting"; readonly message: string }
  /** The account of the bundle may not read it. */
  | { readonly kind: "refused"; readonly message: string }
  | { readonly kind: "problem"; readonly message: string };

/** The value that a reference takes from the object of the resource that it names. */
function referenceValue(
  reference: BundleReference,
  object: KubernetesObject,
  world: ReferenceWorld,
): ReferenceValue {
  // What an object is called stands in the bundle: nobody learns anything by it.
  const isName = reference.modifier === undefined && namePath.test(reference.path ?? "");
  const unreadable = isName ? undefined : world.unreadable(keyObject(object));
  if (unreadable !== undefined) return unreadable;
  switch (reference.modifier) {
    case "output":
      return outputName(reference, object, world);
    case "bindsecret":
      return boundSecret(reference, object, world);
    case undefined:
      return valueAt(reference, object as unknown as JsonObject, reference.resource);
  }
}

/** The values that a resource takes from others, by the names of its references. */
export type ReferenceValues =
  | {
      readonly kind: "values";
      readonly values: ReadonlyMap<string, JsonValue>;
      /** Output objects of claims whose names are among them. */
      readonly outputs: readonly OutputObject[];
    }
  | Exclude<ReferenceValue, { kind: "value" }>;

/** Takes all values of a resource from the objects of those that it refers to. */
export function referenceValues(
  references: readonly BundleReference[],
  dependency: (resource: string) => KubernetesObject | undefined,
  world: ReferenceWorld,
): ReferenceValues {
  const values = new Map<string, JsonValue>();
  const outputs: OutputObject[] = [];
  for (const reference of references) {
    const object = dependency(reference.resource);
    if (object === undefined)
      return { kind: "waiting", message: `${reference.resource} is not there yet` };
    if (reference.name === undefined) continue;
    const found = referenceValue(reference, object, world);
    if (found.kind !== "value") return found;
    values.set(reference.name, found.value);
    if (found.output !== undefined) outputs.push(found.output);
  }
  return { kind: "values", values, outputs };
}

/** The name of the output object of a claim, once that object is there. */
function outputName(
  { resource }: BundleReference,
  claim: KubernetesObject,
  world: ReferenceWorld,
): ReferenceValue {
  const bound = world.bindingOf(claim);
  if (bound.kind !== "bound") return { kind: bound.kind, message: `${resource}: ${bound.message}` };
  const output = world.output(bound.outputName);
  // Not even whether it is there is told to who may not read it.
  const unreadable =
    world.unreadable(keyObject(bound.binding)) ??
    world.unreadable(configObject(output?.kind ?? "Secret", bound.outputName));
  if (unreadable !== undefined) return unreadable;
  return output === undefined
    ? { kind: "waiting", message: `${resource}: its output ${bound.outputName} is not there yet` }
    : { kind: "value", value: bound.outputName, output };
}

/** Where bindings of several makes say what their Secret is called. */
const secretNameFields = [
  ["status", "secretName"],
  ["status", "binding", "name"],
  ["spec", "secretName"],
] as const;

/** What a binding may call its Secret, the likeliest first. */
export function secretNamesOf(binding: KubernetesObject): readonly string[] {
  return secretNameFields
    .map((path) => fieldAt(binding, ...path))
    .filter((name) => typeof name === "string")
    .filter((name) => name !== "");
}

/** What a Secret holds, decoded. */
export function decodedData(secret: KubernetesObject | undefined): JsonObject | undefined {
  if (secret === undefined) return undefined;
  const { data } = secret;
  return Object.fromEntries(
    Object.entries(isJsonObject(data) ? data : {}).map(([key, value]) => [
      key,
      Buffer.from(typeof value === "string" ? value : "", "base64").toString("utf8"),
    ]),
  );
}

/** A value out of the Secret that a binding names, decoded. */
function boundSecret(
  reference: BundleReference,
  binding: KubernetesObject,
  world: ReferenceWorld,
): ReferenceValue {
  const bound = world.bindingOf(binding);
  const [own] = secretNamesOf(binding);
  const name = bound.kind === "bound" ? bound.outputName : own;
  if (name === undefined) {
    return {
      kind: bound.kind === "waiting" ? "waiting" : "problem",
      message: `${reference.resource} names no Secret: none of ${secretNameFields.map((path) => path.join(".")).join(", ")} is set`,
    };
  }
  const unreadable =
    (bound.kind === "bound" ? world.unreadable(keyObject(bound.binding)) : undefined) ??
    world.unreadable(configObject("Secret", name));
  if (unreadable !== undefined) return unreadable;
  const data = world.secretData(name);
  if (data === undefined) {
    const message = `${reference.resource}: the Secret ${name} is not there yet`;
    return { kind: "waiting", message };
  }
  return valueAt(reference, { data }, `the Secret ${name} of ${reference.resource}`);
}

/** An object by its kind and name. */
export function keyObject({ apiVersion, kind, metadata }: KubernetesObject): BundleObject {
  return { apiVersion, kind, name: metadata.name ?? "" };
}

function configObject(kind: OutputObject["kind"], name: string): BundleObject {
  return { apiVersion: "v1", kind, name };
}

function valueAt({ path = "" }: BundleReference, of: JsonObject, what: string): ReferenceValue {
  const { value: parsed, diagnostics } = parseJsonPath(path);
  if (parsed === undefined)
    return { kind: "problem", message: diagnostics[0]?.summary ?? `the path ${path} is no path` };
  const { value: found } = evaluateJsonPath(parsed, of);
  const [value, ...more] = found;
  if (value === undefined) return { kind: "problem", message: `${what} has no field ${path}` };
  if (more.length > 0)
    return { kind: "problem", message: `${path} finds ${found.length} values in ${what}, not one` };
  return { kind: "value", value };
}

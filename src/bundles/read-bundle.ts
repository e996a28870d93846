import {
  type Diagnostic,
  type DiagnosticCode,
  nearest,
  type SourceRange,
} from "../diagnostics/index.ts";
import { findCycle, Graph } from "../graph/index.ts";
import {
  fieldAt,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
  stringifyJson,
} from "../json/index.ts";
import {
  type FieldPath,
  type KubernetesObject,
  parseJsonPath,
  identityKey,
  identityOf,
} from "../objects/index.ts";
import { readDependsOn } from "../plan/index.ts";
import {
  accountNamePattern,
  type Bundle,
  type BundleReference,
  type BundleResource,
  type BundleTarget,
  defaultAccount,
  type Modifier,
  modifiers,
} from "./bundle.ts";
import { presentForm } from "./early-form.ts";
import { namesIn } from "./reference-text.ts";

type Report = (
  code: DiagnosticCode,
  path: FieldPath,
  summary: string,
  hint?: string,
  detail?: string,
) => void;

/** What a Bundle says, with everything that is wrong with it; with errors it must not be carried out. */
export function readBundle(
  object: KubernetesObject,
  sourceOf: (path: FieldPath) => SourceRange | undefined = () => undefined,
): { readonly bundle: Bundle; readonly diagnostics: readonly Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const subject = `${object.kind} ${object.metadata.name ?? ""}`;
  const report: Report = (code, path, summary, hint, detail) => {
    diagnostics.push({
      code,
      severity: "error",
      summary: `${subject}: ${summary}`,
      detail,
      hint,
      subject,
      source: sourceOf(path),
    });
  };
  const namespace = object.metadata.namespace ?? "default";
  const list = fieldAt(object, "spec", "resources");
  if (list !== undefined && !Array.isArray(list))
    report("bundle.invalid", ["spec", "resources"], "spec.resources is no list");
  const resources = withDependsOn(
    objectsIn(list).map((each, index) =>
      readResource(each, ["spec", "resources", index], namespace, report),
    ),
    namespace,
  );
  const ordered = checkResources(resources, report);
  const serviceAccount = readAccount(object, report);
  return { bundle: { object, namespace, serviceAccount, resources: ordered }, diagnostics };
}

function readAccount(object: KubernetesObject, report: Report): string {
  const name = fieldAt(object, "spec", "serviceAccountName");
  if (name === undefined) return defaultAccount;
  if (typeof name === "string" && name.length <= 253 && new RegExp(accountNamePattern).test(name))
    return name;
  report(
    "bundle.invalid",
    ["spec", "serviceAccountName"],
    `spec.serviceAccountName is ${stringifyJson(name)}, which is no name of a service account`,
    "name an account of the namespace of the bundle, such as deployer",
  );
  return defaultAccount;
}

function readResource(
  given: JsonObject,
  path: FieldPath,
  namespace: string,
  report: Report,
): BundleResource {
  const { value, isBare } = presentForm(given);
  const name = typeof value["name"] === "string" ? value["name"] : "";
  if (!/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(name) || name.length > 63) {
    report(
      "bundle.invalid",
      [...path, "name"],
      `the name ${stringifyJson(value["name"] ?? null)} of a resource is no name in lower case`,
      "names are up to 63 letters, digits and dashes, such as db-claim",
    );
  }
  const references = objectsIn(value["references"]).map((each, index) =>
    readReference(each, name, [...path, "references", index], report),
  );
  const dependsOn = value["dependsOn"] ?? [];
  if (!Array.isArray(dependsOn) || dependsOn.some((each) => typeof each !== "string"))
    report("bundle.invalid", [...path, "dependsOn"], `dependsOn of ${name} is no list of names`);
  const named = Array.isArray(dependsOn)
    ? dependsOn.filter((each) => typeof each === "string")
    : [];
  const target = readTarget(
    value["spec"],
    name,
    [...path, "spec"],
    namespace,
    (code, at, ...rest) => {
      // Without the field `object` everything is written one level higher.
      report(code, isBare ? at.toSpliced(path.length + 1, 1) : at, ...rest);
    },
  );
  checkNames(name, references, target, path, report);
  const waitsFor = [...new Set([...references.map(({ resource }) => resource), ...named])];
  return { name, references, waitsFor, target };
}

/** An object may name others of its bundle by its annotation: that is an order like any other. */
function withDependsOn(
  resources: readonly BundleResource[],
  namespace: string,
): readonly BundleResource[] {
  const objects = resources.flatMap(({ name, target }) => {
    if (target.kind !== "object" || !isJsonObject(target.object.metadata)) return [];
    const object = { ...target.object, metadata: { ...target.object.metadata, namespace } };
    return [{ name, object }];
  });
  const byKey = new Map(
    objects.map(({ name, object }) => [identityKey(identityOf(object)), name] as const),
  );
  const named = new Map(
    objects.map(({ name, object }) => [
      name,
      readDependsOn(object).value.flatMap((identity) => byKey.get(identityKey(identity)) ?? []),
    ]),
  );
  return resources.map((resource) => ({
    ...resource,
    waitsFor: [...new Set([...resource.waitsFor, ...(named.get(resource.name) ?? [])])],
  }));
}

function readReference(
  value: JsonObject,
  of: string,
  path: FieldPath,
  report: Report,
): BundleReference {
  const refuse = (field: string, summary: string, hint?: string): void => {
    report("bundle.invalid-reference", [...path, field], `a reference of ${of} ${summary}`, hint);
  };
  const { name, resource, path: where, example, modifier } = value;
  if (typeof resource !== "string" || resource === "") refuse("resource", "names no resource");
  if (name !== undefined && (typeof name !== "string" || !/^[^{}\s]+$/.test(name)))
    refuse("name", `is called ${stringifyJson(name)}, which !{…} cannot hold`);
  if (modifier !== undefined && !(modifiers as readonly unknown[]).includes(modifier))
    refuse(
      "modifier",
      `has the modifier ${stringifyJson(modifier)}`,
      `the modifiers are ${modifiers.join(" and ")}`,
    );
  if (typeof where === "string") {
    const [problem] = parseJsonPath(where).diagnostics;
    if (problem !== undefined) refuse("path", `has a path that cannot be used: ${problem.summary}`);
  } else if (name !== undefined && modifier !== "output") {
    refuse("path", "has a name and no path", 'say which field it takes, such as path: "data.url"');
  }
  if (name === undefined && where !== undefined)
    refuse("name", "has a path and no name", "give it a name, so that !{name} can take the value");
  return {
    resource: typeof resource === "string" ? resource : "",
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof where === "string" ? { path: where } : {}),
    ...(example === undefined ? {} : { example }),
    ...(modifier === undefined ? {} : { modifier: modifier as Modifier }),
  };
}

function readTarget(
  spec: JsonValue | undefined,
  of: string,
  path: FieldPath,
  namespace: string,
  report: Report,
): BundleTarget {
  const { object, plugin } = isJsonObject(spec) ? spec : {};
  if (isJsonObject(object) === isJsonObject(plugin)) {
    report(
      "bundle.invalid",
      path,
      `the spec of ${of} must have either an object or a plugin, and has ${object === undefined && plugin === undefined ? "neither" : "both"}`,
    );
  }
  if (isJsonObject(plugin)) return readPlugin(plugin, of, [...path, "plugin"], report);
  return readObject(isJsonObject(object) ? object : {}, of, [...path, "object"], namespace, report);
}

function readPlugin(value: JsonObject, of: string, path: FieldPath, report: Report): BundleTarget {
  const { name, objectName, spec } = value;
  if (typeof name !== "string" || name === "")
    report("bundle.invalid", [...path, "name"], `the plugin of ${of} has no name`);
  if (typeof objectName !== "string" || objectName === "" || namesIn(objectName).length > 0)
    report(
      "bundle.invalid",
      [...path, "objectName"],
      `the plugin of ${of} has no objectName, or one that is only known later`,
    );
  return {
    kind: "plugin",
    plugin: typeof name === "string" ? name : "",
    objectName: typeof objectName === "string" ? objectName : "",
    spec: isJsonObject(spec) ? spec : {},
  };
}

function readObject(
  value: JsonObject,
  of: string,
  path: FieldPath,
  namespace: string,
  report: Report,
): BundleTarget {
  const { apiVersion, kind } = value;
  const metadata = isJsonObject(value["metadata"]) ? value["metadata"] : {};
  for (const [field, found] of [
    ["apiVersion", apiVersion],
    ["kind", kind],
    ["metadata.name", metadata["name"]],
  ] as const) {
    if (typeof found === "string" && found !== "" && namesIn(found).length === 0) continue;
    const state = typeof found === "string" && found !== "" ? "is only known later" : "is missing";
    report(
      "bundle.invalid",
      [...path, ...field.split(".")],
      `${field} of the object of ${of} ${state}`,
      "what an object is called must be known before it is made",
    );
  }
  const own = metadata["namespace"];
  if (own !== undefined && own !== namespace) {
    report(
      "bundle.invalid",
      [...path, "metadata", "namespace"],
      `the object of ${of} is in the namespace ${stringifyJson(own)}, and the bundle in ${namespace}`,
      "objects of a bundle are in its own namespace; leave the field out",
    );
  }
  return { kind: "object", object: value as unknown as KubernetesObject };
}

/** What a text refers to must be declared, once. */
function checkNames(
  of: string,
  references: readonly BundleReference[],
  target: BundleTarget,
  path: FieldPath,
  report: Report,
): void {
  const declared = references.flatMap(({ name }) => (name === undefined ? [] : [name]));
  for (const name of new Set(declared.filter((each, index) => declared.indexOf(each) !== index)))
    report(
      "bundle.invalid-reference",
      [...path, "references"],
      `${of} has two references called ${name}`,
    );
  const used = new Set(namesIn(target.kind === "object" ? target.object : target.spec));
  for (const name of used) {
    if (declared.includes(name)) continue;
    const proposal = nearest(name, declared);
    report(
      "bundle.invalid-reference",
      [...path, "spec"],
      `${of} uses !{${name}}, and has no reference of that name`,
      proposal === undefined
        ? `add it to references, or write !!{${name}} for the text itself`
        : `did you mean !{${proposal}}?`,
    );
  }
}

/** Resources in the order in which they can be made; what stands in a circle comes last. */
function checkResources(
  resources: readonly BundleResource[],
  report: Report,
): readonly BundleResource[] {
  const byName = new Map<string, BundleResource>();
  for (const [index, resource] of resources.entries()) {
    if (byName.has(resource.name))
      report(
        "bundle.duplicate-name",
        ["spec", "resources", index, "name"],
        `two resources are called ${resource.name}`,
      );
    byName.set(resource.name, resource);
  }
  checkSameObjects(resources, report);
  for (const [index, { name, waitsFor }] of resources.entries()) {
    for (const other of waitsFor) {
      if (byName.has(other) || other === "") continue;
      const proposal = nearest(other, [...byName.keys()]);
      report(
        "bundle.unknown-resource",
        ["spec", "resources", index],
        `${name} refers to ${other}, and there is no resource of that name`,
        proposal === undefined ? undefined : `did you mean ${proposal}?`,
      );
    }
  }
  const edges = resources.flatMap(({ name, waitsFor }) =>
    waitsFor.map((to) => ({ from: name, to, reason: "it refers to it" })),
  );
  const graph = new Graph(byName.keys(), edges);
  const cycle = findCycle(graph);
  if (cycle === undefined) return graph.order().flatMap((name) => byName.get(name) ?? []);
  report(
    "bundle.cycle",
    ["spec", "resources"],
    "resources wait for each other in a circle",
    "remove one of these references",
    cycle.map(({ from, to }) => `${from} waits for ${to}`).join("\n"),
  );
  return resources;
}

function checkSameObjects(resources: readonly BundleResource[], report: Report): void {
  const seen = new Map<string, string>();
  for (const [index, { name, target }] of resources.entries()) {
    if (target.kind !== "object") continue;
    const { apiVersion, kind, metadata } = target.object;
    const key = `${apiVersion} ${kind} ${String(fieldAt(metadata, "name"))}`;
    const first = seen.get(key);
    if (first !== undefined)
      report(
        "bundle.duplicate-name",
        ["spec", "resources", index],
        `${first} and ${name} are the same object, ${kind} ${String(fieldAt(metadata, "name"))}`,
      );
    seen.set(key, name);
  }
}

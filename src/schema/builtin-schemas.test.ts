import { expect, test } from "vitest";
import { builtinResources } from "./builtin-resources.ts";
import { loadBuiltinDescriptions } from "./builtin-descriptions.ts";
import { builtinSchemas } from "./builtin-schemas.ts";
import type { Schema } from "./schema.ts";

/** The schema at a path of property names, where `*` is a list item or a map value. */
function at(kind: string, path: string): Schema | undefined {
  const [apiVersion = "", name = ""] = kind.split(" ");
  const [group = "", version = ""] = apiVersion.includes("/")
    ? apiVersion.split("/")
    : ["", apiVersion];
  let schema = builtinSchemas().get({ group, version, kind: name });
  for (const step of path.split(".").filter((each) => each !== "")) {
    const additional = schema?.additionalProperties;
    schema =
      step === "*"
        ? (schema?.items ?? (typeof additional === "object" ? additional : undefined))
        : schema?.properties?.get(step);
  }
  return schema;
}

test.each([
  [
    "apps/v1 Deployment",
    "spec.replicas",
    { type: "integer", format: "int32", presence: "pointer" },
  ],
  [
    "apps/v1 Deployment",
    "spec.template.spec.containers",
    { listType: "map", listMapKeys: ["name"] },
  ],
  [
    "v1 Pod",
    "spec.containers.*.ports",
    { listMapKeys: ["containerPort", "protocol"], patchMergeKey: "containerPort" },
  ],
  ["v1 Pod", "spec.containers.*.ports.*.protocol", { default: "TCP" }],
  ["v1 Pod", "spec.containers.*.resources", { presence: "always" }],
  ["v1 Pod", "spec.containers.*.resources.limits.*", { format: "quantity" }],
  ["v1 Pod", "metadata.finalizers", { listType: "set" }],
  ["v1 Pod", "metadata.creationTimestamp", { presence: "zero" }],
  ["v1 Service", "spec.ports.*.targetPort", { intOrString: true, presence: "always" }],
  ["v1 Secret", "data.*", { format: "byte" }],
  ["rbac.authorization.k8s.io/v1 Role", "rules", { presence: "always", listType: "atomic" }],
  ["apps/v1 Deployment", "spec.selector", { mapType: "atomic", presence: "nullable-pointer" }],
])("%s %s", (kind, path, expected) => {
  expect(at(kind, path)).toMatchObject(expected);
});

test("a type that refers to itself", () => {
  const schema = builtinSchemas().definition(
    "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps",
  );
  expect(schema?.properties?.get("not")?.properties?.get("not")?.name).toBe(schema?.name);
});

test("every served resource has a schema", () => {
  const missing = builtinResources().filter((each) => builtinSchemas().get(each) === undefined);
  expect(missing.map((each) => each.resource)).toEqual([]);
});

test.each([
  [
    "pods",
    "po",
    true,
    "attach binding ephemeralcontainers eviction exec log portforward proxy resize status",
  ],
  ["deployments", "deploy", true, "scale status"],
  ["customresourcedefinitions", "crd crds", false, "status"],
  ["namespaces", "ns", false, "finalize status"],
])("%s in discovery", (resource, shortNames, namespaced, subresources) => {
  const row = builtinResources().find((each) => each.resource === resource);
  expect(row?.shortNames.join(" ")).toBe(shortNames);
  expect(row?.namespaced).toBe(namespaced);
  expect(row?.subresources.map((each) => each.name).join(" ")).toBe(subresources);
});

test("alpha and beta versions are not served", () => {
  expect(builtinResources().filter((each) => /alpha|beta/.test(each.version))).toEqual([]);
});

test("descriptions are found by type and field", async () => {
  const descriptions = await loadBuiltinDescriptions();
  expect(descriptions.get("io.k8s.api.core.v1.ContainerPort")?.properties.get("hostIP")).toBe(
    "What host IP to bind the external port to.",
  );
});

import { expect, test } from "vitest";
import { crdSchema } from "./crd-schema.ts";

test("metadata, apiVersion and kind are implied", () => {
  const schema = crdSchema({ type: "object", properties: { spec: { type: "object" } } });
  expect([...(schema.properties?.keys() ?? [])].sort()).toEqual([
    "apiVersion",
    "kind",
    "metadata",
    "spec",
  ]);
  expect(schema.properties?.get("metadata")?.properties?.get("finalizers")?.listType).toBe("set");
});

test("a restriction of the name stays", () => {
  const schema = crdSchema({
    type: "object",
    properties: {
      metadata: { type: "object", properties: { name: { type: "string", maxLength: 5 } } },
    },
  });
  const metadata = schema.properties?.get("metadata");
  expect(metadata?.properties?.get("name")?.maxLength).toBe(5);
  expect(metadata?.properties?.get("labels")?.type).toBe("object");
});

test("extensions get their own names", () => {
  const schema = crdSchema({
    type: "object",
    properties: {
      ports: {
        type: "array",
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["port"],
        items: {
          type: "object",
          properties: { port: { "x-kubernetes-int-or-string": true } },
          "x-kubernetes-validations": [{ rule: "self.port != 0" }],
        },
      },
      free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      embedded: {
        type: "object",
        "x-kubernetes-embedded-resource": true,
        "x-kubernetes-preserve-unknown-fields": true,
      },
    },
  });
  expect(schema.properties?.get("ports")).toMatchObject({
    listType: "map",
    listMapKeys: ["port"],
    items: { validations: [{ rule: "self.port != 0" }] },
  });
  expect(schema.properties?.get("free")?.preserveUnknownFields).toBe(true);
  expect([...(schema.properties?.get("embedded")?.properties?.keys() ?? [])]).toEqual([
    "apiVersion",
    "kind",
    "metadata",
  ]);
});

test("no schema at all keeps every field", () => {
  expect(crdSchema(undefined).preserveUnknownFields).toBe(true);
});

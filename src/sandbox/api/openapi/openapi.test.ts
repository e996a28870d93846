import { expect, test } from "vitest";
import type { JsonObject } from "../../../json/index.ts";
import type { KubernetesObject } from "../../../objects/index.ts";
import type { ApiRequest } from "../request.ts";
import { ResourceRegistry } from "../resource-registry.ts";
import { readFields } from "../../../schema/wire/wire-reader.ts";
import { openApi } from "./index.ts";

function definition(size: JsonObject): KubernetesObject {
  const version = {
    name: "v1",
    served: true,
    storage: true,
    schema: {
      openAPIV3Schema: {
        type: "object",
        properties: { spec: { type: "object", properties: { size } } },
      },
    },
  };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "widgets.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "widgets", kind: "Widget" },
      versions: [version],
    },
    status: { conditions: [{ type: "Established", status: "True" }] },
  };
}

function requestOf(path: string, accept: string): ApiRequest {
  return {
    method: "GET",
    path,
    query: new URLSearchParams(),
    accept,
    contentType: "",
    userAgent: "test",
    body: "",
    user: { name: "u", groups: [] },
  };
}

function askBytes(registry: ResourceRegistry, path: string, accept = "*/*"): Promise<Buffer> {
  const response = openApi(registry, requestOf(path, accept));
  if (response === undefined) return Promise.resolve(Buffer.alloc(0));
  if (response.kind === "complete") return Promise.resolve(Buffer.from(response.body));
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    const write = (piece: string | Uint8Array): void => {
      pieces.push(Buffer.from(piece as string));
    };
    response.start({ write, end: () => resolve(Buffer.concat(pieces)), backlog: () => 0 });
  });
}

function ask(registry: ResourceRegistry, path: string, accept = "*/*"): Promise<string> {
  return askBytes(registry, path, accept).then((bytes) => bytes.toString("utf8"));
}

interface Index {
  readonly paths: Readonly<Record<string, { readonly serverRelativeURL: string }>>;
}

test("every document refers only to what it defines", async () => {
  const registry = new ResourceRegistry();
  registry.setDefinition("widgets.example.com", definition({ type: "integer" }));
  const { paths } = JSON.parse(await ask(registry, "/openapi/v3")) as Index;
  expect(Object.keys(paths)).toEqual(
    expect.arrayContaining(["api/v1", "apis/apps/v1", "apis/example.com/v1"]),
  );
  for (const path of Object.keys(paths)) {
    const text = await ask(registry, `/openapi/v3/${path}`);
    const document = JSON.parse(text) as { components: { schemas: Record<string, unknown> } };
    expect(missing(text, "#/components/schemas/", document.components.schemas)).toEqual([]);
  }
  const text = await ask(registry, "/openapi/v2");
  const document = JSON.parse(text) as { definitions: Record<string, unknown> };
  expect(missing(text, "#/definitions/", document.definitions)).toEqual([]);
});

function missing(
  text: string,
  prefix: string,
  defined: Readonly<Record<string, unknown>>,
): readonly string[] {
  const references = [...text.matchAll(/"\$ref":"([^"]+)"/g)].map(([, name = ""]) => name);
  expect(references.length).toBeGreaterThan(0);
  return references.filter((name) => !(name.slice(prefix.length) in defined));
}

test("the hash of a document changes with the definition, and so does the document", async () => {
  const registry = new ResourceRegistry();
  const url = async (): Promise<string> => {
    const { paths } = JSON.parse(await ask(registry, "/openapi/v3")) as Index;
    return paths["apis/example.com/v1"]?.serverRelativeURL ?? "";
  };
  registry.setDefinition("widgets.example.com", definition({ type: "integer" }));
  const first = await url();
  expect(first).toMatch(/^\/openapi\/v3\/apis\/example\.com\/v1\?hash=[\dA-F]{128}$/);
  expect(await ask(registry, "/openapi/v3/apis/example.com/v1")).toContain(
    '"size":{"type":"integer"}',
  );
  registry.setDefinition("widgets.example.com", definition({ type: "string" }));
  expect(await url()).not.toBe(first);
  expect(await ask(registry, "/openapi/v3/apis/example.com/v1")).toContain(
    '"size":{"type":"string"}',
  );
});

test("version 2 as protobuf holds the definitions of the document in JSON, custom kinds included", async () => {
  const registry = new ResourceRegistry();
  registry.setDefinition("widgets.example.com", definition({ type: "integer", minimum: -1 }));
  const { definitions } = JSON.parse(await ask(registry, "/openapi/v2")) as {
    definitions: Record<string, JsonObject>;
  };
  const bytes = await askBytes(registry, "/openapi/v2", protobuf);
  const [list] = messages(bytes, 9);
  const found = messages(list, 1).map((entry) => ({
    name: texts(entry, 1)[0] ?? "",
    schema: messages(entry, 2)[0],
  }));
  expect(found.map(({ name }) => name)).toEqual(Object.keys(definitions));
  for (const { name, schema } of found) {
    expect(`${name} ${propertyNames(schema)}`).toBe(
      `${name} ${Object.keys((definitions[name]?.["properties"] ?? {}) as JsonObject).join()}`,
    );
  }
  const widget = found.find(({ name }) => name === "com.example.v1.Widget")?.schema;
  const [extension] = messages(widget, 31);
  expect(texts(extension, 1)).toEqual(["x-kubernetes-group-version-kind"]);
  expect(texts(messages(extension, 2)[0], 2)).toEqual([
    '[{"group":"example.com","kind":"Widget","version":"v1"}]',
  ]);
});

const protobuf = "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";

function messages(bytes: Uint8Array | undefined, wanted: number): readonly Uint8Array[] {
  return [...readFields(bytes ?? new Uint8Array())].flatMap(({ number, value }) =>
    number === wanted && value.kind === "bytes" ? [value.bytes] : [],
  );
}

function texts(bytes: Uint8Array | undefined, wanted: number): readonly string[] {
  return messages(bytes, wanted).map((each) => Buffer.from(each).toString("utf8"));
}

function propertyNames(schema: Uint8Array | undefined): string {
  return messages(messages(schema, 25)[0], 1)
    .flatMap((entry) => texts(entry, 1))
    .join();
}

test.each([
  ["", "application/json"],
  ["*/*", "application/json"],
  [protobuf, protobuf],
  [protobuf.replace("v2.v1", "v2@v1"), protobuf],
  [`application/json;q=0.5, ${protobuf}`, protobuf],
])("version 2 for a client that accepts %j is %s", (accept, expected) => {
  const response = openApi(new ResourceRegistry(), requestOf("/openapi/v2", accept));
  expect(response?.contentType).toBe(expected);
});

test("other paths are not answered, and neither are other forms", async () => {
  const registry = new ResourceRegistry();
  expect(await ask(registry, "/openapi/v3/apis/nobody/v1")).toBe("");
  expect(await ask(registry, "/api")).toBe("");
  expect(() => ask(registry, "/openapi/v2", "text/html")).toThrow(/Not Acceptable/);
});

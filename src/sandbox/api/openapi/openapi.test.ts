import { expect, test } from "vitest";
import type { JsonObject } from "../../../json/index.ts";
import type { KubernetesObject } from "../../../objects/index.ts";
import type { ApiRequest } from "../request.ts";
import { ResourceRegistry } from "../resource-registry.ts";
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

function ask(registry: ResourceRegistry, path: string, accept = "*/*"): Promise<string> {
  const request: ApiRequest = {
    method: "GET",
    path,
    query: new URLSearchParams(),
    accept,
    contentType: "",
    userAgent: "test",
    body: "",
    user: { name: "u", groups: [] },
  };
  const response = openApi(registry, request);
  if (response === undefined) return Promise.resolve("");
  if (response.kind === "complete") return Promise.resolve(response.body);
  return new Promise((resolve) => {
    let text = "";
    const write = (piece: string): void => {
      text += piece;
    };
    response.start({ write, end: () => resolve(text), backlog: () => 0 });
  });
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

test("other paths are not answered, and protobuf is not spoken", async () => {
  const registry = new ResourceRegistry();
  expect(await ask(registry, "/openapi/v3/apis/nobody/v1")).toBe("");
  expect(await ask(registry, "/api")).toBe("");
  const protobuf = "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";
  expect(() => ask(registry, "/openapi/v2", protobuf)).toThrow(/only the JSON form/);
});

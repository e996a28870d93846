import { expect, test } from "vitest";
import type { KubernetesObject } from "../../objects/index.ts";
import { definitionTypes } from "./definition-types.ts";

function definition(group: string, kind: string, schema: object): KubernetesObject {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${kind.toLowerCase()}s.${group}` },
    spec: {
      group,
      names: { kind },
      versions: [
        { name: "v1alpha1", served: true, storage: false },
        { name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } },
      ],
    },
  };
}

const widget = definition("example.com", "Widget", {
  description: "A widget of the shop.\n\nMore of it.",
  type: "object",
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      properties: {
        size: { type: "integer", description: "How large it is. In metres." },
        color: { type: "string", enum: ["red", "green"], nullable: true },
        port: { "x-kubernetes-int-or-string": true },
        "odd-key": { type: "boolean" },
        parts: {
          type: "array",
          items: { type: "object", properties: { name: { type: "string" } } },
        },
        labels: { type: "object", additionalProperties: { type: "string" } },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
      },
    },
    status: { type: "object", properties: { url: { type: "string" } } },
  },
});

test("a typed class for each definition", () => {
  expect(definitionTypes([widget])).toMatchInlineSnapshot(`
    "// Written by: keelson types. Changes are lost when it is run again.
    import { k8s } from "keelson";

    /** A widget of the shop. */
    export interface WidgetFields {
      readonly spec?: {
        /** How large it is. */
        readonly size: number;
        readonly color?: "red" | "green" | null | undefined;
        readonly port?: number | string | undefined;
        readonly "odd-key"?: boolean | undefined;
        readonly parts?: readonly ({
          readonly name?: string | undefined;
        })[] | undefined;
        readonly labels?: Readonly<Record<string, string>> | undefined;
        readonly free?: Readonly<Record<string, unknown>> | undefined;
      } | undefined;
      readonly status?: {
        readonly url?: string | undefined;
      } | undefined;
      readonly metadata?: k8s.types.ObjectMeta | undefined;
    }
    export const Widget = k8s.kind<WidgetFields>("example.com/v1", "Widget");
    export type Widget = InstanceType<typeof Widget>;
    "
  `);
});

test("kinds of one name in several groups are told apart, other objects are passed over", () => {
  const text = definitionTypes([
    definition("shop.example.com", "Job", {}),
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } },
    definition("build-tools.example.com", "Job", {}),
  ]);
  expect(text?.split("\n").filter((line) => line.startsWith("export const"))).toEqual([
    'export const BuildToolsJob = k8s.kind<BuildToolsJobFields>("build-tools.example.com/v1", "Job");',
    'export const ShopJob = k8s.kind<ShopJobFields>("shop.example.com/v1", "Job");',
  ]);
});

test("without any definition there is nothing to write", () => {
  expect(definitionTypes([])).toBeUndefined();
});

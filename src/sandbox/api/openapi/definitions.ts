import { brotliDecompressSync } from "node:zlib";
import { builtinSchemas, type Schema, type TypeDescription } from "../../../schema/index.ts";
import { enumData } from "./enum-data.ts";
import { scalarData } from "./scalar-data.ts";

export type Descriptions = ReadonlyMap<string, TypeDescription>;
type Node = Record<string, unknown>;

const refPrefix = "#/components/schemas/";
const scalarNames: Readonly<Record<string, string>> = {
  quantity: "io.k8s.apimachinery.pkg.api.resource.Quantity",
  fields: "io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1",
  "micro-time": "io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime",
  "date-time": "io.k8s.apimachinery.pkg.apis.meta.v1.Time",
  raw: "io.k8s.apimachinery.pkg.runtime.RawExtension",
  "int-or-string": "io.k8s.apimachinery.pkg.util.intstr.IntOrString",
};

/** The definitions that one document needs: each one brings those that it refers to. */
export class Definitions {
  readonly #descriptions: Descriptions;
  readonly #nodes = new Map<string, unknown>();
  readonly #kinds = new Map<string, readonly object[]>();

  constructor(descriptions: Descriptions) {
    this.#descriptions = descriptions;
  }

  /** A reference to a type, which is thereby part of the document. */
  reference(name: string): string {
    if (!this.#nodes.has(name)) {
      // Types refer to themselves, so that this one is known before it is described.
      this.#nodes.set(name, {});
      const scalar = scalars()[name];
      const schema = builtinSchemas().definition(name);
      if (scalar !== undefined) this.#nodes.set(name, scalar);
      else if (schema !== undefined) this.#nodes.set(name, this.#definition(name, schema));
    }
    return `${refPrefix}${name}`;
  }

  /** Adds a type that is not built in. */
  add(name: string, node: unknown): string {
    this.#nodes.set(name, node);
    return `${refPrefix}${name}`;
  }

  /** Says which kind of the API a type is. */
  markKind(name: string, kind: object): void {
    this.#kinds.set(name, [...(this.#kinds.get(name) ?? []), kind]);
  }

  all(): Readonly<Record<string, unknown>> {
    const names = [...this.#nodes.keys()].sort();
    return Object.fromEntries(
      names.map((name) => {
        const kinds = this.#kinds.get(name);
        const node = this.#nodes.get(name) as Node;
        return [
          name,
          kinds === undefined ? node : { ...node, "x-kubernetes-group-version-kind": kinds },
        ];
      }),
    );
  }

  #definition(name: string, schema: Schema): Node {
    const described = this.#descriptions.get(name);
    const node: Node = {};
    if ((described?.description ?? "") !== "") node["description"] = described?.description;
    if (schema.type !== undefined) node["type"] = schema.type;
    if (schema.required !== undefined) node["required"] = schema.required;
    if (schema.properties !== undefined) {
      node["properties"] = Object.fromEntries(
        [...schema.properties].map(([key, property]) => [
          key,
          this.#property(property, described?.properties.get(key) ?? "", enums()[`${name}.${key}`]),
        ]),
      );
    }
    addExtensions(node, schema);
    return node;
  }

  #property(schema: Schema, text: string, values: Enumeration | undefined): Node {
    const description = `${text}${values?.[1] ?? ""}`;
    const described = description === "" ? {} : { description };
    const node = this.#node(schema, description !== "", isStruct(schema));
    if (values === undefined) return { ...described, ...node };
    if (schema.items === undefined) return { ...described, ...node, enum: values[0] };
    const items = { ...(node["items"] as Node), enum: values[0] };
    return { ...described, ...node, items };
  }

  /** A reference has no siblings in OpenAPI, so what is said beside it wraps it. */
  #node(schema: Schema, isDescribed: boolean, hasEmptyDefault: boolean): Node {
    const target = referenceName(schema);
    if (target !== undefined) {
      const $ref = this.reference(target);
      const beside = extensionsBeside(schema);
      if (!isDescribed && !hasEmptyDefault && Object.keys(beside).length === 0) return { $ref };
      return { ...(hasEmptyDefault ? { default: {} } : {}), allOf: [{ $ref }], ...beside };
    }
    const node: Node = {};
    if (schema.type !== undefined) node["type"] = schema.type;
    if (schema.format !== undefined) node["format"] = schema.format;
    if (schema.default !== undefined) node["default"] = schema.default;
    if (schema.enum !== undefined) node["enum"] = schema.enum;
    if (schema.items !== undefined) {
      const { items } = schema;
      const isObject = items.name !== undefined && items.type === "object";
      node["items"] = { ...this.#node(items, false, isObject), ...zeroOf(items) };
    }
    if (typeof schema.additionalProperties === "object") {
      const value = schema.additionalProperties;
      const isObject = value.name !== undefined && value.type === "object";
      node["additionalProperties"] = { ...this.#node(value, false, isObject), ...zeroOf(value) };
    }
    addExtensions(node, schema);
    return node;
  }
}

function referenceName({ name, format }: Schema): string | undefined {
  return name ?? scalarNames[format ?? ""];
}

/** A field that is a struct and no pointer to one is never missing: it is empty. */
function isStruct({ name, presence, type }: Schema): boolean {
  return (
    name !== undefined &&
    type === "object" &&
    presence !== "pointer" &&
    presence !== "nullable-pointer"
  );
}

/** What a field says of the type it refers to, beyond what the type says itself. */
function extensionsBeside(schema: Schema): Node {
  const own = builtinSchemas().definition(schema.name ?? "");
  const node: Node = {};
  addExtensions(node, {
    ...(schema.patchStrategy === undefined ? {} : { patchStrategy: schema.patchStrategy }),
    ...(schema.mapType === undefined || schema.mapType === own?.mapType
      ? {}
      : { mapType: schema.mapType }),
  });
  return node;
}

function zeroOf(schema: Schema): Node {
  const { type, format } = schema;
  if (referenceName(schema) !== undefined || format === "byte") return {};
  if (type === "string") return { default: "" };
  if (type === "integer") return { default: 0 };
  return {};
}

function addExtensions(node: Node, schema: Schema): void {
  if (schema.listMapKeys !== undefined) node["x-kubernetes-list-map-keys"] = schema.listMapKeys;
  if (schema.listType !== undefined) node["x-kubernetes-list-type"] = schema.listType;
  if (schema.mapType !== undefined) node["x-kubernetes-map-type"] = schema.mapType;
  if (schema.patchMergeKey !== undefined) {
    node["x-kubernetes-patch-merge-key"] = schema.patchMergeKey;
  }
  if (schema.patchStrategy !== undefined) {
    node["x-kubernetes-patch-strategy"] = schema.patchStrategy;
  }
}

type Enumeration = readonly [values: readonly unknown[], text: string];

function scalars(): Readonly<Record<string, unknown>> {
  unpackedScalars ??= unpack(scalarData) as Readonly<Record<string, unknown>>;
  return unpackedScalars;
}

function enums(): Readonly<Record<string, Enumeration>> {
  unpackedEnums ??= unpack(enumData) as Readonly<Record<string, Enumeration>>;
  return unpackedEnums;
}

let unpackedScalars: Readonly<Record<string, unknown>> | undefined;
let unpackedEnums: Readonly<Record<string, Enumeration>> | undefined;

function unpack(packed: string): unknown {
  const text = brotliDecompressSync(Buffer.from(packed, "base64")).toString("utf8");
  return JSON.parse(text);
}

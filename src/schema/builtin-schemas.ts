import type { JsonValue } from "../json/index.ts";
import { structure } from "./data/structure.ts";
import type { FieldPresence, GroupVersionKind, Schema, SchemaSet, SchemaType } from "./schema.ts";

/** The schemas of every built-in kind, parsed on first use; each type is expanded when asked for. */
export function builtinSchemas(): SchemaSet {
  cached ??= new BuiltinSchemaSet(JSON.parse(structure) as PackedStructure);
  return cached;
}

let cached: SchemaSet | undefined;

interface PackedStructure {
  readonly names: readonly string[];
  readonly nodes: readonly PackedDefinition[];
}

/** A letter for a scalar, the index of a definition, or either with attributes. */
type PackedNode = string | number | PackedObject;

interface PackedObject extends PackedAttributes {
  readonly t?: string | number;
  readonly i?: PackedNode;
  readonly a?: PackedNode;
  readonly o?: string;
}

interface PackedAttributes {
  readonly d?: JsonValue;
  /** The default is the zero value of the type. */
  readonly z?: 1;
  readonly e?: readonly string[];
  readonly L?: "atomic" | "set" | "map";
  readonly K?: readonly string[];
  readonly M?: "atomic" | "granular";
  readonly S?: string;
  readonly G?: string;
}

interface PackedDefinition extends PackedAttributes {
  readonly t?: SchemaType;
  readonly "*"?: 1;
  readonly p?: Readonly<Record<string, PackedNode>>;
  readonly r?: readonly string[];
  readonly g?: readonly GroupVersionKind[];
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

const scalars: Readonly<Record<string, Schema>> = {
  s: { type: "string" },
  y: { type: "string", format: "byte" },
  i: { type: "integer", format: "int32" },
  l: { type: "integer", format: "int64" },
  n: { type: "number", format: "double" },
  b: { type: "boolean" },
  o: { type: "object" },
  t: { type: "string", format: "date-time" },
  u: { type: "string", format: "micro-time" },
  q: { format: "quantity" },
  x: { format: "int-or-string", intOrString: true },
  w: { type: "object", format: "raw", preserveUnknownFields: true },
  f: { type: "object", format: "fields", preserveUnknownFields: true },
  "*": { preserveUnknownFields: true },
};

const presences: Readonly<Record<string, FieldPresence>> = {
  v: "optional",
  r: "always",
  p: "pointer",
  P: "nullable-pointer",
  z: "zero",
};

class BuiltinSchemaSet implements SchemaSet {
  readonly #packed: PackedStructure;
  readonly #expanded: (Schema | undefined)[] = [];
  readonly #indexByKind = new Map<string, number>();
  readonly #indexByName: ReadonlyMap<string, number>;

  constructor(packed: PackedStructure) {
    this.#packed = packed;
    this.#indexByName = new Map(packed.names.map((name, index) => [name, index]));
    for (const [index, node] of packed.nodes.entries()) {
      // Kinds that every group has, such as DeleteOptions, are found under the core group alone.
      for (const gvk of node.g ?? []) this.#indexByKind.set(keyOf(gvk), index);
    }
  }

  get definitionNames(): readonly string[] {
    return this.#packed.names;
  }

  get(gvk: GroupVersionKind): Schema | undefined {
    const index = this.#indexByKind.get(keyOf(gvk));
    return index === undefined ? undefined : this.#expand(index);
  }

  definition(name: string): Schema | undefined {
    const index = this.#indexByName.get(name);
    return index === undefined ? undefined : this.#expand(index);
  }

  /** Types refer to themselves, so the result is registered before its properties are filled in. */
  #expand(index: number): Schema {
    const known = this.#expanded[index];
    if (known !== undefined) return known;
    const packed = this.#packed.nodes[index] ?? {};
    const properties = new Map<string, Schema>();
    const schema: Schema = {
      name: this.#packed.names[index] ?? "",
      ...(packed["*"] === undefined ? { type: packed.t ?? "object" } : {}),
      ...(packed["*"] !== undefined || (packed.p === undefined && packed.t === undefined)
        ? { preserveUnknownFields: true }
        : {}),
      ...(packed.p === undefined ? {} : { properties }),
      ...(packed.r === undefined ? {} : { required: packed.r }),
      ...attributesOf(packed),
    };
    this.#expanded[index] = schema;
    for (const [key, node] of Object.entries(packed.p ?? {})) {
      properties.set(key, this.#field(node));
    }
    return schema;
  }

  #field(node: PackedNode): Schema {
    const packed: PackedObject = typeof node === "object" ? node : { t: node };
    const usual = typeof packed.t === "number" ? "p" : "v";
    return { ...this.#node(packed), presence: presences[packed.o ?? usual] ?? "optional" };
  }

  #node(node: PackedNode): Schema {
    if (typeof node === "number") return this.#expand(node);
    if (typeof node === "string") return scalars[node] ?? {};
    const attributes = attributesOf(node);
    if (node.i !== undefined) return { type: "array", items: this.#node(node.i), ...attributes };
    if (node.a !== undefined) {
      return { type: "object", additionalProperties: this.#node(node.a), ...attributes };
    }
    const base = this.#node(node.t ?? "*");
    return { ...base, ...attributes, ...zeroDefault(node, base) };
  }
}

function keyOf({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}/${kind}`;
}

function attributesOf(packed: PackedAttributes): Schema {
  const schema: Writable<Schema> = {};
  if (packed.d !== undefined) schema.default = packed.d;
  if (packed.e !== undefined) schema.enum = packed.e;
  if (packed.L !== undefined) schema.listType = packed.L;
  if (packed.K !== undefined) schema.listMapKeys = packed.K;
  if (packed.M !== undefined) schema.mapType = packed.M;
  if (packed.S !== undefined) schema.patchStrategy = packed.S;
  if (packed.G !== undefined) schema.patchMergeKey = packed.G;
  return schema;
}

function zeroDefault(packed: PackedAttributes, base: Schema): Schema {
  if (packed.z === undefined) return {};
  if (base.type === "boolean") return { default: false };
  return { default: base.type === "string" || base.type === undefined ? "" : 0 };
}

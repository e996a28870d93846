import type { JsonObject, JsonValue } from "../../src/json/index.ts";
import type { Target } from "../conformance/target.ts";

/** A schema as OpenAPI v3 writes it. */
export interface OpenApiSchema {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly JsonValue[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema | boolean;
  readonly allOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly $ref?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly "x-kubernetes-int-or-string"?: boolean;
  readonly "x-kubernetes-group-version-kind"?: readonly GroupVersionKind[];
}

interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

type Schemas = Readonly<Record<string, OpenApiSchema>>;

/** What the schemas that a server serves say about the fields of its kinds. */
export class OpenApi {
  readonly #target: Target;
  readonly #documents = new Map<string, Promise<Schemas>>();

  constructor(target: Target) {
    this.#target = target;
  }

  /** The schema of a built-in kind. */
  async kind(apiVersion: string, kind: string): Promise<KindSchema> {
    const path = apiVersion.includes("/") ? `apis/${apiVersion}` : `api/${apiVersion}`;
    const schemas = await this.#document(path);
    const group = apiVersion.includes("/") ? (apiVersion.split("/")[0] ?? "") : "";
    const version = apiVersion.split("/").at(-1);
    const found = Object.values(schemas).find((schema) =>
      schema["x-kubernetes-group-version-kind"]?.some(
        (each) => each.kind === kind && each.group === group && each.version === version,
      ),
    );
    if (found === undefined) throw new Error(`${path} has no schema of ${kind}`);
    return new KindSchema(found, schemas);
  }

  /** The schema of a definition, with the metadata that every object has. */
  async custom(schema: JsonObject): Promise<KindSchema> {
    const node = schema as OpenApiSchema;
    const metadata = {
      $ref: "#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta",
    };
    return new KindSchema(
      { ...node, properties: { ...node.properties, metadata } },
      await this.#document("api/v1"),
    );
  }

  #document(path: string): Promise<Schemas> {
    const document = this.#documents.get(path) ?? this.#read(path);
    this.#documents.set(path, document);
    return document;
  }

  async #read(path: string): Promise<Schemas> {
    const { status, text } = await this.#target.send({
      method: "GET",
      path: `/openapi/v3/${path}`,
      headers: { accept: "application/json" },
    });
    if (status !== 200) throw new Error(`/openapi/v3/${path}: ${status} ${text}`);
    return (JSON.parse(text) as { readonly components: { readonly schemas: Schemas } }).components
      .schemas;
  }
}

/** One node of a schema; references are followed when they are needed, as schemas may contain themselves. */
export class KindSchema {
  readonly node: OpenApiSchema;
  readonly #schemas: Schemas;

  constructor(node: OpenApiSchema, schemas: Schemas = {}) {
    this.#schemas = schemas;
    this.node = this.#resolve(node);
  }

  property(name: string): KindSchema | undefined {
    const found = this.node.properties?.[name];
    return found === undefined ? this.#additional() : this.#below(found);
  }

  properties(): readonly (readonly [name: string, schema: KindSchema])[] {
    return Object.entries(this.node.properties ?? {}).map(([name, each]) => [
      name,
      this.#below(each),
    ]);
  }

  items(): KindSchema | undefined {
    return this.node.items === undefined ? undefined : this.#below(this.node.items);
  }

  /** Whether it is a map with keys of the user's. */
  get isMap(): boolean {
    return this.node.additionalProperties !== undefined && this.node.properties === undefined;
  }

  #additional(): KindSchema | undefined {
    const { additionalProperties } = this.node;
    return typeof additionalProperties === "object" ? this.#below(additionalProperties) : undefined;
  }

  #below(node: OpenApiSchema): KindSchema {
    return new KindSchema(node, this.#schemas);
  }

  #resolve(node: OpenApiSchema): OpenApiSchema {
    const { $ref, allOf } = node;
    if ($ref !== undefined) {
      return this.#resolve(this.#schemas[$ref.slice($ref.lastIndexOf("/") + 1)] ?? {});
    }
    const [first] = allOf ?? [];
    return first?.$ref !== undefined && node.type === undefined ? this.#resolve(first) : node;
  }
}

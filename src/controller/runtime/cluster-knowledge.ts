import type {
  Cluster,
  ClusterView,
  KindView,
  ObjectKind,
  ResourceIndex,
} from "../../cluster/index.ts";
import { fieldAt } from "../../json/index.ts";
import { type KubernetesObject, splitApiVersion } from "../../objects/index.ts";
import { schemasOfDefinitions } from "../../observe/index.ts";
import { ruleBook, type RulesLookup } from "../../readiness/index.ts";
import { builtinSchemas, type Schema } from "../../schema/index.ts";

const definitionKind: ObjectKind = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
};
/** Discovery trails behind the definitions: a kind that is missing is looked for again after this. */
const lookAgainMs = 1_000;

/** What a cluster's definitions say of kinds: schemas, rules of readiness, scopes. */
export class ClusterKnowledge {
  readonly #cluster: Cluster;
  readonly #definitions: KindView;
  #resources: ResourceIndex | undefined;
  #lookedAt = 0;
  #rules: RulesLookup | undefined;
  #schemas: ReadonlyMap<string, Schema> | undefined;

  private constructor(cluster: Cluster, definitions: KindView) {
    this.#cluster = cluster;
    this.#definitions = definitions;
    definitions.subscribe(() => {
      this.#rules = undefined;
      this.#schemas = undefined;
      this.#resources = undefined;
      this.#lookedAt = 0;
    });
  }

  static async open(cluster: Cluster, view: ClusterView): Promise<ClusterKnowledge> {
    const definitions = view.use(definitionKind, { depth: withoutWords });
    await definitions.synced;
    return new ClusterKnowledge(cluster, definitions);
  }

  /** Told when a definition has come, gone or changed. */
  onChange(listener: () => void): void {
    this.#definitions.subscribe(listener);
  }

  /** What definitions say of when their instances are ready. */
  readonly rulesOf: RulesLookup = (group, kind) => {
    this.#rules ??= ruleBook([...this.#definitions.objects()]);
    return this.#rules(group, kind);
  };

  schemaOf(apiVersion: string, kind: string): Schema | undefined {
    const { group, version } = splitApiVersion(apiVersion);
    const builtin = builtinSchemas().get({ group, version, kind });
    if (builtin !== undefined) return builtin;
    this.#schemas ??= schemasOfDefinitions(this.#definitions.objects());
    return this.#schemas.get(`${apiVersion} ${kind}`);
  }

  /** Whether objects of a kind are in namespaces; undefined when the cluster does not serve it. */
  async isNamespaced({ apiVersion, kind }: ObjectKind): Promise<boolean | undefined> {
    const find = (index: ResourceIndex): boolean | undefined =>
      index.find({ apiVersion, kind })?.namespaced;
    this.#resources ??= await this.#cluster.resources();
    const found = find(this.#resources);
    if (found !== undefined || Date.now() - this.#lookedAt < lookAgainMs) return found;
    this.#lookedAt = Date.now();
    this.#resources = await this.#cluster.refreshResources();
    return find(this.#resources);
  }
}

/** Descriptions are most of a definition, and nobody here reads them. */
function withoutWords(definition: KubernetesObject): KubernetesObject {
  const { managedFields: _fields, ...metadata } = definition.metadata;
  const spec = withoutDescriptions(fieldAt(definition, "spec"));
  return { apiVersion: definition.apiVersion, kind: definition.kind, metadata, spec };
}

function withoutDescriptions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutDescriptions);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) =>
      key === "description" && typeof inner === "string" ? [] : [[key, withoutDescriptions(inner)]],
    ),
  );
}

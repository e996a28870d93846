import {
  type ApiResource,
  type Cluster,
  provesAbsence,
  type ResourceIndex,
} from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import {
  identityKey,
  type KubernetesObject,
  type ObjectIdentity,
  apiVersionOf,
} from "../objects/index.ts";
import { guessedPlural } from "./guessed-plural.ts";
import type { ObserveOptions } from "./observe-live.ts";

/** Of what is not there to be seen: what is certainly gone, and what nobody could tell. */
export interface Absence {
  /** How it is known that an object is gone, by identity key. */
  readonly absent: ReadonlyMap<string, string>;
  /** Why it is not known whether an object is there, by identity key. */
  readonly unchecked: ReadonlyMap<string, string>;
}

/** What proves that an object is gone; what was found after all is there. */
type Proof =
  | { readonly kind: "absent"; readonly how: string }
  | { readonly kind: "unchecked"; readonly why: string }
  | { readonly kind: "found"; readonly object: KubernetesObject };

const definitionGroup = "apiextensions.k8s.io";
const definitionKind = "CustomResourceDefinition";

/**
 * Asks for each object by its name. Neither a list without it nor a kind that nobody serves proves that
 * it is gone: the one may be cut, and the other comes back when the server of its group has started.
 */
export async function proveAbsence(
  cluster: Cluster,
  identities: readonly ObjectIdentity[],
  options: ObserveOptions,
): Promise<Absence & { readonly found: readonly KubernetesObject[] }> {
  const absent = new Map<string, string>();
  const unchecked = new Map<string, string>();
  const found: KubernetesObject[] = [];
  if (identities.length === 0) return { absent, unchecked, found };
  const resources = await cluster.resources();
  await Promise.all(
    identities.map(async (identity) => {
      const proof = await prove(cluster, resources, identity, options);
      if (proof.kind === "absent") absent.set(identityKey(identity), proof.how);
      else if (proof.kind === "unchecked") unchecked.set(identityKey(identity), proof.why);
      else found.push(proof.object);
    }),
  );
  return { absent, unchecked, found };
}

async function prove(
  cluster: Cluster,
  resources: ResourceIndex,
  identity: ObjectIdentity,
  options: ObserveOptions,
): Promise<Proof> {
  const { group, kind } = identity;
  const resource = resources.preferred(group, kind);
  if (resource !== undefined) return ask(cluster, resource, identity, options);
  if (resources.unavailableGroups.has(group))
    return {
      kind: "unchecked",
      why: `the server of ${group} does not answer, so nobody knows whether it is there`,
    };
  const kindName = group === "" ? kind : `${kind}.${group}`;
  if (options.forgetKinds?.includes(kindName) === true)
    return { kind: "absent", how: "nobody serves its kind, and --forget-kind gives it up" };
  if (await isDefinitionGone(cluster, resources, identity, options))
    return { kind: "absent", how: "it is gone with the definition of its kind" };
  return {
    kind: "unchecked",
    why: `the cluster does not serve ${kindName}, so nobody knows whether it is there; if its kind was removed, --forget-kind ${kindName} forgets it`,
  };
}

/** Reads past everything that was read before: only the answer to this name counts. */
async function ask(
  cluster: Cluster,
  resource: ApiResource,
  { kind, namespace, name }: ObjectIdentity,
  { signal }: ObserveOptions,
): Promise<Proof> {
  const reference = { apiVersion: apiVersionOf(resource), kind, namespace, name };
  try {
    return { kind: "found", object: await cluster.get(reference, { signal }) };
  } catch (error) {
    if (provesAbsence(error)) return { kind: "absent", how: "it is gone already" };
    if (!(error instanceof DiagnosticError)) throw error;
    const [first] = error.diagnostics;
    return { kind: "unchecked", why: first?.summary ?? error.message };
  }
}

/**
 * Whether the definition of a kind is gone, and with it all objects of the kind. Its name is known only
 * where the same inventory owns it: a run that was killed after it had deleted both leaves both behind.
 */
async function isDefinitionGone(
  cluster: Cluster,
  resources: ResourceIndex,
  { group, kind }: ObjectIdentity,
  options: ObserveOptions,
): Promise<boolean> {
  const name = `${guessedPlural(kind)}.${group}`;
  const definition = options.owned?.find(
    (each) => each.group === definitionGroup && each.kind === definitionKind && each.name === name,
  );
  const resource = resources.preferred(definitionGroup, definitionKind);
  if (definition === undefined || resource === undefined) return false;
  return (await ask(cluster, resource, definition, options)).kind === "absent";
}

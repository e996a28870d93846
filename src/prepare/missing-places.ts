import { type Cluster, isApiError } from "../cluster/index.ts";
import { isJsonObject } from "../json/index.ts";
import { formatIdentity, identityOf, type KubernetesObject } from "../objects/index.ts";
import { resourcesServing } from "../observe/index.ts";
import type { InvalidObject, Plan } from "../plan/index.ts";
import type { PlanContext } from "./plan-passes.ts";

/** Objects of kinds that nobody serves or defines. */
export async function unknownKinds(
  _plan: Plan,
  { options: { reads: cluster, desired: group } }: PlanContext,
): Promise<readonly InvalidObject[]> {
  const desired = group.objects;
  const defined = new Set(kindsOf(desired.map(({ object }) => object)));
  const resources = await resourcesServing(
    cluster,
    desired
      .map(({ object }) => ({ ...identityOf(object), apiVersion: object.apiVersion }))
      .filter(({ group, kind }) => !defined.has(`${group}/${kind}`) && !isOwnKind(group, kind)),
  );
  const unknown = desired.filter(({ object }) => {
    const { group, kind } = identityOf(object);
    return (
      resources.find(object) === undefined &&
      !defined.has(`${group}/${kind}`) &&
      !resources.unavailableGroups.has(group) &&
      !isOwnKind(group, kind)
    );
  });
  if (unknown.length === 0) return [];
  const established = await definedKinds(cluster);
  return unknown.flatMap((sourced): readonly InvalidObject[] => {
    const { object } = sourced;
    const identity = identityOf(object);
    const { group, kind } = identity;
    if (established.has(`${group}/${kind}`)) return [];
    const proposal = resources.proposal(object);
    return [
      {
        identities: [identity],
        diagnostic: {
          code: "cluster.unknown-kind",
          severity: "error",
          summary: `${formatIdentity(identity)}: the cluster does not serve ${kind} in ${object.apiVersion}, and no definition in the input makes it so`,
          hint:
            proposal === undefined
              ? "check apiVersion and kind, or add the CustomResourceDefinition to the input"
              : `did you mean ${proposal}?`,
          subject: formatIdentity(identity),
          source: sourced.sourceOf(["kind"]),
        },
      },
    ];
  });
}

/** A definition may be there a moment before the server tells of its kind. */
async function definedKinds(cluster: Cluster): Promise<ReadonlySet<string>> {
  try {
    const { items } = await cluster.list({
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
    });
    return new Set(kindsOf(items));
  } catch (error) {
    if (isApiError(error, "Forbidden")) return new Set();
    throw error;
  }
}

/** The kinds that definitions define, as `group/Kind`. */
function kindsOf(objects: readonly KubernetesObject[]): readonly string[] {
  return objects.flatMap(({ kind, spec }) => {
    if (kind !== "CustomResourceDefinition" || !isJsonObject(spec)) return [];
    const { group, names } = spec;
    const defines = isJsonObject(names) ? names["kind"] : undefined;
    return typeof group === "string" && typeof defines === "string" ? [`${group}/${defines}`] : [];
  });
}

/** Kinds that a run brings itself before it writes anything else. */
function isOwnKind(group: string, kind: string): boolean {
  return group === "keelson.dev" && kind === "Provisioned";
}

/** Objects in namespaces that nobody has or makes. */
export async function missingNamespaces(
  _plan: unknown,
  { options: { reads: cluster, desired: group } }: Pick<PlanContext, "options">,
): Promise<readonly InvalidObject[]> {
  const desired = group.objects;
  const made = new Set(
    desired.flatMap(({ object }) =>
      object.kind === "Namespace" && object.apiVersion === "v1" ? [object.metadata.name] : [],
    ),
  );
  const byNamespace = Map.groupBy(
    desired.filter(({ object }) => !made.has(object.metadata.namespace)),
    ({ object }) => object.metadata.namespace ?? "",
  );
  byNamespace.delete("");
  const found = await Promise.all(
    [...byNamespace].map(async ([name, objects]): Promise<readonly InvalidObject[]> => {
      const [first] = objects;
      if (first === undefined || (await mayExist(cluster, name))) return [];
      const more = objects.length > 1 ? `, and ${objects.length - 1} more objects` : "";
      return [
        {
          identities: objects.map(({ object }) => identityOf(object)),
          diagnostic: {
            code: "live.namespace-missing",
            severity: "error",
            summary: `the namespace ${name} of ${formatIdentity(identityOf(first.object))}${more} does not exist and is not in the input`,
            hint: `kubectl create namespace ${name}`,
            source: first.sourceOf(["metadata", "namespace"]),
          },
        },
      ];
    }),
  );
  return found.flat();
}

/** Whoever may not look at namespaces may still write into them. */
async function mayExist(cluster: Cluster, name: string): Promise<boolean> {
  try {
    return (await cluster.find({ apiVersion: "v1", kind: "Namespace", name })) !== undefined;
  } catch (error) {
    if (isApiError(error, "Forbidden")) return true;
    throw error;
  }
}

import type { KubernetesObject } from "../../objects/index.ts";
import type { ApiContext } from "../api/api-context.ts";
import { timestamp } from "../clock.ts";
import type { Controller } from "./controller.ts";
import { InternalClient } from "./internal-client.ts";

export const definitions = "apiextensions.k8s.io/customresourcedefinitions";
const cleanup = "customresourcecleanup.apiextensions.k8s.io";

interface Names {
  readonly plural: string;
  readonly singular?: string;
  readonly kind: string;
  readonly listKind?: string;
  readonly shortNames?: readonly string[];
}

/** Accepts the names of custom resource definitions, serves them, and cleans up when they go. */
export function definitionController(context: ApiContext): Controller {
  const client = new InternalClient(context, "kube-apiserver");
  return {
    name: "definition",
    keysOf: ({ resource, stored, type }) => {
      if (resource === definitions) {
        context.registry.setDefinition(stored.name, type === "DELETED" ? undefined : stored.object);
        // The names that a deleted definition held may be what another one waits for.
        return type === "DELETED" ? client.list(definitions).map(keyOf) : [stored];
      }
      return type === "DELETED" ? terminatingDefinitions(client, resource) : [];
    },
    reconcile: ({ name }) => {
      const definition = client.get(definitions, "", name);
      if (definition === undefined) return;
      if (definition.metadata.deletionTimestamp !== undefined) {
        removeInstances(context, client, definition);
        return;
      }
      if (!(definition.metadata.finalizers ?? []).includes(cleanup)) {
        client.update(definitions, "", name, (live) => ({
          ...live,
          metadata: {
            ...live.metadata,
            finalizers: [...(live.metadata.finalizers ?? []), cleanup],
          },
        }));
      }
      client.updateStatus(definitions, "", name, (live) =>
        establishedStatus(context, client, live),
      );
    },
  };
}

function keyOf({ metadata }: KubernetesObject): { namespace: string; name: string } {
  return { namespace: "", name: metadata.name ?? "" };
}

function terminatingDefinitions(
  client: InternalClient,
  resource: string,
): readonly { namespace: string; name: string }[] {
  return client
    .list(definitions)
    .filter(
      (definition) =>
        definition.metadata.deletionTimestamp !== undefined &&
        storageKeyOf(definition) === resource,
    )
    .map(keyOf);
}

function storageKeyOf(definition: KubernetesObject): string {
  const { group, names } = definition["spec"] as { group: string; names: Names };
  return `${group}/${names.plural}`;
}

function removeInstances(
  { store }: ApiContext,
  client: InternalClient,
  definition: KubernetesObject,
): void {
  const storageKey = storageKeyOf(definition);
  for (const { namespace, name, object } of store.list(storageKey)) {
    if (object.metadata.deletionTimestamp === undefined) client.delete(storageKey, namespace, name);
  }
  if (store.count(storageKey) > 0) return;
  client.update(definitions, "", definition.metadata.name ?? "", (live) => ({
    ...live,
    metadata: {
      ...live.metadata,
      finalizers: (live.metadata.finalizers ?? []).filter((finalizer) => finalizer !== cleanup),
    },
  }));
}

function establishedStatus(
  { clock }: ApiContext,
  client: InternalClient,
  definition: KubernetesObject,
): unknown {
  const spec = definition["spec"] as {
    group: string;
    names: Names;
    versions: readonly { name: string; storage: boolean }[];
  };
  const status = (definition["status"] ?? {}) as {
    conditions?: readonly Condition[];
    storedVersions?: readonly string[];
  };
  const taken = conflictingName(client, definition, spec);
  const now = timestamp(clock.now());
  const stored = spec.versions.filter(({ storage }) => storage).map(({ name }) => name);
  const versions = [...new Set([...(status.storedVersions ?? []), ...stored])];
  const conditions: readonly Condition[] =
    taken === undefined
      ? [
          {
            type: "NamesAccepted",
            status: "True",
            reason: "NoConflicts",
            message: "no conflicts found",
          },
          {
            type: "Established",
            status: "True",
            reason: "InitialNamesAccepted",
            message: "the initial names have been accepted",
          },
        ]
      : [
          { type: "NamesAccepted", status: "False", reason: taken.reason, message: taken.message },
          {
            type: "Established",
            status: "False",
            reason: "NotAccepted",
            message: "not all names are accepted",
          },
        ];
  return {
    conditions: conditions.map((condition) => withTime(condition, status.conditions, now)),
    acceptedNames: taken === undefined ? spec.names : { kind: "", plural: "" },
    storedVersions: versions,
  };
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
}

function withTime(
  condition: Condition,
  before: readonly Condition[] | undefined,
  now: string,
): Condition {
  const earlier = before?.find(
    ({ type, status }) => type === condition.type && status === condition.status,
  );
  return { ...condition, lastTransitionTime: earlier?.lastTransitionTime ?? now };
}

/** A name that an older definition of the same group already has. */
function conflictingName(
  client: InternalClient,
  definition: KubernetesObject,
  { group, names }: { readonly group: string; readonly names: Names },
): { readonly reason: string; readonly message: string } | undefined {
  for (const other of client.list(definitions)) {
    if (other.metadata.uid === definition.metadata.uid) continue;
    const spec = other["spec"] as { group: string };
    const accepted = (other["status"] as { acceptedNames?: Partial<Names> } | undefined)
      ?.acceptedNames;
    if (spec.group !== group || accepted === undefined) continue;
    if (accepted.kind === names.kind || accepted.listKind === names.kind) {
      return { reason: "KindConflict", message: `"${names.kind}" is already in use` };
    }
    const short = names.shortNames?.find((name) => accepted.shortNames?.includes(name));
    if (short !== undefined)
      return { reason: "ShortNamesConflict", message: `"${short}" is already in use` };
  }
  return undefined;
}

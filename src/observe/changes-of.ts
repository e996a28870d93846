import type { Cluster } from "../cluster/index.ts";
import type { JsonObject, JsonValue } from "../json/index.ts";
import { type FieldPath, type KubernetesObject, maskSecretsPair } from "../objects/index.ts";

/** What an apply would make of an object, by the server's own dry run, and what it is now; masked. */
export async function changesOf(
  cluster: Cluster,
  wanted: KubernetesObject,
  live: KubernetesObject | undefined,
  options: {
    readonly manager: string;
    readonly force: boolean;
    /** What is secret besides what Secrets hold. */
    readonly secret: readonly FieldPath[];
  },
): Promise<{ readonly before: JsonValue | undefined; readonly after: JsonValue }> {
  if (live === undefined) {
    const { after } = maskSecretsPair(undefined, wanted, options.secret);
    return { before: undefined, after: shown(after ?? wanted) };
  }
  const { object } = await cluster.apply(wanted, {
    fieldManager: options.manager,
    force: options.force,
    dryRun: true,
  });
  return changesBetween(live, object, options.secret);
}

/** An object before and after a change, as it may be shown; `secret` besides what Secrets hold. */
export function changesBetween(
  live: KubernetesObject,
  object: KubernetesObject,
  secret: readonly FieldPath[],
): { readonly before: JsonValue; readonly after: JsonValue } {
  const { before, after } = maskSecretsPair(live, object, secret);
  return { before: shown(before ?? live), after: shown(after ?? object) };
}

const uninteresting = [
  "managedFields",
  "resourceVersion",
  "generation",
  "uid",
  "creationTimestamp",
];

function shown({ metadata, status: _status, ...rest }: KubernetesObject): JsonObject {
  const kept = Object.fromEntries(
    Object.entries(metadata).filter(([key]) => !uninteresting.includes(key)),
  );
  return { ...rest, metadata: kept } as unknown as JsonObject;
}

import { type Cluster, isApiError } from "../cluster/index.ts";
import {
  formatIdentity,
  identityOf,
  type KubernetesObject,
  mutationAnnotation,
  type OwnerReference,
  type SourcedObject,
} from "../objects/index.ts";
import type { InvalidObject, Plan } from "../plan/index.ts";
import type { PlanContext } from "./plan-passes.ts";

type FoundOwner = KubernetesObject | "absent" | "unknown";

interface CheckedOwner {
  readonly reference: OwnerReference;
  readonly index: number;
  readonly live: FoundOwner;
  /** What is there under the same name in lower case. */
  readonly meant?: FoundOwner;
}

/**
 * Objects that garbage collection would delete as soon as they are written, because what they say
 * owns them is not there, or is another object of that name.
 */
export async function absentOwners(
  _plan: Plan,
  { options: { reads: cluster, desired: group } }: PlanContext,
): Promise<readonly InvalidObject[]> {
  const desired = group.objects;
  const owned = desired.filter(
    ({ object: { metadata } }) =>
      Array.isArray(metadata.ownerReferences) &&
      // What is filled in later may be just this uid.
      metadata.annotations?.[mutationAnnotation] === undefined,
  );
  const asked = new Map<string, Promise<FoundOwner>>();
  const find = (owner: OwnerReference, namespace: string): Promise<FoundOwner> => {
    const key = `${owner.apiVersion} ${owner.kind} ${namespace}/${owner.name}`;
    const known = asked.get(key) ?? findOwner(cluster, owner, namespace);
    asked.set(key, known);
    return known;
  };
  const found = await Promise.all(
    owned.map(async (sourced) => {
      const { metadata } = sourced.object;
      // An owner that is there keeps the object, whatever the others are.
      const owners = await Promise.all(
        (metadata.ownerReferences ?? []).map(async (reference, index): Promise<CheckedOwner> => {
          if (!isComplete(reference)) return { reference, index, live: "unknown" };
          const { namespace = "" } = metadata;
          const lower = { ...reference, name: reference.name.toLowerCase() };
          const live = await find(reference, namespace);
          // Names were once free to be in upper case.
          const isOtherName = live === "absent" && lower.name !== reference.name;
          return isOtherName
            ? { reference, index, live, meant: await find(lower, namespace) }
            : { reference, index, live };
        }),
      );
      const isKept = owners.some(
        ({ reference, live }) =>
          live === "unknown" || (live !== "absent" && live.metadata.uid === reference.uid),
      );
      return isKept ? [] : owners.map((owner) => absentOwner(sourced, owner));
    }),
  );
  return found.flat();
}

function isComplete({ apiVersion, kind, name, uid }: OwnerReference): boolean {
  return [apiVersion, kind, name, uid].every((part: unknown) => typeof part === "string");
}

async function findOwner(
  cluster: Cluster,
  { apiVersion, kind, name }: OwnerReference,
  namespace: string,
): Promise<FoundOwner> {
  const resource = (await cluster.resources()).find({ apiVersion, kind });
  if (resource === undefined) return "unknown";
  const place = resource.namespaced ? { namespace } : {};
  try {
    return (await cluster.find({ apiVersion, kind, name, ...place })) ?? "absent";
  } catch (error) {
    if (isApiError(error)) return "unknown";
    throw error;
  }
}

function absentOwner(
  { object, sourceOf }: SourcedObject,
  { reference: { kind, name, uid }, index, live, meant }: CheckedOwner,
): InvalidObject {
  const identity = identityOf(object);
  const subject = formatIdentity(identity);
  const liveUid = uidOf(live);
  const meantUid = uidOf(meant);
  const what =
    liveUid === undefined
      ? `${kind} ${name}, which is not in the cluster`
      : `${kind} ${name} with the uid ${uid}; the one in the cluster has another uid`;
  return {
    identities: [identity],
    diagnostic: {
      code: "live.absent-owner",
      severity: "error",
      summary: `${subject} says that it belongs to ${what}: garbage collection would delete it as soon as it is there`,
      hint:
        liveUid === undefined && meantUid !== undefined
          ? `Write \`name: ${name.toLowerCase()}\` and \`uid: ${meantUid}\`.`
          : liveUid === undefined
            ? "Apply the owner first, then write the uid that the cluster gave it; or leave ownerReferences out."
            : `Write \`uid: ${liveUid}\`.`,
      subject,
      source: sourceOf([
        "metadata",
        "ownerReferences",
        index,
        liveUid === undefined ? "name" : "uid",
      ]),
    },
  };
}

function uidOf(found: FoundOwner | undefined): string | undefined {
  return typeof found === "object" ? found.metadata.uid : undefined;
}

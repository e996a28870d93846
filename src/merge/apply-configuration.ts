import type { ManagedFieldsEntry } from "../objects/index.ts";
import type { JsonObject } from "../json/index.ts";
import { type AppliedFields, applyFields, updateFields } from "./assign-fields.ts";
import { checkTyped } from "./check-typed.ts";
import { type Conflict, formatConflicts } from "./conflicts.ts";
import { decodeOwners, encodeOwners, type FieldOwners } from "./field-owners.ts";
import { lastAppliedFields, withLastApplied } from "./last-applied.ts";
import type { VersionedKind } from "./object-versions.ts";
import { typeNodeOf } from "./type-node.ts";
import {
  managedFieldsOf,
  metadataOf,
  stripIdentity,
  withManagedFields,
  withoutManagedFields,
  fieldWriter,
} from "./written-object.ts";

export interface ApplyRequest extends VersionedKind {
  /**
   * The stored object, in the version of the request. For a new object what the server starts from:
   * the kind with nothing set.
   */
  readonly live: JsonObject;
  /** An object of this kind with nothing set; what `live` is compared with before the first apply. */
  readonly empty: JsonObject;
  /** The configuration as it was sent. */
  readonly applied: JsonObject;
  readonly manager: string;
  readonly subresource?: string;
  readonly force?: boolean;
  /** The time of the request, such as `2026-01-02T03:04:05Z`. */
  readonly now: string;
}

export type ConfigurationResult =
  | {
      readonly kind: "applied";
      /** With its managedFields; not yet defaulted. */
      readonly object: JsonObject;
      readonly managedFields: readonly ManagedFieldsEntry[];
      /** False when nothing but managedFields may have changed. */
      readonly changed: boolean;
    }
  | {
      readonly kind: "conflicts";
      readonly conflicts: readonly Conflict[];
      /** `Apply failed with 1 conflict: conflict with "kubectl" using apps/v1: .spec.replicas` */
      readonly message: string;
    }
  /** The configuration is not of the schema, or the live managedFields cannot be read. */
  | { readonly kind: "invalid"; readonly message: string };

/** Server-side apply of one configuration to one object, as the API server does it. */
export function applyConfiguration(request: ApplyRequest): ConfigurationResult {
  const { applied, apiVersion } = request;
  if ((metadataOf(applied)["managedFields"] ?? undefined) !== undefined) {
    return { kind: "invalid", message: "metadata.managedFields must be nil" };
  }
  const problems = checkTyped(typeNodeOf(request.schema), applied);
  if (problems.length > 0) {
    return { kind: "invalid", message: problemMessage(request, problems) };
  }
  const owners = decodeOwners(managedFieldsOf(request.live));
  if (typeof owners === "string") {
    return { kind: "invalid", message: `failed to decode managed fields: ${owners}` };
  }
  const live = withoutManagedFields(request.live);
  const tracked = owners.size === 0 ? trackExisting(request, live) : owners;
  const outcome = applyOnce(request, live, tracked, request.force === true);
  if (outcome.kind === "applied") return finish(request, live, outcome);
  if (request.manager !== "kubectl") return refused(outcome.conflicts);
  const takeable = lastAppliedFields(typeNodeOf(request.schema), live, apiVersion);
  if (takeable === undefined) return refused(outcome.conflicts);
  const conflicts = outcome.conflicts.filter((conflict) => !takeable.has(conflict.path));
  if (conflicts.length > 0) return refused(conflicts);
  const forced = applyOnce(request, live, tracked, true);
  return forced.kind === "applied" ? finish(request, live, forced) : refused(forced.conflicts);
}

/** What was there before anybody applied belongs to one updater of that name. */
function trackExisting(request: ApplyRequest, live: JsonObject): FieldOwners {
  const { apiVersion, subresource, now } = request;
  const writer = fieldWriter("before-first-apply", "Update", apiVersion, subresource);
  const owners = updateFields(request, request.empty, live, new Map(), writer);
  stripIdentity(owners, writer.key);
  const owner = owners.get(writer.key);
  if (owner !== undefined) owners.set(writer.key, { ...owner, time: now });
  return owners;
}

function applyOnce(
  request: ApplyRequest,
  live: JsonObject,
  owners: FieldOwners,
  force: boolean,
): AppliedFields {
  const writer = fieldWriter(request.manager, "Apply", request.apiVersion, request.subresource);
  const outcome = applyFields(request, live, request.applied, owners, writer, force);
  if (outcome.kind === "conflicts") return outcome;
  stripIdentity(outcome.owners, writer.key);
  const owner = outcome.owners.get(writer.key);
  if (owner === undefined) return outcome;
  // Most applies mention what the last one did; the same set need not be encoded again.
  const last = owners.get(writer.key);
  const set = last?.set.equals(owner.set) === true ? last.set : owner.set;
  const time = outcome.object === undefined ? {} : { time: request.now };
  outcome.owners.set(writer.key, { ...owner, set, ...time });
  return outcome;
}

function finish(
  request: ApplyRequest,
  live: JsonObject,
  outcome: AppliedFields & { readonly kind: "applied" },
): ConfigurationResult {
  const changed = outcome.object !== undefined;
  const object = outcome.object ?? live;
  const written = request.manager === "kubectl" ? withLastApplied(object, request.applied) : object;
  const entries = encodeOwners(outcome.owners);
  return {
    kind: "applied",
    object: withManagedFields(written, entries),
    managedFields: entries ?? [],
    changed: changed || written !== object,
  };
}

function refused(conflicts: readonly Conflict[]): ConfigurationResult {
  return { kind: "conflicts", conflicts, message: formatConflicts(conflicts) };
}

function problemMessage(
  { applied, apiVersion }: ApplyRequest,
  problems: readonly string[],
): string {
  const { namespace, name } = metadataOf(applied);
  const version = apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
  const subject = `${text(namespace)}/${text(name)}; ${version}, Kind=${text(applied["kind"])}`;
  const [only] = problems;
  const list =
    problems.length === 1 ? only : ["errors:", ...problems.map((each) => `  ${each}`)].join("\n");
  return `failed to create typed patch object (${subject}): ${list}`;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

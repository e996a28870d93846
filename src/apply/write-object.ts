import { refusalCause } from "../causes/index.ts";
import { canBeCreated } from "../prepare/index.ts";
import { type ApiError, type Cluster, isApiError } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import { type KubernetesObject, maskFilledText } from "../objects/index.ts";
import { isLeftAsItIs } from "../plan/index.ts";
import { deleteLive } from "./remove-object.ts";
import { takeOverFields } from "./take-over-fields.ts";

export interface WriteObjectOptions {
  readonly cluster: Cluster;
  readonly manager: string;
  /** Takes fields over that other managers own. */
  readonly force: boolean;
  /** Whether the live object must make place for a new one, because it cannot be changed. */
  readonly replaces?: boolean | undefined;
  /** Whether only nobody's name may be taken: where the object exists unseen, that is a conflict. */
  readonly createsOnly?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told once, when the write is still tried again after a second: why. */
  readonly onRetry?: ((cause: DiagnosticError) => void) | undefined;
}

/** What one step of writing came to. */
export type WrittenObject =
  | {
      readonly kind: "written";
      readonly object: KubernetesObject;
      readonly change: "created" | "configured" | "unchanged";
    }
  /** It is being deleted, to be created anew when it is gone. */
  | {
      readonly kind: "deleted";
      readonly live: KubernetesObject;
      /** The server's answer; undefined when the object is gone. */
      readonly object: KubernetesObject | undefined;
      /** What the server held against changing it in place. */
      readonly refusal: DiagnosticError;
    };

/**
 * Writes one object, for every driver: fields that client-side `kubectl apply` left are taken over, and
 * an object whose fields cannot change is deleted where its annotation asks for that.
 */
export async function writeObject(
  object: KubernetesObject,
  live: KubernetesObject | undefined,
  options: WriteObjectOptions,
): Promise<WrittenObject> {
  const { cluster, manager: fieldManager, force, signal, onRetry } = options;
  if (live !== undefined && isLeftAsItIs(object, live))
    return { kind: "written", object: live, change: "unchanged" };
  if (live !== undefined && options.replaces === true) return replace(object, live, options);
  if (live !== undefined) await takeOverFields(cluster, live, fieldManager);
  try {
    const createOnly = live === undefined && options.createsOnly === true;
    const result = await cluster.apply(object, {
      fieldManager,
      force,
      createOnly,
      signal,
      onRetry,
    });
    // Sent twice because the first answer was lost, the second one says that it was there already.
    if (result.created || live === undefined)
      return { kind: "written", object: result.object, change: "created" };
    const isSame = result.object.metadata.resourceVersion === live.metadata.resourceVersion;
    const change = isSame ? "unchanged" : "configured";
    return { kind: "written", object: result.object, change };
  } catch (error) {
    if (live === undefined || !wantsRecreation(object) || !isApiError(error, "Invalid"))
      throw error;
    return replace(object, live, options, error);
  }
}

function wantsRecreation({ metadata }: KubernetesObject): boolean {
  return metadata.annotations?.["keelson.dev/on-immutable"] === "recreate";
}

/** Deletes an object whose fields cannot change, once it is sure that the new one can be created. */
async function replace(
  object: KubernetesObject,
  live: KubernetesObject,
  { cluster, manager, signal, onRetry }: WriteObjectOptions,
  refused?: ApiError,
): Promise<WrittenObject> {
  const refusal = refused ?? cannotBeReplaced();
  if (!(await canBeCreated(cluster, object, manager))) throw refusal;
  const removed = await deleteLive(cluster, live, {
    propagationPolicy: "Foreground",
    signal,
    onRetry,
  });
  return {
    kind: "deleted",
    live,
    object: removed.kind === "deleting" ? removed.object : undefined,
    refusal,
  };
}

function cannotBeReplaced(): DiagnosticError {
  return new DiagnosticError([
    {
      code: "program.not-replaced",
      severity: "error",
      summary: "it must be replaced, and the new one cannot be created or the old one does not go",
      hint: "kubectl describe shows what the server holds against it, or which finalizers hold it",
    },
  ]);
}

/**
 * Why a write failed, for a person: what the server said and what to do. Its words quote values; those
 * that were filled in from Secrets are not shown.
 */
export function describeRefusal(
  error: DiagnosticError,
  { sent, live, conflictHint }: RefusedWrite,
): string {
  const [first] = error.diagnostics;
  const isFixed = live !== undefined && isApiError(error, "Invalid");
  const immutableHint =
    "if the field cannot be changed, the annotation keelson.dev/on-immutable: recreate lets it be made anew";
  const hint =
    isApiError(error, "Conflict") && conflictHint !== undefined
      ? conflictHint
      : (first?.hint ?? (isFixed ? immutableHint : undefined));
  const server = [first?.summary ?? error.message, first?.detail].join("; ");
  const said = [refusalCause(server)?.summary, first?.summary ?? error.message, first?.detail, hint]
    .filter((part) => part !== undefined && part !== "")
    .join("; ");
  return maskFilledText(said, sent);
}

export interface RefusedWrite {
  /** The object as it was sent; undefined when it was not. */
  readonly sent: KubernetesObject | undefined;
  readonly live: KubernetesObject | undefined;
  readonly conflictHint?: string | undefined;
}

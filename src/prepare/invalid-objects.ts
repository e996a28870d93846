import { type ApiError, isApiError, isNotFound } from "../cluster/index.ts";
import { type Diagnostic, DiagnosticError } from "../diagnostics/index.ts";
import { formatIdentity, type KubernetesObject } from "../objects/index.ts";
import { diagnosePlan, type InvalidObject, type Plan, type SuspectObject } from "../plan/index.ts";
import type { PrepareOptions } from "./observe-group.ts";
import type { PlanContext } from "./plan-passes.ts";

/**
 * What the server holds against objects that are about to be written. What is known here finds suspects and
 * explains; before one is refused, the server is asked, and its answer counts.
 */
export async function invalidObjects(
  plan: Plan,
  { options, observed, desired }: PlanContext,
): Promise<readonly InvalidObject[]> {
  const suspects = diagnosePlan(plan, desired, observed.schemaOf);
  const found = await Promise.all(
    suspects.map(async (suspect) => {
      const { identity } = suspect.node;
      const diagnostics = await heldAgainst(options, suspect);
      return diagnostics.map((diagnostic) => ({ identities: [identity], diagnostic }));
    }),
  );
  return found.flat();
}

async function heldAgainst(
  options: PrepareOptions,
  suspect: SuspectObject,
): Promise<readonly Diagnostic[]> {
  const { node, diagnostics, sure, isComplete } = suspect;
  const answer = isComplete || sure.length === 0 ? await ask(options, node.object) : "unknown";
  if (answer === "taken") return [];
  if (answer === "unknown") return sure;
  const causes = answer.status.details?.causes ?? [];
  const confirmed = diagnostics.filter(({ summary }) =>
    causes.some(({ field }) => field !== undefined && summary.includes(field)),
  );
  // Without causes it is a matter of how the object is written, which is told here with its place.
  if (confirmed.length > 0 || causes.length === 0)
    return causes.length === 0 ? diagnostics : confirmed;
  // A change that the server does not allow for other reasons is somebody else's business.
  return node.live === undefined ? [answer.toDiagnostic(formatIdentity(node.identity))] : [];
}

/** Sends an object as a dry run; where its namespace is part of this run, into another one. */
async function ask(
  { reads: cluster, manager, group }: PrepareOptions,
  object: KubernetesObject,
): Promise<"taken" | "unknown" | ApiError> {
  const { namespace } = object.metadata;
  const places =
    namespace === undefined
      ? [undefined]
      : [...new Set([namespace, group.namespace, cluster.namespace])];
  for (const place of places) {
    const { namespace: _own, ...rest } = object.metadata;
    const metadata = place === undefined ? rest : { ...rest, namespace: place };
    try {
      await cluster.apply(
        { ...object, metadata },
        { fieldManager: manager, dryRun: true, force: true },
      );
      return "taken";
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      if (isRefusal(error)) return error;
      // A dry run may not be allowed, or its kind be part of this run: nobody knows.
      if (!isNotFound(error)) return "unknown";
    }
  }
  return "unknown";
}

/** Unknown fields in an apply are an internal error to the server. */
function isRefusal(error: DiagnosticError): error is ApiError {
  if (!isApiError(error)) return false;
  const { code, reason } = error.status;
  return reason !== "NotFound" && reason !== "Forbidden" && code <= 500 && code !== 429;
}

import type { Diagnostic } from "../diagnostics/index.ts";
import { formatIdentity, type KubernetesObject } from "../objects/index.ts";
import { diagnosePlan, type InvalidObject, type Plan, type SuspectObject } from "../plan/index.ts";
import { askServer, type ServerAnswer } from "./ask-server.ts";
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

/** Asks the server; where the namespace of an object is part of this run, in another one. */
async function ask(
  { reads: cluster, manager, group }: PrepareOptions,
  object: KubernetesObject,
): Promise<Exclude<ServerAnswer, "missing">> {
  const { namespace } = object.metadata;
  const places =
    namespace === undefined
      ? [undefined]
      : [...new Set([namespace, group.namespace, cluster.namespace])];
  for (const place of places) {
    const { namespace: _own, ...rest } = object.metadata;
    const metadata = place === undefined ? rest : { ...rest, namespace: place };
    const answer = await askServer(cluster, { ...object, metadata }, manager);
    if (answer !== "missing") return answer;
  }
  return "unknown";
}

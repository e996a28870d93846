import { DiagnosticError } from "../diagnostics/index.ts";
import {
  type InvalidObject,
  isRecordIdentity,
  type Plan,
  type PlanNode,
  recordOfObject,
} from "../plan/index.ts";
import type { PlanContext } from "./plan-passes.ts";

/**
 * What is going to need a provider that is not there, or cannot be loaded. It would only be found in the
 * middle of the run otherwise; a provider that nothing needs may be missing.
 */
export async function missingProviders(
  { nodes }: Plan,
  { options }: PlanContext,
): Promise<readonly InvalidObject[]> {
  const { program } = options.desired;
  if (program === undefined) return [];
  const needing = Map.groupBy(nodes.values(), neededProvider);
  const found = await Promise.all(
    [...needing].map(async ([name, those]): Promise<readonly InvalidObject[]> => {
      if (name === undefined) return [];
      try {
        await program.providers.provider(name, options.signal);
        return [];
      } catch (error) {
        if (!(error instanceof DiagnosticError)) throw error;
        const identities = those.map(({ identity }) => identity);
        const [source] = those.flatMap((node) =>
          node.kind === "apply" ? (node.resource?.source ?? []) : [],
        );
        return error.diagnostics.map((diagnostic) => ({
          identities,
          diagnostic: { source, ...diagnostic },
        }));
      }
    }),
  );
  return found.flat();
}

function neededProvider(node: PlanNode): string | undefined {
  if (!isRecordIdentity(node.identity)) return undefined;
  if (node.kind === "apply") {
    const isWritten = node.action === "create" || node.action === "update";
    return isWritten ? recordOfObject(node.object)?.spec.provider : undefined;
  }
  const record = node.live === undefined ? undefined : recordOfObject(node.live);
  const isDeleted = node.action === "delete" && record?.spec.deletionPolicy !== "retain";
  return isDeleted && record?.status?.id !== undefined ? record.spec.provider : undefined;
}

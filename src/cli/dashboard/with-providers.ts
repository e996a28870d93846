import { projectProviders } from "../commands/project/program-providers.ts";
import type { CliContext } from "../context.ts";
import type { ClusterActionsOptions } from "./cluster-actions.ts";

/** The providers of a project, for as long as something is deleted; none without a source. */
export function withProviders(
  context: CliContext,
  input: string | undefined,
): ClusterActionsOptions["withProviders"] {
  return async (run) => {
    if (input === undefined) return run(undefined);
    const providers = await projectProviders(context, input);
    try {
      return await run(providers);
    } finally {
      await providers.close();
    }
  };
}

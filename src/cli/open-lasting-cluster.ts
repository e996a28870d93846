import { join } from "node:path";
import { shellWord } from "../diagnostics/index.ts";
import type { ClusterFlags } from "./cluster-flags.ts";
import type { CliContext } from "./context.ts";
import { report } from "./report.ts";
import { writeKubeconfig } from "./write-kubeconfig.ts";
import { type OpenedCluster, openCluster, usesSandbox } from "./open-cluster.ts";

/**
 * The API for a command that runs until it is stopped. A sandbox that nobody serves is served by it, so
 * that other commands can use it meanwhile.
 */
export async function openLastingCluster(
  context: CliContext,
  flags: ClusterFlags,
  options: { readonly allowProcesses?: boolean } = {},
): Promise<OpenedCluster & { readonly end: () => Promise<void> }> {
  if (!(await usesSandbox(context, flags)))
    return { ...(await openCluster(context, flags)), end: () => Promise.resolve() };
  const { defaultDataFolder, isServed, serveSandbox } = await import("../sandbox/index.ts");
  const folder = defaultDataFolder(context.process.env);
  const served = isServed(folder)
    ? undefined
    : await serveSandbox({
        folder,
        ...options,
        onProblem: (diagnostics) => {
          report(context, diagnostics, "text");
        },
      });
  const kubeconfig = join(folder, "kubeconfig");
  if (served !== undefined) await writeKubeconfig(kubeconfig, served);
  const opened = await openCluster(context, { ...flags, sandbox: true });
  return {
    ...opened,
    description: `${opened.description}, for kubectl: export KUBECONFIG=${shellWord(kubeconfig)}`,
    end: async () => {
      await served?.close();
    },
  };
}

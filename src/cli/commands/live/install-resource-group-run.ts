import { ensureGroupDefinition } from "../../../inventory/index.ts";
import type { ClusterFlags } from "../../cluster-flags.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { openCluster, sayCluster } from "../../open-cluster.ts";

const outcomes = {
  current: "the kind ResourceGroup is installed",
  older: "the kind ResourceGroup is there in an older version, which this account may not update",
  newer: "the kind ResourceGroup is there in a version of a newer Keelson, and stays",
} as const;

export const runInstallGroup: CommandHandler<ClusterFlags, []> = async (context, flags) => {
  const opened = await openCluster(context, flags);
  sayCluster(context, {}, opened);
  try {
    const outcome = await ensureGroupDefinition(opened.cluster);
    context.process.stdout.write(`${outcomes[outcome]}\n`);
    return exitCode.success;
  } finally {
    await opened.cluster.close();
  }
};

import { fail } from "../../../diagnostics/index.ts";
import { isProvisionedObject, recordOfObject } from "../../../plan/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { tableLines } from "../../views/table-lines.ts";
import { projectGroup } from "../../../engine/index.ts";
import { openProject } from "./open-project.ts";
import { lookingContext, projectProviders } from "./program-providers.ts";
import { findRecorded, loadRecorded } from "./recorded.ts";
import type { StatsFlags } from "./stats.ts";

export const runStats: CommandHandler<StatsFlags, [string]> = async (context, flags, text) => {
  const { project, opened } = await openProject(context, flags, flags.source);
  const providers = await projectProviders(context, flags.source);
  const { stdout } = context.process;
  try {
    const recorded = await loadRecorded(opened.cluster, projectGroup(project, opened.namespace));
    const resource = findRecorded(recorded, text);
    const record = isProvisionedObject(resource.object)
      ? recordOfObject(resource.object)
      : undefined;
    const { id } = record?.status ?? {};
    const provider =
      record === undefined ? undefined : await providers.provider(record.spec.provider);
    if (record === undefined || id === undefined || provider?.fetchStats === undefined)
      return fail({
        code: "program.no-stats",
        summary: `${resource.name} has no numbers: nobody counts for it`,
      });
    const about = { type: record.spec.type, name: resource.name };
    const signal = new AbortController().signal;
    const stats = await provider.fetchStats(id, lookingContext(context, about, signal));
    if (flags.output === "json") {
      for (const stat of stats)
        stdout.write(`${JSON.stringify({ type: "stat", resource: resource.name, ...stat })}\n`);
    } else {
      const rows = stats.map(({ name, unit, points }) => [
        name,
        String(points.at(-1)?.value ?? ""),
        unit,
      ]);
      for (const line of tableLines([["NAME", "VALUE", "UNIT"], ...rows]))
        stdout.write(`${line}\n`);
    }
    return exitCode.success;
  } finally {
    await providers.close();
    await opened.cluster.close();
  }
};

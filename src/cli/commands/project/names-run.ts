import { formatIdentity } from "../../../objects/index.ts";
import { authoritativeId, isProvisionedObject, recordOfObject } from "../../../plan/index.ts";
import type { RecordedResource } from "../../../observe/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { tableLines } from "../../views/table-lines.ts";
import { projectGroup } from "../../../engine/index.ts";
import type { NamesFlags } from "./names.ts";
import { openProject } from "./open-project.ts";
import { loadRecorded } from "./recorded.ts";

export const runNames: CommandHandler<NamesFlags, [string]> = async (context, flags, input) => {
  const { project, opened } = await openProject(context, flags, input);
  const { stdout } = context.process;
  try {
    const recorded = await loadRecorded(opened.cluster, projectGroup(project, opened.namespace));
    const all = [...recorded.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
    if (flags.output === "json") {
      for (const each of all) {
        const { name, identity: object } = each;
        stdout.write(`${JSON.stringify({ name, id: authoritativeId(each.object), object })}\n`);
      }
      return exitCode.success;
    }
    if (all.length === 0) stdout.write("there are no resources yet\n");
    const rows = all.map((each) => [each.name, authoritativeId(each.object), whatItIs(each)]);
    if (rows.length > 0)
      for (const line of tableLines([["NAME", "ID", "WHAT"], ...rows])) stdout.write(`${line}\n`);
    return exitCode.success;
  } finally {
    await opened.cluster.close();
  }
};

function whatItIs({ object, identity }: RecordedResource): string {
  if (!isProvisionedObject(object)) return formatIdentity(identity);
  return recordOfObject(object)?.spec.type ?? "";
}

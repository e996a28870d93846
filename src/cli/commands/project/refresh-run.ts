import { changedKeys } from "../../../json/index.ts";
import { saveRecord } from "../../../apply/index.ts";
import { withSecrets } from "../../../prepare/index.ts";
import { DiagnosticError } from "../../../diagnostics/index.ts";
import type { RecordedResource } from "../../../observe/index.ts";
import {
  isProvisionedObject,
  type ProvisionedStatus,
  recordOfObject,
} from "../../../plan/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { projectGroup } from "../../../engine/index.ts";
import { openProject } from "./open-project.ts";
import { lookingContext, projectProviders } from "./program-providers.ts";
import { loadRecorded } from "./recorded.ts";
import type { RefreshFlags } from "./refresh.ts";

export const runRefresh: CommandHandler<RefreshFlags, [string]> = async (context, flags, input) => {
  const { project, opened } = await openProject(context, flags, input);
  const { cluster } = opened;
  const { stdout } = context.process;
  const providers = await projectProviders(context, input);
  const tell = (name: string, status: string, message: string): void => {
    stdout.write(
      flags.output === "json"
        ? `${JSON.stringify({ type: "refresh", resource: name, status, message })}\n`
        : `${name}: ${message}\n`,
    );
  };
  let hasFailed = false;
  let hasChanged = false;
  const look = async ({ name, object }: RecordedResource): Promise<void> => {
    const whole = await withSecrets(cluster, object);
    const record = recordOfObject(whole);
    const status = record?.status;
    if (record === undefined || status?.id === undefined) return;
    const provider = await providers.provider(record.spec.provider);
    const { type } = record.spec;
    const signal = new AbortController().signal;
    const found = await provider.read(
      status.id,
      lookingContext(context, { type, name, outputs: status.outputs }, signal),
    );
    const next = afterReading(status, found);
    if (next === undefined) return;
    tell(name, found === undefined ? "gone" : "changed", next.message ?? "its outputs changed");
    hasChanged = true;
    const { message: _message, ...kept } = next;
    if (!flags.dryRun) await saveRecord(cluster, whole, { spec: record.spec, status: kept });
  };
  try {
    const recorded = await loadRecorded(cluster, projectGroup(project, opened.namespace));
    for (const resource of recorded.values()) {
      if (!isProvisionedObject(resource.object)) continue;
      try {
        await look(resource);
      } catch (error) {
        if (!(error instanceof DiagnosticError)) throw error;
        // What cannot be reached is not gone.
        hasFailed = true;
        tell(resource.name, "unreachable", error.diagnostics[0]?.summary ?? error.message);
      }
    }
    if (!hasFailed && !hasChanged && flags.output !== "json")
      stdout.write("nothing has changed outside\n");
    return hasFailed ? exitCode.failed : exitCode.success;
  } finally {
    await providers.close();
    await cluster.close();
  }
};

/** The record after a look; undefined when nothing changed. */
function afterReading(
  status: ProvisionedStatus,
  found: ProvisionedStatus["outputs"],
): ProvisionedStatus | undefined {
  if (found === undefined)
    return {
      phase: "Failed",
      ...(status.replaced === undefined ? {} : { replaced: status.replaced }),
      message: "it is gone; the next apply makes it again",
    };
  const changed = changedKeys(status.outputs ?? {}, found);
  return changed.length === 0
    ? undefined
    : {
        ...status,
        outputs: found,
        drifted: [...new Set([...(status.drifted ?? []), ...changed])],
        message: `changed outside: ${changed.join(", ")}`,
      };
}

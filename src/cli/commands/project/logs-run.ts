import type { Cluster } from "../../../cluster/index.ts";
import { fail } from "../../../diagnostics/index.ts";
import type { RecordedResource } from "../../../observe/index.ts";
import { isProvisionedObject, recordOfObject } from "../../../plan/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { stopOnInterrupt } from "../../stop-on-interrupt.ts";
import { projectGroup } from "./load-project.ts";
import type { LogsFlags } from "./logs.ts";
import { openProject } from "./open-project.ts";
import { podsOf } from "./pods-of.ts";
import { lookingContext, projectProviders } from "./program-providers.ts";
import { findRecorded, loadRecorded } from "./recorded.ts";

export const runLogs: CommandHandler<LogsFlags, [string]> = async (context, flags, text) => {
  const { project, opened } = await openProject(context, flags, flags.source);
  const { cluster } = opened;
  const providers = await projectProviders(context, flags.source);
  const interrupt = stopOnInterrupt();
  const { stdout } = context.process;
  const print = (from: string, line: string): void => {
    stdout.write(
      flags.output === "json"
        ? `${JSON.stringify({ type: "log", resource: from, message: line })}\n`
        : `${line}\n`,
    );
  };
  try {
    const recorded = await loadRecorded(cluster, projectGroup(project, opened.namespace));
    const resource = findRecorded(recorded, text);
    if (!isProvisionedObject(resource.object)) {
      await podLogs(cluster, resource, flags, interrupt.signal, print);
      return exitCode.success;
    }
    const record = recordOfObject(resource.object);
    const { id } = record?.status ?? {};
    const provider =
      record === undefined ? undefined : await providers.provider(record.spec.provider);
    if (record === undefined || id === undefined || provider?.fetchLog === undefined)
      return fail({
        code: "program.no-log",
        summary: `${resource.name} has no log: its provider fetches none`,
      });
    const sinceMs = flags.since === undefined ? undefined : Date.now() - flags.since;
    const about = { type: record.spec.type, name: resource.name };
    const lines = provider.fetchLog(
      id,
      { follow: flags.follow, sinceMs },
      lookingContext(context, about, interrupt.signal),
    );
    for await (const line of lines) print(resource.name, line.text);
    return exitCode.success;
  } finally {
    interrupt.release();
    await providers.close();
    await cluster.close();
  }
};

async function podLogs(
  cluster: Cluster,
  { object, name }: RecordedResource,
  { follow, since }: LogsFlags,
  signal: AbortSignal,
  print: (from: string, line: string) => void,
): Promise<void> {
  const pods = await podsOf(cluster, object);
  if (pods.length === 0)
    fail({ code: "program.no-log", summary: `${name} has no pods, so it has no log` });
  await Promise.all(
    pods.map(async ({ metadata }) => {
      const { namespace, name: pod = "" } = metadata;
      const options = {
        follow,
        signal,
        ...(since === undefined ? {} : { sinceSeconds: Math.ceil(since / 1000) }),
      };
      const prefix = pods.length > 1 ? `${pod} │ ` : "";
      for await (const line of cluster.logs({ namespace, name: pod }, options))
        print(pod, `${prefix}${line}`);
    }),
  );
}

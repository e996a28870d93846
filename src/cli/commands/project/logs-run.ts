import type { Cluster } from "../../../cluster/index.ts";
import { containerRuns } from "../../../devloop/index.ts";
import { fail } from "../../../diagnostics/index.ts";
import type { ProviderHost } from "../../../providers/index.ts";
import type { KubernetesObject } from "../../../objects/index.ts";
import type { RecordedResource } from "../../../observe/index.ts";
import { isProvisionedObject, recordOfObject } from "../../../plan/index.ts";
import type { CommandHandler } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import { stopOnInterrupt } from "../../stop-on-interrupt.ts";
import { followPods } from "./follow-pods.ts";
import { appliedGroup } from "../../../engine/index.ts";
import { LogPrinter } from "./log-printer.ts";
import type { LogsFlags } from "./logs.ts";
import { openProject } from "./open-project.ts";
import { podsOf } from "./pods-of.ts";
import { lookingContext, projectProviders } from "./program-providers.ts";
import { findRecorded, loadOwned } from "./recorded.ts";
import { runningLogs, runningUp } from "./running-logs.ts";
import { hostOf } from "../../host-of.ts";

export const runLogs: CommandHandler<LogsFlags, [string?]> = async (context, flags, text) => {
  const { project, opened } = await openProject(context, flags, flags.source);
  const { cluster } = opened;
  const providers = await projectProviders(context, flags.source);
  const interrupt = stopOnInterrupt(context.process.stderr);
  const { signal } = interrupt;
  try {
    const running = await runningUp(context, project);
    if (running !== undefined) {
      const printer = new LogPrinter(context, flags, text === undefined);
      if (await runningLogs(running, text, flags, signal, printer)) return endOf(signal);
    }
    const group = await appliedGroup(hostOf(context), flags.source, project, opened.namespace);
    const owned = await loadOwned(cluster, group);
    const resources = text === undefined ? [...owned.values()] : meant(owned, text);
    const [only] = resources;
    if (resources.length === 1 && only !== undefined && isProvisionedObject(only.object))
      await providerLog(context, providers, only, flags, signal);
    else await podLogs(context, cluster, resources, text, flags, signal);
    return endOf(signal);
  } finally {
    interrupt.release();
    await providers.close();
    await cluster.close();
  }
};

function endOf({ aborted }: AbortSignal): ExitCode {
  return aborted ? exitCode.interrupted : exitCode.success;
}

/** A workload and its Service often have one name: of those, whoever has pods is meant. */
function meant(
  owned: ReadonlyMap<string, RecordedResource>,
  text: string,
): readonly RecordedResource[] {
  const named = [...owned.values()].filter(
    ({ identity, object }) => identity.name === text && !isProvisionedObject(object),
  );
  return named.length > 1 ? named : [findRecorded(owned, text)];
}

async function providerLog(
  context: CliContext,
  providers: ProviderHost,
  resource: RecordedResource,
  flags: LogsFlags,
  signal: AbortSignal,
): Promise<void> {
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
  const printer = new LogPrinter(context, flags, false);
  const lines = provider.fetchLog(
    id,
    { follow: flags.follow, sinceMs },
    lookingContext(context, about, signal),
  );
  const last: { readonly text: string; readonly time: string | undefined }[] = [];
  for await (const { text, timeMs } of lines) {
    const time = timeMs === undefined ? undefined : new Date(timeMs).toISOString();
    // What goes on has no last lines yet.
    if (flags.tail === undefined || flags.follow) printer.print(resource.name, text, time);
    else last.push({ text, time });
    if (last.length > (flags.tail ?? 0)) last.shift();
  }
  for (const { text, time } of last) printer.print(resource.name, text, time);
}

async function podLogs(
  context: CliContext,
  cluster: Cluster,
  resources: readonly RecordedResource[],
  text: string | undefined,
  given: LogsFlags,
  signal: AbortSignal,
): Promise<void> {
  const { follow, since, tail } = given;
  const found = new Map<string, KubernetesObject>();
  for (const { object } of resources.filter(({ object: each }) => !isProvisionedObject(each)))
    for (const pod of await podsOf(cluster, object)) found.set(pod.metadata.uid ?? "", pod);
  const pods = [...found.values()];
  if (pods.length === 0)
    fail({
      code: "program.no-log",
      summary: `${text === undefined ? "the project" : (resources[0]?.name ?? text)} has no pods, so it has no log`,
    });
  const printer = new LogPrinter(context, given, pods.length > 1);
  if (follow) {
    await followPods(cluster, resources, given, printer, signal);
    return;
  }
  await Promise.all(
    pods.map(async (each) => {
      const { namespace, name: pod = "" } = each.metadata;
      const options = {
        signal,
        ...(since === undefined ? {} : { sinceSeconds: Math.ceil(since / 1000) }),
        ...(tail === undefined ? {} : { tailLines: tail }),
      };
      for (const { container } of containerRuns(each))
        for await (const line of cluster.logs({ namespace, name: pod }, { ...options, container }))
          printer.print(pod, line);
    }),
  );
}

import { setTimeout as pause } from "node:timers/promises";
import type { Cluster } from "../../../cluster/index.ts";
import { loadInventory } from "../../../inventory/index.ts";
import { formatIdentity, identityKey, type ObjectIdentity } from "../../../objects/index.ts";
import { observeLive } from "../../../observe/index.ts";
import { type Readiness, readinessOf } from "../../../readiness/index.ts";
import type { CommandHandler } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { exitCode } from "../../exit-code.ts";
import { openCluster } from "../../open-cluster.ts";
import { stopOnInterrupt } from "../../stop-on-interrupt.ts";
import { openView } from "../../views/open-view.ts";
import { loadGroup } from "./load-package.ts";
import type { LiveStatusFlags } from "./status.ts";

const lookEveryMs = 1_000;

type Statuses = ReadonlyMap<
  string,
  { readonly identity: ObjectIdentity; readonly readiness: Readiness }
>;

export const runLiveStatus: CommandHandler<LiveStatusFlags, [string]> = async (
  context,
  flags,
  input,
) => {
  const group = await loadGroup(context, input, flags.rgFile);
  const { cluster } = await openCluster(context, flags);
  const interrupt = stopOnInterrupt();
  const json = flags.output === "json";
  const view = openView(context, { json, verbose: true });
  try {
    const resources = await cluster.resources();
    const isKnown = resources.preferred("kpt.dev", "ResourceGroup") !== undefined;
    const inventory = isKnown ? await loadInventory(cluster, group) : undefined;
    const entries = inventory?.parts.flatMap((part) => part.entries) ?? [];
    if (entries.length === 0) {
      if (!json)
        context.process.stdout.write(
          `the inventory ${group.namespace}/${group.name} owns nothing in this cluster\n`,
        );
      return exitCode.success;
    }
    const deadline = Date.now() + flags.timeout;
    let before: Statuses = new Map();
    for (;;) {
      const statuses = await readStatuses(cluster, entries);
      for (const [key, { identity, readiness }] of statuses) {
        const known = before.get(key)?.readiness;
        if (
          flags.output === "table" ||
          (known?.status === readiness.status && known.message === readiness.message)
        )
          continue;
        view.emit({
          type: "status",
          object: identity,
          status: readiness.status,
          reason: readiness.reason,
          message: readiness.message,
        });
      }
      before = statuses;
      const all = [...statuses.values()].map(({ readiness }) => readiness.status);
      const isOver = isDone(flags.pollUntil, all);
      if (isOver || Date.now() >= deadline || interrupt.signal.aborted) {
        if (flags.output === "table") printTable(context, statuses);
        if (interrupt.signal.aborted) return exitCode.interrupted;
        return !isOver || all.includes("Failed") ? exitCode.failed : exitCode.success;
      }
      await pause(Math.min(lookEveryMs, Math.max(0, deadline - Date.now())));
    }
  } finally {
    interrupt.release();
    await cluster.close();
  }
};

async function readStatuses(
  cluster: Cluster,
  entries: readonly ObjectIdentity[],
): Promise<Statuses> {
  const { live } = await observeLive(cluster, entries);
  return new Map(
    entries.map((identity) => {
      const object = live.get(identityKey(identity));
      const readiness: Readiness =
        object === undefined
          ? { status: "NotFound", reason: "NotFound", message: "it is not there" }
          : readinessOf(object, { now: Date.now() });
      return [identityKey(identity), { identity, readiness }];
    }),
  );
}

function isDone(until: LiveStatusFlags["pollUntil"], statuses: readonly string[]): boolean {
  switch (until) {
    case "known":
      return true;
    case "current":
      return statuses.every((status) => status === "Current");
    case "deleted":
      return statuses.every((status) => status === "NotFound");
    case "forever":
      return false;
  }
}

function printTable(context: CliContext, statuses: Statuses): void {
  const rows = [...statuses.values()].map(({ identity, readiness }) => [
    formatIdentity(identity),
    readiness.status,
    readiness.message,
  ]);
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => (row[column] ?? "").length)));
  for (const [name = "", status = "", message = ""] of rows) {
    context.process.stdout.write(
      `${name.padEnd(widths[0] ?? 0)}  ${status.padEnd(widths[1] ?? 0)}  ${message}\n`,
    );
  }
}

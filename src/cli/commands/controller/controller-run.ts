import { sayCluster } from "../../open-cluster.ts";
import { hostname } from "node:os";
import { resolve } from "node:path";
import type { Cluster } from "../../../cluster/index.ts";
import {
  blueprintReconcilers,
  bundleReconciler,
  BundlePlugins,
  controllerDefinitions,
  jsonLog,
  runControllers,
} from "../../../controller/index.ts";
import type { DashboardServer } from "../../../dashboard/index.ts";
import { fail } from "../../../diagnostics/index.ts";
import { ensureDefinition } from "../../../inventory/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { openLastingCluster } from "../../open-lasting-cluster.ts";
import { stopOnInterrupt } from "../../stop-on-interrupt.ts";
import type { ControllerFlags } from "./controller.ts";
import { openControllerDashboard } from "./controller-dashboard.ts";

export const runController: CommandHandler<ControllerFlags, []> = async (context, flags) => {
  const { namespace, ...chosen } = flags;
  const opened = await openLastingCluster(context, chosen);
  const interrupt = stopOnInterrupt(context.process.stderr);
  const { cluster } = opened;
  const log = jsonLog({
    level: flags.logLevel,
    write: (line) => context.process.stdout.write(line),
  });
  let dashboard: DashboardServer | undefined;
  sayCluster(context, {}, opened);
  try {
    if (flags.install) {
      const { older, newer } = await install(cluster, flags);
      for (const definition of older)
        log.warn(
          { definition, hint: "keelson install --definitions-only | kubectl apply -f -" },
          "the definition is of an older Keelson, and this account may not update it: new fields are dropped",
        );
      for (const definition of newer)
        log.info({ definition }, "the definition is of a newer Keelson, and is left as it is");
    }
    await requireDefinitions(cluster);
    dashboard = await openControllerDashboard(context, flags, opened);
    if (dashboard !== undefined) log.info({ link: dashboard.link }, "the dashboard is served");
    await runControllers({
      cluster,
      reconcilers: [
        bundleReconciler({
          namespace,
          plugins: new BundlePlugins(resolve(context.workingDirectory, flags.plugins ?? ".")),
        }),
        ...blueprintReconcilers({ namespace }),
      ],
      signal: interrupt.signal,
      holder: context.process.env["POD_NAME"] ?? `${hostname()}-${process.pid}`,
      lease: flags.lease,
      leaseSeconds: Math.max(1, Math.round(flags.leaseDuration / 1000)),
      workers: flags.workers,
      ...(flags.healthPort === undefined
        ? {}
        : { health: { host: flags.healthHost, port: flags.healthPort } }),
      log,
    });
    return exitCode.success;
  } finally {
    await dashboard?.close();
    interrupt.release();
    await cluster.close();
    await opened.end();
  }
};

/** The names of definitions that are older and could not be updated, and of those that are newer. */
async function install(
  cluster: Cluster,
  { lease }: ControllerFlags,
): Promise<{ readonly older: readonly string[]; readonly newer: readonly string[] }> {
  const names: Record<Awaited<ReturnType<typeof ensureDefinition>>, string[]> = {
    older: [],
    newer: [],
    current: [],
  };
  for (const definition of controllerDefinitions)
    names[await ensureDefinition(cluster, definition)].push(definition.metadata.name ?? "");
  const reference = { apiVersion: "v1", kind: "Namespace", name: lease.namespace };
  if ((await cluster.find(reference)) !== undefined) return names;
  await cluster.apply(
    { apiVersion: "v1", kind: "Namespace", metadata: { name: lease.namespace } },
    { fieldManager: "keelson" },
  );
  return names;
}

/** A watch of a kind that nobody serves would only fail, in worse words. */
async function requireDefinitions(cluster: Cluster): Promise<void> {
  const resources = await cluster.refreshResources();
  const missing = controllerDefinitions.filter(({ metadata }) => {
    const [plural, ...group] = (metadata.name ?? "").split(".");
    return !resources.all.some((each) => each.plural === plural && each.group === group.join("."));
  });
  if (missing.length === 0) return;
  fail({
    code: "controller.not-installed",
    summary: `the cluster does not have the kinds of the controller: ${missing.map(({ metadata }) => metadata.name).join(", ")}`,
    hint: "keelson controller --install brings them, or: keelson install | kubectl apply -f -",
  });
}

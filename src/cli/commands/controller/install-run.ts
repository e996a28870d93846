import { readinessOf } from "../../../readiness/index.ts";
import {
  controllerDefinitions,
  installObjects,
} from "../../../controller/install/install-objects.ts";
import {
  formatIdentity,
  identityOf,
  type KubernetesObject,
  writeYaml,
} from "../../../objects/index.ts";
import { type Cluster, referenceTo } from "../../../cluster/index.ts";
import { isNewerDefinition } from "../../../inventory/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { openCluster, sayCluster } from "../../open-cluster.ts";
import type { InstallFlags } from "./install.ts";

export const runInstall: CommandHandler<InstallFlags, []> = async (context, flags) => {
  const { namespace = "keelson-system", image, replicas } = flags;
  const objects = flags.definitionsOnly
    ? controllerDefinitions
    : installObjects({ namespace, image, replicas });
  const { stdout } = context.process;
  if (!flags.apply) {
    stdout.write(
      flags.output === "json"
        ? `${JSON.stringify({ apiVersion: "v1", kind: "List", items: objects })}\n`
        : writeYaml(objects),
    );
    return exitCode.success;
  }
  const opened = await openCluster(context, flags);
  const { cluster } = opened;
  try {
    sayCluster(context, flags, opened);
    for (const object of objects) {
      if (await isOfNewer(cluster, object)) {
        sayLeft(context, flags, object);
        continue;
      }
      const { created, object: applied } = await cluster.apply(object, {
        fieldManager: "keelson",
        force: true,
      });
      const change = created ? "created" : "configured";
      stdout.write(
        flags.output === "json"
          ? `${JSON.stringify({ type: "apply", object: identityOf(object), status: "successful", change, ready: isReady(applied) })}\n`
          : `${context.style.stdout.green("✓")} ${formatIdentity(identityOf(object))} ${change}\n`,
      );
    }
    return exitCode.success;
  } finally {
    await cluster.close();
  }
};

/** Whether a newer Keelson wrote the definition of a kind: its fields would be lost, and with them values. */
async function isOfNewer(cluster: Cluster, object: KubernetesObject): Promise<boolean> {
  if (object.kind !== "CustomResourceDefinition") return false;
  const found = await cluster.find(referenceTo(object));
  return found !== undefined && isNewerDefinition(found);
}

function sayLeft(
  context: Parameters<typeof runInstall>[0],
  { output }: InstallFlags,
  object: KubernetesObject,
): void {
  const identity = identityOf(object);
  const message = "a newer Keelson wrote it";
  const event = { status: "skipped", reason: "NewerDefinition", message };
  context.process.stdout.write(
    output === "json"
      ? `${JSON.stringify({ type: "apply", object: identity, ...event })}\n`
      : `${context.style.stdout.yellow("!")} ${formatIdentity(identity)} left as it is: ${message}\n`,
  );
}

function isReady(object: KubernetesObject): boolean {
  return readinessOf(object, { now: Date.now() }).status === "Current";
}

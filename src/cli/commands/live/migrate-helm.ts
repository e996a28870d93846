import { resolve } from "node:path";
import {
  adoptRelease,
  loadGroup,
  loadPackage,
  planAdoption,
  programPath,
  type ReleaseAdoption,
  tiltfilePath,
} from "../../../engine/index.ts";
import {
  ensureGroupDefinition,
  type GroupReference,
  readHelmRelease,
  whileHolding,
} from "../../../inventory/index.ts";
import { formatIdentity, type SourcedObject } from "../../../objects/index.ts";
import type { CliContext } from "../../context.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import { hostOf } from "../../host-of.ts";
import { openCluster, sayCluster } from "../../open-cluster.ts";
import { leaseHolder } from "./live-run.ts";
import type { LiveMigrateFlags } from "./migrate.ts";

const leaseWaitMs = 60_000;
const manager = "keelson";

/** Moves the objects of a Helm release into the inventory of a package. */
export async function migrateHelm(
  context: CliContext,
  flags: LiveMigrateFlags,
  input: string,
  name: string,
): Promise<ExitCode> {
  const opened = await openCluster(context, flags);
  const { cluster, namespace } = opened;
  sayCluster(context, {}, opened);
  try {
    const { group, objects } = await readPackage(context, flags, input);
    const release = await readHelmRelease(cluster, namespace, name);
    const adoption = await planAdoption(cluster, release, group, objects);
    if (!flags.dryRun) {
      await ensureGroupDefinition(cluster);
      const hold = { holder: leaseHolder(), waitMs: leaseWaitMs };
      await whileHolding(cluster, group, hold, (fenced) =>
        adoptRelease(fenced, adoption, { group, manager }),
      );
    }
    tell(context, adoption, group, flags.dryRun);
    return exitCode.success;
  } finally {
    await cluster.close();
  }
}

/** The inventory of a package and its objects; what code would make is not known, because none is run. */
async function readPackage(
  context: CliContext,
  { rgFile }: LiveMigrateFlags,
  input: string,
): Promise<{
  readonly group: GroupReference;
  readonly objects: readonly SourcedObject[] | undefined;
}> {
  const host = hostOf(context);
  const path = resolve(context.workingDirectory, input);
  const code =
    input === "-" ? undefined : ((await tiltfilePath(path)) ?? (await programPath(path)));
  if (code !== undefined)
    return { group: await loadGroup(host, input, rgFile), objects: undefined };
  const { group, source } = await loadPackage(host, input, rgFile, {});
  return { group, objects: source.objects };
}

function tell(
  { process: { stdout }, style }: CliContext,
  { release, adopted, leaving, missing }: ReleaseAdoption,
  group: GroupReference,
  isDryRun: boolean,
): void {
  for (const identity of missing)
    stdout.write(`= ${formatIdentity(identity)} is not in the cluster\n`);
  for (const identity of leaving)
    stdout.write(
      `${style.stdout.red("-")} ${formatIdentity(identity)} is not in the package: the next apply prunes it\n`,
    );
  const objects = count(adopted.length, "object");
  const records = count(release.records.length, `release ${release.records[0]?.kind ?? "Secret"}`);
  const inventory = `${group.namespace}/${group.name}`;
  stdout.write(
    isDryRun
      ? `would adopt ${objects} of the Helm release ${release.name} into the inventory ${inventory}, and delete ${records}\n`
      : `${style.stdout.green("✓")} the inventory ${inventory} has ${objects} of the Helm release ${release.name}; ${records} deleted\n`,
  );
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

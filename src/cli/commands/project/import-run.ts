import { saveRecord } from "../../../apply/index.ts";
import { referenceTo } from "../../../cluster/index.ts";
import { fillHoles, holeValues } from "../../../prepare/index.ts";
import { DiagnosticError, fail } from "../../../diagnostics/index.ts";
import {
  ensureDefinition,
  ensureGroupDefinition,
  knownInventory,
  owningInventoryAnnotation,
  provisionedDefinition,
  saveInventory,
  whileHolding,
} from "../../../inventory/index.ts";
import { identityKey, identityOf } from "../../../objects/index.ts";
import { holesOf, programDesired, recordOfObject } from "../../../plan/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { closeSource, readSource } from "../../../engine/index.ts";
import { resourceHash } from "../../../engine/index.ts";
import { leaseHolder } from "../live/live-run.ts";
import type { ImportFlags } from "./import.ts";
import { projectGroup } from "../../../engine/index.ts";
import { openProject } from "./open-project.ts";
import { lookingContext, projectProviders } from "./program-providers.ts";
import { hostOf } from "../../host-of.ts";

const leaseWaitMs = 60_000;

export const runImport: CommandHandler<ImportFlags, [string, string]> = async (
  context,
  flags,
  name,
  id,
) => {
  const { project, opened } = await openProject(context, flags, flags.source);
  const { cluster, namespace } = opened;
  const group = projectGroup(project, namespace);
  const source = await readSource(hostOf(context), [flags.source], { env: project.env });
  const providers = await projectProviders(context, flags.source);
  try {
    if (source.diagnostics.some(({ severity }) => severity === "error"))
      throw new DiagnosticError(source.diagnostics);
    const program = source.kind === "program" ? source.program : undefined;
    const resource = program?.graph.resources.find((each) => each.name === name);
    if (program === undefined || resource?.kind !== "provider") {
      return fail({
        code: "program.unknown-resource",
        summary: `the program has no resource ${JSON.stringify(name)} that a provider makes`,
        hint: "Kubernetes objects are taken over by an apply with --inventory-policy=adopt",
      });
    }
    const desired = programDesired(program.graph, {
      namespace,
      isNamespaced: () => true,
      hashOf: resourceHash,
    });
    const raw = desired.byKey.get(desired.keyOf.get(name) ?? "");
    const holes = raw === undefined ? [] : holesOf(raw, { ...desired, isKnown: () => false });
    const isOpen = holes.some(({ sources }) => sources.length > 0);
    const find = (): Promise<undefined> => Promise.resolve(undefined);
    const object =
      raw === undefined || isOpen
        ? undefined
        : await fillHoles(raw, holes, holeValues({ cluster, program, find }));
    const record = object === undefined ? undefined : recordOfObject(object);
    if (object === undefined || record === undefined) {
      return fail({
        code: "program.unresolved",
        summary: `${name} takes values from resources that are not there yet`,
        hint: "apply those first",
      });
    }
    const provider = await providers.provider(record.spec.provider);
    const about = { type: record.spec.type, name };
    const signal = new AbortController().signal;
    const outputs = await provider.read(id, lookingContext(context, about, signal));
    if (outputs === undefined) {
      return fail({
        code: "program.unknown-resource",
        summary: `its provider knows no ${JSON.stringify(id)}`,
        subject: name,
      });
    }
    await ensureGroupDefinition(cluster);
    await ensureDefinition(cluster, provisionedDefinition);
    const hold = { holder: leaseHolder(), waitMs: leaseWaitMs };
    await whileHolding(cluster, group, hold, async (fenced) => {
      const found = await fenced.find(referenceTo(object));
      const known = found && recordOfObject(found)?.status?.id;
      if (known !== undefined && known !== id)
        fail({
          code: "program.recorded-already",
          summary: `${name} is ${known} already, which would be nobody's if it became ${id}`,
          hint: "Give what you import a resource of its own in the program, and import it under that name.",
          subject: name,
        });
      const inventory = await knownInventory(fenced, group);
      const entries = inventory.parts.flatMap((part) => part.entries);
      const all = new Map(
        [...entries, identityOf(object)].map((each) => [identityKey(each), each]),
      );
      await saveInventory(fenced, inventory, [...all.values()], inventory.statuses);
      const annotations = { ...object.metadata.annotations, [owningInventoryAnnotation]: group.id };
      // Its inputs are not known: the next plan shows what an apply would change.
      await saveRecord(
        fenced,
        { ...object, metadata: { ...object.metadata, annotations } },
        { spec: record.spec, status: { phase: "Ready", id, outputs, inputs: record.spec.inputs } },
      );
    });
    context.process.stdout.write(
      flags.output === "json"
        ? `${JSON.stringify({ type: "import", resource: name, id })}\n`
        : `${context.style.stdout.green("✓")} ${name} is ${id}\n`,
    );
    return exitCode.success;
  } finally {
    await closeSource(source);
    await providers.close();
    await cluster.close();
  }
};

import type { SourceRange } from "../diagnostics/index.ts";
import {
  failLate,
  reportArguments,
  reportDuplicate,
  reportUnknownPlace,
} from "./allocation-problems.ts";
import type { AllocationSite } from "./allocation-site.ts";
import { collectReferences } from "./collect-references.ts";
import { classifyResource } from "./classify-resource.ts";
import { kubernetesObjectRecord } from "./k8s/object-record.ts";
import { inheritedAliases } from "./inherited-aliases.ts";
import { handedOn, withInherited } from "./inherited-options.ts";
import type { GivenName } from "./name-book.ts";
import { currentRun, type EvaluationRun } from "./evaluation-run.ts";
import { readArguments, type ResourceArguments } from "./read-arguments.ts";
import { presentResource } from "./present-resource.ts";
import { snapshotProperties } from "./snapshot-properties.ts";
import { allocatorOf, rememberRecord, type ResourceRecord } from "./resource-record.ts";
import { aliasName } from "./resource-name.ts";
import type { ClassValue } from "./type-token.ts";

/** Records a resource under construction and gives what the program shall see in its place. */
export function allocate(target: object, newTarget: ClassValue, args: readonly unknown[]): object {
  const run = currentRun();
  const frame = run.frameOf(newTarget);
  const type = classifyResource(newTarget, run.settings.hasProvider);
  if (run.isClosed) return failLate(run, type.className);
  const site = frame?.site;
  if (frame === undefined || site === undefined || type.token === undefined) {
    reportUnknownPlace(run, type.className);
    return target;
  }
  const read = readArguments(args);
  const source = sourceOf(site);
  const problems = [...read.problems, ...namingProblems(read, type.object?.kind)];
  for (const problem of problems) reportArguments(run, type.className, problem, source);
  const allocator = allocatorOf(frame.outer);
  const around = allocator?.instance;
  const globalId = readGlobalId(run, newTarget, read, source);
  const scope = { env: run.settings.env, module: site.module, class: site.class, type: type.token };
  const request = { scope, explicitId: read.explicitId, globalId, around };
  const given = run.names.give(request);
  if (given.isTaken) reportDuplicate(run, given.name, source, globalId !== undefined);
  checkOrder(run, given, type.className, source);
  const { explicitId, options: own } = read;
  const inherited = allocator?.handsOn ?? {};
  const options = withInherited(own, inherited);
  const record: ResourceRecord = {
    name: given.name,
    label: labelOf(type.className, given.instance?.id),
    type: type.token,
    kind: type.kind,
    package: type.package,
    providerType: type.providerType,
    props: snapshotProperties(read.props),
    references: collectReferences(read.props, given.name, run.reads),
    options,
    handsOn: type.kind === "composite" ? handedOn(options) : inherited,
    secret: [...secretsOf(newTarget), ...(own.secret ?? [])],
    aliases: [
      ...(own.aliases ?? []).map((alias) => aliasName(alias, scope, around?.id)),
      ...(allocator === undefined || globalId !== undefined
        ? []
        : inheritedAliases(allocator, { scope, explicitId, automaticId: given.automaticId })),
    ],
    explicitId,
    automaticId: given.automaticId,
    globalId,
    instance: given.instance,
    frame: frame.outer,
    source,
    fields: target,
    object:
      type.object === undefined
        ? undefined
        : kubernetesObjectRecord(type.object, { scope, given, read, globalId }),
  };
  frame.resource = record;
  if (!given.isTaken) {
    run.records.push(record);
    run.recordsByName.set(record.name, record);
  }
  const resource = presentResource(target, record, run.settings.stage.get(record.name));
  rememberRecord(resource, record);
  return resource;
}

function namingProblems({ options }: ResourceArguments, kind: string | undefined): string[] {
  const isAllowed = kind === "ConfigMap" || kind === "Secret" || options.naming === undefined;
  return isAllowed ? [] : ['the option "naming" is for ConfigMaps and Secrets'];
}

function labelOf(className: string, id: string | undefined): string {
  return id === undefined ? className : `${className} "${id}"`;
}

function sourceOf({ file, line, column }: AllocationSite): SourceRange {
  return { file, start: { line, column } };
}

/** A class names the properties that are secret in every resource of it. */
function secretsOf(newTarget: ClassValue): readonly string[] {
  const paths: unknown = Reflect.get(newTarget, "secret");
  return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
}

/** Counting is only stable where each allocation is known to come after the one before. */
function checkOrder(
  run: EvaluationRun,
  { counted }: GivenName,
  className: string,
  source: SourceRange,
): void {
  if (counted === undefined) return;
  const moment = run.order.allocate();
  const previous = run.moments.get(counted);
  run.moments.set(counted, moment);
  if (previous === undefined || moment.isAfter(previous)) return;
  run.report({
    code: "program.unordered-allocation",
    severity: "error",
    summary: `Several ${className} are allocated without ids by code that runs concurrently, so their order may differ from run to run`,
    detail: "Their names would be numbers in that order.",
    hint: "Give each an id as the first argument, or await one after the other",
    source,
  });
}

/** A class names the property that is unique everywhere: `static globalId = "bucketName"`. */
function readGlobalId(
  run: EvaluationRun,
  newTarget: ClassValue,
  { props }: ResourceArguments,
  source: SourceRange,
): string | undefined {
  const property: unknown = Reflect.get(newTarget, "globalId");
  if (typeof property !== "string") return undefined;
  const value = props[property];
  if (typeof value === "string" && value !== "") return value;
  if (value === undefined) return undefined;
  run.report({
    code: "program.global-id",
    severity: "error",
    summary: `The property ${property} of ${newTarget.name} names the resource, so it must be a text that is known while planning`,
    hint: `Set ${property} to a text that does not come from another resource`,
    source,
  });
  return undefined;
}

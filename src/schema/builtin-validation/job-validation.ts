import { asObject } from "../../json/index.ts";
import { duplicate, invalid, notSupported, requiredField, tooMany } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { cronProblem } from "./cron-problem.ts";
import { validateAnnotations, validateLabels } from "./metadata-validation.ts";
import { qualifiedNameProblems, subdomainProblems } from "./names.ts";
import { validatePodSpec } from "./pod-validation.ts";
import { matchesSelector, validateSelector } from "./selector-validation.ts";

export function validateJob(object: Checker): void {
  const spec = object.at("spec");
  validateJobSpec(spec);
  const selector = spec.maybe("selector");
  if (selector === undefined) {
    // Without one of its own, a job is given a selector when it is created.
    if (spec.get("manualSelector") === true) spec.require("selector");
    return;
  }
  validateSelector(selector);
  const labels = asObject(spec.at("template").at("metadata").get("labels"));
  if (!matchesSelector(selector.object, labels ?? {})) {
    const detail = "`selector` does not match template `labels`";
    spec.invalid("template.metadata.labels", labels ?? null, detail);
  }
  if (spec.get("completionMode") !== "Indexed" || !spec.has("completions")) return;
  const last = `${object.at("metadata").text("name")}-${Number(spec.get("completions")) - 1}`;
  if (last.length <= 63) return;
  const detail = `will not able to create pod with invalid DNS label: ${last}`;
  object.invalid("metadata.name", object.at("metadata").text("name"), detail);
}

const longestCronName = 52;

export function validateCronJob(object: Checker): void {
  const name = object.at("metadata").text("name");
  if (name.length > longestCronName)
    object.invalid("metadata.name", name, `must be no more than ${longestCronName} characters`);
  const spec = object.at("spec");
  const schedule = spec.text("schedule");
  if (spec.require("schedule")) {
    const problem = cronProblem(schedule);
    if (problem !== undefined) spec.invalid("schedule", schedule, problem);
    if (schedule.includes("TZ")) {
      const detail = "cannot use TZ or CRON_TZ in schedule, use timeZone field instead";
      spec.invalid("schedule", schedule, detail);
    }
  }
  spec.requireOneOf("concurrencyPolicy", ["Allow", "Forbid", "Replace"]);
  const zone = spec.get("timeZone");
  if (typeof zone === "string") validateTimeZone(spec, zone);
  spec.atLeast("startingDeadlineSeconds", 0);
  spec.atLeast("successfulJobsHistoryLimit", 0);
  spec.atLeast("failedJobsHistoryLimit", 0);
  const template = spec.at("jobTemplate");
  const job = template.at("spec");
  validateJobSpec(job);
  if (job.has("selector"))
    job.invalid("selector", job.get("selector"), "`selector` will be auto-generated");
  if (job.get("manualSelector") === true)
    job.add(notSupported(job.field("manualSelector"), true, ["nil", "false"]));
}

function validateTimeZone(spec: Checker, zone: string): void {
  if (zone === "") spec.invalid("timeZone", zone, "timeZone must be nil or non-empty string");
  else if (zone.toLowerCase() === "local") {
    const detail =
      "timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones";
    spec.invalid("timeZone", zone, detail);
  } else if (!isTimeZone(zone)) spec.invalid("timeZone", zone, `unknown time zone ${zone}`);
}

function isTimeZone(zone: string): boolean {
  // Zones are files to Go, whose names are as they are written.
  if (!/^[A-Z]/.test(zone) && zone !== "posixrules") return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

const counts = [
  "parallelism",
  "completions",
  "activeDeadlineSeconds",
  "backoffLimit",
  "ttlSecondsAfterFinished",
  "backoffLimitPerIndex",
  "maxFailedIndexes",
];
const mostIndexed = 100_000;
const manyCompletions = 100_000;
const fewForMany = 10_000;

function validateJobSpec(spec: Checker): void {
  for (const key of counts) spec.atLeast(key, 0);
  if (spec.has("maxFailedIndexes") && !spec.has("backoffLimitPerIndex"))
    spec.require("backoffLimitPerIndex", "when maxFailedIndexes is specified");
  const manager = spec.get("managedBy");
  if (typeof manager === "string") validateDomainPath(spec, "managedBy", manager);
  spec.supported("completionMode", ["NonIndexed", "Indexed"]);
  const mode = spec.text("completionMode");
  if (mode === "Indexed") validateIndexed(spec);
  if (mode === "NonIndexed" || !spec.has("completionMode")) {
    for (const key of ["backoffLimitPerIndex", "maxFailedIndexes"])
      if (spec.has(key)) spec.invalid(key, spec.get(key), "requires indexed completion mode");
  }
  const failures = spec.maybe("podFailurePolicy");
  if (failures !== undefined) validateFailurePolicy(spec, failures);
  const success = spec.maybe("successPolicy");
  if (success !== undefined && mode !== "Indexed")
    spec.invalid("successPolicy", success.object, "requires indexed completion mode");
  else if (success !== undefined) validateSuccessPolicy(spec, success);
  const replacements = failures === undefined ? ["Failed", "TerminatingOrFailed"] : ["Failed"];
  spec.supported("podReplacementPolicy", replacements);
  const template = spec.at("template");
  const metadata = template.at("metadata").moved(template.path);
  validateLabels(metadata, "labels");
  validateAnnotations(metadata);
  const pod = template.at("spec");
  validatePodSpec(pod);
  validateRestarts(pod, failures !== undefined);
}

function validateRestarts(pod: Checker, mustNever: boolean): void {
  const policy = pod.text("restartPolicy");
  const at = pod.field("restartPolicy");
  if (policy === "Always" || policy === "")
    pod.add(requiredField(at, 'valid values: "OnFailure", "Never"'));
  else if (policy !== "OnFailure" && policy !== "Never")
    pod.add(notSupported(at, policy, ["OnFailure", "Never"]));
  else if (mustNever && policy !== "Never") {
    const detail = 'only "Never" is supported when podFailurePolicy is specified';
    pod.add(invalid(at, policy, detail));
  }
}

/** `example.com/path`, where the domain is a name and the path has no other problem. */
function validateDomainPath(spec: Checker, key: string, text: string): void {
  if (text === "") {
    spec.require(key);
    return;
  }
  const [domain = "", ...rest] = text.split("/");
  const path = rest.join("/");
  if (domain === "" || path === "") {
    spec.invalid(key, text, 'must be a domain-prefixed path (such as "acme.io/foo")');
    return;
  }
  for (const problem of subdomainProblems(domain)) spec.invalid(key, domain, problem);
  if (!/^[A-Za-z0-9/\-._~%!$&'()*+,;=:]+$/.test(path)) spec.invalid(key, path, "Invalid path");
  if (text.length > 63)
    spec.add({
      type: "FieldValueTooLong",
      field: spec.field(key),
      detail: "Too long: may not be more than 63 bytes",
    });
}

function validateIndexed(spec: Checker): void {
  const number = (key: string): number => Number(spec.get(key) ?? 0);
  const [completions, failed] = [number("completions"), number("maxFailedIndexes")];
  if (!spec.has("completions")) spec.require("completions", "when completion mode is Indexed");
  const most = (key: string, limit: number, why: string): void => {
    if (number(key) > limit)
      spec.invalid(key, number(key), `must be less than or equal to ${limit}${why}`);
  };
  most("parallelism", mostIndexed, " when completion mode is Indexed");
  if (spec.has("completions") && spec.has("maxFailedIndexes") && failed > completions)
    spec.invalid("maxFailedIndexes", failed, "must be less than or equal to completions");
  most("maxFailedIndexes", mostIndexed, "");
  if (completions <= manyCompletions || !spec.has("backoffLimitPerIndex")) return;
  if (!spec.has("maxFailedIndexes")) {
    const detail = `must be specified when completions is above ${manyCompletions}`;
    spec.require("maxFailedIndexes", detail);
  }
  const why = ` when completions are above ${manyCompletions} and used with backoff limit per index`;
  most("parallelism", fewForMany, why);
  most("maxFailedIndexes", fewForMany, why);
}

const actions = ["Count", "FailIndex", "FailJob", "Ignore"];
const mostRules = 20;
const mostCodes = 255;

function validateFailurePolicy(spec: Checker, policy: Checker): void {
  const names = ["containers", "initContainers"].flatMap((key) =>
    spec
      .at("template")
      .at("spec")
      .items(key)
      .map((container) => container.text("name")),
  );
  const rules = policy.items("rules");
  if (rules.length > mostRules) policy.add(tooMany(policy.field("rules"), rules.length, mostRules));
  for (const rule of rules) {
    const action = rule.text("action");
    if (action === "")
      rule.require("action", `valid values: ${JSON.stringify(actions).replaceAll(",", " ")}`);
    else if (action === "FailIndex") {
      const detail = "requires the backoffLimitPerIndex to be set";
      if (!spec.has("backoffLimitPerIndex")) rule.invalid("action", action, detail);
    } else rule.oneOf("action", actions);
    const codes = rule.maybe("onExitCodes");
    const conditions = rule.items("onPodConditions");
    if (codes !== undefined) validateExitCodes(codes, names);
    if (conditions.length > mostRules)
      rule.add(tooMany(rule.field("onPodConditions"), conditions.length, mostRules));
    for (const condition of conditions) {
      for (const problem of qualifiedNameProblems(condition.text("type")))
        condition.invalid("type", condition.text("type"), problem);
      if (condition.text("status") === "")
        condition.require("status", 'valid values: ["False" "True" "Unknown"]');
      else condition.oneOf("status", ["False", "True", "Unknown"]);
    }
    if (codes !== undefined && conditions.length > 0) {
      const detail = "specifying both OnExitCodes and OnPodConditions is not supported";
      rule.add(invalid(rule.path, rule.object, detail));
    }
    if (codes === undefined && conditions.length === 0) {
      const detail = "specifying one of OnExitCodes and OnPodConditions is required";
      rule.add(invalid(rule.path, rule.object, detail));
    }
  }
}

function validateExitCodes(codes: Checker, names: readonly string[]): void {
  const operator = codes.text("operator");
  if (operator === "") codes.require("operator", 'valid values: ["In" "NotIn"]');
  else codes.oneOf("operator", ["In", "NotIn"]);
  const container = codes.get("containerName");
  if (typeof container === "string" && !names.includes(container)) {
    const detail = "must be one of the container or initContainer names in the pod template";
    codes.invalid("containerName", container, detail);
  }
  const list = codes.get("values");
  const values = (Array.isArray(list) ? list : []).filter((each) => typeof each === "number");
  if (values.length === 0) codes.invalid("values", values, "at least one value is required");
  else if (values.length > mostCodes)
    codes.add(tooMany(codes.field("values"), values.length, mostCodes));
  for (const [index, value] of values.entries()) {
    const at = `values[${index}]`;
    if (operator === "In" && value === 0)
      codes.invalid(at, value, "must not be 0 for the In operator");
    if (values.indexOf(value) < index) codes.add(duplicate(codes.field(at), value));
  }
  if (values.some((value, index) => index > 0 && (values[index - 1] ?? 0) > value))
    codes.invalid("values", values, "must be ordered");
}

function validateSuccessPolicy(spec: Checker, policy: Checker): void {
  const detail = "at least one rules must be specified when the successPolicy is specified";
  policy.require("rules", detail);
  const rules = policy.items("rules");
  if (rules.length > mostRules) policy.add(tooMany(policy.field("rules"), rules.length, mostRules));
  const completions = Number(spec.get("completions") ?? 0);
  for (const rule of rules) {
    const [count, indexes] = [rule.get("succeededCount"), rule.get("succeededIndexes")];
    if (count === undefined && indexes === undefined) {
      const missing = "at least one of succeededCount or succeededIndexes must be specified";
      rule.add(requiredField(rule.path, missing));
    }
    const total = typeof indexes === "string" ? countIndexes(indexes, completions) : undefined;
    if (typeof total === "string")
      rule.invalid("succeededIndexes", indexes, `error parsing succeededIndexes: ${total}`);
    if (typeof count !== "number") continue;
    rule.atLeast("succeededCount", 0);
    const most = (limit: number, what: string): void => {
      if (count > limit) {
        const text = `must be less than or equal to ${limit} (${what})`;
        rule.invalid("succeededCount", count, text);
      }
    };
    most(completions, "the number of specified completions");
    if (indexes !== undefined) {
      const what = "the number of indexes in the specified succeededIndexes field";
      most(typeof total === "number" ? total : 0, what);
    }
  }
}

/** How many indexes `0-1,3` are; or what is wrong with them. */
function countIndexes(text: string, completions: number): number | string {
  if (text === "") return 0;
  let last = -1;
  let total = 0;
  for (const interval of text.split(",")) {
    const limits = interval.split("-");
    if (limits.length > 2)
      return `the fragment ${JSON.stringify(interval)} violates the requirement that an index interval can have at most two parts separated by '-'`;
    const wrong = limits.find((each) => !/^[+-]?\d+$/.test(each));
    if (wrong !== undefined)
      return `cannot convert string to integer for index: ${JSON.stringify(wrong)}`;
    const [first = 0, end = first] = limits.map(Number);
    if (Math.max(first, end) >= completions) return `too large index: ${JSON.stringify(interval)}`;
    if (first > end) return `non-increasing order, previous: ${first}, current: ${end}`;
    if (last >= first) return `non-increasing order, previous: ${last}, current: ${first}`;
    total += end - first + 1;
    last = end;
  }
  return total;
}

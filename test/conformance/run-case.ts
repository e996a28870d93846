import { setTimeout as pause } from "node:timers/promises";
import type { ConformanceCase, Step } from "./case.ts";
import { Normaliser } from "./normalise.ts";
import type { Answer, Target } from "./target.ts";
import { patienceMs } from "../patience.ts";
import { webhookServer } from "./webhook-server.ts";

/** What a step is answered with, free of everything that differs from run to run. */
export interface StepResult {
  readonly request: string;
  readonly status: number;
  readonly warnings?: readonly string[];
  readonly body?: unknown;
}

/**
 * Runs the steps of a case in a namespace of its own and returns every answer that counts. Deleting a namespace has a
 * real control plane look through all its kinds, again and again: where it goes with the run, namespaces stay.
 * `{webhook}` is the URL of a server for admission reviews in this process, and `{ca}` who signed its certificate.
 */
export async function runCase(
  target: Target,
  { steps }: ConformanceCase,
  id: string,
  { leavesNamespace = false } = {},
): Promise<readonly StepResult[]> {
  const namespace = `case-${id}`;
  const text = JSON.stringify(steps);
  const webhooks = text.includes("{webhook}") ? await webhookServer() : undefined;
  const normaliser = new Normaliser([
    [namespace, "{ns}"],
    [id, "{id}"],
    ...(webhooks === undefined ? [] : ([[webhooks.url, "{webhook}"]] as const)),
  ]);
  const words = new Map([
    ["ns", namespace],
    ["id", id],
    ["webhook", webhooks?.url ?? ""],
    ["ca", webhooks?.authority ?? ""],
  ]);
  const run: Run = {
    target,
    normaliser,
    fill: (text) =>
      text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => words.get(name) ?? whole),
    remember: (name, value) => void words.set(name, value),
    results: [],
  };
  if (text.includes("{ns}")) await createNamespace(target, namespace);
  try {
    await runSteps(run, steps);
    return run.results;
  } finally {
    if (!leavesNamespace)
      await target.send({ method: "DELETE", path: `/api/v1/namespaces/${namespace}`, headers: {} });
  }
}

/** One case under way. */
interface Run {
  readonly target: Target;
  readonly normaliser: Normaliser;
  readonly fill: (text: string) => string;
  readonly remember: (name: string, value: string) => void;
  readonly results: StepResult[];
}

async function runSteps(run: Run, steps: readonly Step[]): Promise<void> {
  for (const step of steps) {
    const answer = await runStep(run, step);
    for (const [name, path] of Object.entries(step.take ?? {})) {
      run.remember(name, textAt(parse(answer.text), path));
    }
    if (step.prepare !== true) run.results.push(resultOf(step, answer, run.normaliser));
    else if (answer.status >= 300)
      throw new Error(`${step.method} ${step.path}: ${answer.status} ${answer.text}`);
  }
}

/** A namespace is whole once all is there that a control plane puts into each: pods need it, and lists show it. */
async function createNamespace(target: Target, name: string): Promise<void> {
  await target.send({
    method: "POST",
    path: "/api/v1/namespaces",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name } }),
  });
  const deadline = Date.now() + patienceMs;
  for (const own of ["serviceaccounts/default", "configmaps/kube-root-ca.crt"]) {
    const path = `/api/v1/namespaces/${name}/${own}`;
    while ((await target.send({ method: "GET", path, headers: {} })).status !== 200) {
      if (Date.now() > deadline) throw new Error(`namespace ${name} got no ${own}`);
      await pause(10);
    }
  }
}

async function runStep(run: Run, step: Step): Promise<Answer> {
  if (step.during !== undefined) return runDuring(run, step, step.during);
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer = await sendStep(run, step);
    if (step.until === undefined) return answer;
    const [path, value] = step.until;
    if (textAt(parse(answer.text), path) === run.fill(value)) return answer;
    if (Date.now() > deadline)
      throw new Error(`${step.path}: ${path} did not become ${value}: ${answer.text}`);
    await pause(20);
  }
}

/** Opens a watch, and runs other steps once it is open. */
async function runDuring(run: Run, step: Step, during: readonly Step[]): Promise<Answer> {
  const { promise: isOpen, resolve: onOpen } = Promise.withResolvers<void>();
  const watch = sendStep(run, step, onOpen);
  await Promise.race([isOpen, watch]);
  const [answer] = await Promise.all([watch, runSteps(run, during)]);
  return answer;
}

function sendStep(
  { target, fill }: Run,
  step: Step,
  onOpen: () => void = () => {},
): Promise<Answer> {
  const isWatch = step.method === "WATCH";
  const body =
    step.body === undefined
      ? undefined
      : fill(typeof step.body === "string" ? step.body : JSON.stringify(step.body));
  return target.send({
    method: isWatch ? "GET" : step.method,
    path: fill(step.path),
    headers: {
      accept: step.accept ?? "application/json",
      "user-agent": step.userAgent ?? "conformance/1",
      ...(body === undefined ? {} : { "content-type": step.contentType ?? defaultType(step) }),
      ...filledHeaders(step, fill),
    },
    onOpen,
    ...(body === undefined ? {} : { body }),
    ...(isWatch ? { lines: step.events ?? 1 } : {}),
  });
}

function filledHeaders(
  { headers = {} }: Step,
  fill: (text: string) => string,
): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === "string" ? fill(value) : value.map(fill),
    ]),
  );
}

function defaultType({ method }: Step): string {
  return method === "PATCH" ? "application/merge-patch+json" : "application/json";
}

function resultOf(
  step: Step,
  { status, warnings, text }: Answer,
  normaliser: Normaliser,
): StepResult {
  const lines = text.split("\n").filter((line) => line !== "");
  const parsed =
    step.method === "WATCH" ? lines.slice(0, step.events ?? 1).map(parse) : parse(text);
  const kept = Array.isArray(parsed)
    ? parsed.map((each) => keptParts(step, each))
    : keptParts(step, parsed);
  return {
    request: `${step.method} ${step.path}`,
    status: step.statusClass === true && status >= 400 ? 400 : status,
    ...(warnings.length === 0 ? {} : { warnings: normaliser.value(warnings) as readonly string[] }),
    body: normaliser.value(kept),
  };
}

function keptParts({ keep }: Step, value: unknown): unknown {
  if (keep === undefined) return value;
  return Object.fromEntries(keep.map((path) => [path, valueAt(value, path)]));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function valueAt(value: unknown, path: string): unknown {
  const [word = "", ...rest] = path.split(".");
  if (word === "*" && Array.isArray(value)) {
    return value.map((each) => (rest.length === 0 ? each : valueAt(each, rest.join("."))));
  }
  const found = (value as Readonly<Record<string, unknown>> | undefined | null)?.[word] ?? null;
  return rest.length === 0 ? found : valueAt(found, rest.join("."));
}

function textAt(value: unknown, path: string): string {
  const found = valueAt(value, path);
  return typeof found === "string" ? found : JSON.stringify(found);
}

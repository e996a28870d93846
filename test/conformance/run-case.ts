import { setTimeout as pause } from "node:timers/promises";
import type { ConformanceCase, Step } from "./case.ts";
import { Normaliser } from "./normalise.ts";
import type { Answer, Target } from "./target.ts";

/** What a step is answered with, free of everything that differs from run to run. */
export interface StepResult {
  readonly request: string;
  readonly status: number;
  readonly warnings?: readonly string[];
  readonly body?: unknown;
}

const patienceMs = 30_000;

/** Runs the steps of a case in a namespace of its own and returns every answer that counts. */
export async function runCase(
  target: Target,
  { steps }: ConformanceCase,
  id: string,
): Promise<readonly StepResult[]> {
  const namespace = `case-${id}`;
  const normaliser = new Normaliser([
    [namespace, "{ns}"],
    [id, "{id}"],
  ]);
  const fill = (text: string): string => text.replaceAll("{ns}", namespace).replaceAll("{id}", id);
  if (JSON.stringify(steps).includes("{ns}")) await createNamespace(target, namespace);
  try {
    const results: StepResult[] = [];
    for (const step of steps) {
      const answer = await runStep(target, step, fill);
      if (step.prepare === true) {
        if (answer.status >= 300)
          throw new Error(`${step.method} ${step.path}: ${answer.status} ${answer.text}`);
      } else {
        results.push(resultOf(step, answer, normaliser));
      }
    }
    return results;
  } finally {
    await target.send({ method: "DELETE", path: `/api/v1/namespaces/${namespace}`, headers: {} });
  }
}

/** A namespace is ready for pods once its service account is there. */
async function createNamespace(target: Target, name: string): Promise<void> {
  await target.send({
    method: "POST",
    path: "/api/v1/namespaces",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ apiVersion: "v1", kind: "Namespace", metadata: { name } }),
  });
  const path = `/api/v1/namespaces/${name}/serviceaccounts/default`;
  const deadline = Date.now() + patienceMs;
  while ((await target.send({ method: "GET", path, headers: {} })).status !== 200) {
    if (Date.now() > deadline) throw new Error(`namespace ${name} got no service account`);
    await pause(10);
  }
}

async function runStep(
  target: Target,
  step: Step,
  fill: (text: string) => string,
): Promise<Answer> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const answer = await sendStep(target, step, fill);
    if (step.until === undefined) return answer;
    const [path, value] = step.until;
    if (textAt(parse(answer.text), path) === fill(value)) return answer;
    if (Date.now() > deadline)
      throw new Error(`${step.path}: ${path} did not become ${value}: ${answer.text}`);
    await pause(20);
  }
}

function sendStep(target: Target, step: Step, fill: (text: string) => string): Promise<Answer> {
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
    },
    ...(body === undefined ? {} : { body }),
    ...(isWatch ? { lines: step.events ?? 1 } : {}),
  });
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
  const kept =
    step.keep === undefined || Array.isArray(parsed)
      ? parsed
      : Object.fromEntries(step.keep.map((path) => [path, valueAt(parsed, path)]));
  return {
    request: `${step.method} ${step.path}`,
    status,
    ...(warnings.length === 0 ? {} : { warnings: normaliser.value(warnings) as readonly string[] }),
    body: normaliser.value(kept),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function valueAt(value: unknown, path: string): unknown {
  return (
    path
      .split(".")
      .reduce<unknown>(
        (current, word) =>
          (current as Readonly<Record<string, unknown>> | undefined | null)?.[word],
        value,
      ) ?? null
  );
}

function textAt(value: unknown, path: string): string {
  const found = valueAt(value, path);
  return typeof found === "string" ? found : JSON.stringify(found);
}

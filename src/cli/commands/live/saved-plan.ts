import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fail, shellWord } from "../../../diagnostics/index.ts";
import type { GroupReference } from "../../../inventory/index.ts";
import { stringifyJson } from "../../../json/index.ts";
import type { Plan } from "../../../plan/index.ts";
import { replacePrivateFile } from "../../../processes/private-file.ts";
import { keepPlan, type KeptPlan } from "../../../engine/index.ts";
import type { CliContext } from "../../context.ts";

/** What is in the file of a plan. */
export interface PlanFile extends KeptPlan {
  /** What was planned, for plans that are applied by their name alone. */
  readonly origin?: PlanOrigin;
}

export interface PlanOrigin {
  readonly input: string;
  readonly env: string;
  readonly namespace: string;
}

/** The file has the form of an object that is not for the cluster: it may lie beside those that are. */
const wrapper = {
  apiVersion: "keelson.dev/v1",
  kind: "SavedPlan",
  metadata: {
    name: "plan",
    annotations: { "config.kubernetes.io/local-config": "true" },
  },
} as const;

export function writeSavedPlan(
  context: CliContext,
  file: string,
  plan: Plan,
  { group, origin }: { readonly group: GroupReference; readonly origin?: PlanOrigin },
): void {
  const content: PlanFile = {
    ...keepPlan(plan, group),
    ...(origin === undefined ? {} : { origin }),
  };
  try {
    replacePrivateFile(
      resolve(context.workingDirectory, file),
      `${stringifyJson({ ...wrapper, spec: content })}\n`,
    );
  } catch (error) {
    fail({
      code: "live.plan-file",
      summary: `the plan cannot be saved: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
}

/** Whether a file is a saved plan rather than a source. */
export async function isSavedPlan(context: CliContext, file: string): Promise<boolean> {
  if (!/\.(?:json|plan)$/.test(file)) return false;
  try {
    return (await readWrapped(context, file)).kind === wrapper.kind;
  } catch {
    return false;
  }
}

interface Wrapped {
  readonly kind?: unknown;
  readonly apiVersion?: unknown;
  readonly spec?: Partial<PlanFile>;
}

async function readWrapped(context: CliContext, file: string): Promise<Wrapped> {
  const text = await readFile(resolve(context.workingDirectory, file), "utf8");
  return (JSON.parse(text) as Wrapped | null) ?? {};
}

export async function readSavedPlan(context: CliContext, file: string): Promise<PlanFile> {
  let content: Wrapped;
  try {
    content = await readWrapped(context, file);
  } catch (error) {
    return fail({
      code: "live.plan-file",
      summary: `the plan ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      hint: `make one with \`keelson live plan --save ${shellWord(file)}\``,
    });
  }
  const { kind, apiVersion, spec } = content;
  const isPlan =
    kind === wrapper.kind &&
    apiVersion === wrapper.apiVersion &&
    Array.isArray(spec?.objects) &&
    typeof spec.key === "string";
  if (!isPlan) {
    fail({
      code: "live.plan-file",
      summary: `${file} is not a plan that this version of Keelson has saved`,
      hint: `make one with \`keelson live plan --save ${shellWord(file)}\``,
    });
  }
  return spec as PlanFile;
}

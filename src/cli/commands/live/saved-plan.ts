import { createHmac, randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { fail } from "../../../diagnostics/index.ts";
import type { GroupReference } from "../../../inventory/index.ts";
import { stringifyJson } from "../../../objects/index.ts";
import {
  type Digest,
  type Plan,
  planDifferences,
  savePlan,
  type SavedPlan,
} from "../../../plan/index.ts";
import type { CliContext } from "../../context.ts";

/** A plan on disk. The key makes digests of secrets useless to whoever has seen others. */
interface PlanFile extends SavedPlan {
  readonly key: string;
}

const mostListed = 20;

export async function writeSavedPlan(
  context: CliContext,
  file: string,
  plan: Plan,
  group: GroupReference,
): Promise<void> {
  const key = randomBytes(16).toString("hex");
  const content: PlanFile = { key, ...savePlan(plan, group, digestWith(key)) };
  try {
    await writeFile(resolve(context.workingDirectory, file), `${stringifyJson(content)}\n`, {
      mode: 0o600,
    });
  } catch (error) {
    fail({
      code: "live.plan-file",
      summary: `the plan cannot be saved: ${error instanceof Error ? error.message : String(error)}`,
    });
  }
}

export async function readSavedPlan(context: CliContext, file: string): Promise<PlanFile> {
  let content: Partial<PlanFile> | null;
  try {
    content = JSON.parse(
      await readFile(resolve(context.workingDirectory, file), "utf8"),
    ) as Partial<PlanFile> | null;
  } catch (error) {
    return fail({
      code: "live.plan-file",
      summary: `the plan ${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
      hint: `make one with \`keelson live plan --save ${file}\``,
    });
  }
  const isPlan =
    content?.kind === "keelson-plan" &&
    content.version === 1 &&
    Array.isArray(content.objects) &&
    typeof content.key === "string";
  if (!isPlan) {
    fail({
      code: "live.plan-file",
      summary: `${file} is not a plan that this version of Keelson has saved`,
      hint: `make one with \`keelson live plan --save ${file}\``,
    });
  }
  return content as PlanFile;
}

/** Refuses to do anything but what was saved. */
export function requireSamePlan(saved: PlanFile, plan: Plan, group: GroupReference): void {
  const differences = planDifferences(saved, plan, group, digestWith(saved.key));
  if (differences.length === 0) return;
  const more = differences.length - mostListed;
  fail({
    code: "live.plan-outdated",
    summary: "the saved plan no longer holds; nothing was written",
    detail: [...differences.slice(0, mostListed), ...(more > 0 ? [`and ${more} more`] : [])].join(
      "\n",
    ),
    hint: "make a new plan with `keelson live plan --save`, and look at it",
  });
}

function digestWith(key: string): Digest {
  return (value) =>
    createHmac("sha256", key).update(stringifyJson(value)).digest("base64url").slice(0, 22);
}

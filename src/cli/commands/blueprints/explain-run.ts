import {
  explainOwner,
  type Explanation,
  explanationGraph,
  familyOfOwner,
  isBlueprintGroup,
  refusedObjects,
  type Rendered,
} from "../../../blueprints/index.ts";
import { yttRunner } from "../../../controller/index.ts";
import { DiagnosticError, fail } from "../../../diagnostics/index.ts";
import {
  groupOf,
  type KubernetesObject,
  readObjects,
  scopeLookup,
} from "../../../objects/index.ts";
import type { CommandHandler } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { exitCode } from "../../exit-code.ts";
import { inputPaths } from "../../../engine/index.ts";
import { drawGraph } from "../../views/draw-graph.ts";
import { explanationDiff } from "../../views/explanation-diff.ts";
import { explanationJson } from "../../views/explanation-json.ts";
import { explanationLines } from "../../views/explanation-lines.ts";
import type { ExplainFlags } from "./explain.ts";
import { hostOf } from "../../host-of.ts";

export const runExplain: CommandHandler<ExplainFlags, [string]> = async (
  context,
  { file = [], diff, graph, output },
  workload,
) => {
  const platform = await objectsOf(context, file);
  const explanation = await explain(context, workload, platform);
  const { stdout } = context.process;
  if (diff !== undefined) {
    const other = await explain(context, diff, platform);
    stdout.write(explanationDiff(explanation, other, output));
    return exitCode.success;
  }
  if (graph !== undefined) stdout.write(await drawGraph(explanationGraph(explanation), graph));
  else if (output === "json") stdout.write(explanationJson(explanation));
  else stdout.write(explanationLines(explanation, context.style.stdout));
  return isServed(explanation) ? exitCode.success : exitCode.refused;
};

/** Whether the owner would get through, as far as can be told. */
function isServed({ choice, problem, steps }: Explanation): boolean {
  return (
    choice.kind === "chosen" &&
    problem === undefined &&
    steps.every(({ result }) => result.kind !== "problem")
  );
}

async function explain(
  context: CliContext,
  file: string,
  platform: readonly KubernetesObject[],
): Promise<Explanation> {
  const read = await objectsOf(context, [file]);
  const owners = read.filter(isOwner);
  const [owner, ...more] = owners;
  if (owner === undefined || more.length > 0)
    fail({
      code: "blueprints.no-owner",
      summary:
        owner === undefined
          ? `${file} holds no Workload and no Deliverable`
          : `${file} holds ${owners.length} workloads: one is explained at a time`,
      hint: "Name a file with one of them.",
    });
  const all = [...platform, ...read];
  const group = groupOf(owner.apiVersion);
  const family = familyOfOwner(owner.kind);
  const same = all.filter((object) => groupOf(object.apiVersion) === group);
  const blueprints = same.filter(({ kind }) => kind === family?.blueprintKind);
  if (family === undefined || blueprints.length === 0)
    fail({
      code: "blueprints.no-blueprint",
      summary: `there is no ${family?.blueprintKind ?? "blueprint"} of ${group} in the input`,
      hint: "Name the files of the platform: `keelson explain workload.yaml -f platform/`.",
    });
  const scopeOf = scopeLookup({ objects: all });
  const rendered = new Map<string, Rendered>();
  const renderYtt = yttRunner();
  const namespaced = {
    ...owner,
    metadata: { namespace: "default", ...owner.metadata },
  };
  for (;;) {
    const explanation = explainOwner({
      owner: namespaced,
      family,
      blueprints,
      templateOf: (kind, name) =>
        same.find((object) => object.kind === kind && object.metadata.name === name),
      scopeOf: (apiVersion, kind) => scopeOf(groupOf(apiVersion), kind),
      rendered,
    });
    if (explanation.renders.length === 0) return explanation;
    for (const { key, text, context: values } of explanation.renders)
      rendered.set(key, await renderYtt(text, values));
  }
}

function isOwner({ apiVersion, kind }: KubernetesObject): boolean {
  return isBlueprintGroup(groupOf(apiVersion)) && familyOfOwner(kind) !== undefined;
}

async function objectsOf(
  context: CliContext,
  inputs: readonly string[],
): Promise<readonly KubernetesObject[]> {
  const { objects, diagnostics } = await readObjects(inputPaths(hostOf(context), inputs), {
    stdin: context.stdin,
  });
  // What cannot be in a cluster cannot be explained either.
  const found = [...diagnostics, ...refusedObjects(objects)];
  if (found.some(({ severity }) => severity === "error")) throw new DiagnosticError(found);
  return objects.map(({ object }) => object);
}

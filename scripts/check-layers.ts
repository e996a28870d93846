/**
 * The layer rule: imports point only up the list of layers and at the faces of folders, pure folders
 * touch no machine, and an exported name has one definition.
 */
import { glob, readFile } from "node:fs/promises";
import { join, normalize, sep } from "node:path";
import { kubernetesNames, layers, loadedAlone, pureLayers, sharedNames } from "./layers.ts";
import { root } from "./run.ts";

const importPattern =
  /(?:^|[^.\w])(?:import|export)\b[^"'`;]*?["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']\s*\)/g;
const impurePattern = /\bprocess\.|\bDate\.now\(|\bnew Date\(\)|\bMath\.random\(|\bconsole\./;
const machineModules =
  /^node:(?:fs|net|http|http2|https|tls|child_process|os|process|dns|worker_threads|sqlite)/;
const definitionPattern =
  /^export (?:declare )?(?:async )?(?:abstract )?(?:function\*?|const|class|interface|type) (\w+)/gm;
const order = new Map<string, number>(layers.map((layer, index) => [layer, index]));
const problems: string[] = [];
const definedIn = new Map<string, Set<string>>();

for await (const file of glob("src/**/*.ts", { cwd: root })) {
  const layer = layerOf(file);
  if (layer === undefined) continue;
  const text = await readFile(join(root, file), "utf8");
  const isTest = file.endsWith(".test.ts");
  for (const match of text.matchAll(importPattern))
    checkImport(file, layer, match[1] ?? match[2] ?? "", isTest);
  if (isTest) continue;
  if (!kubernetesNames.includes(file.split(sep).join("/")))
    for (const [, name = ""] of text.matchAll(definitionPattern))
      definedIn.set(name, (definedIn.get(name) ?? new Set()).add(file));
  if (pureLayers.includes(layer) && impurePattern.test(stripComments(text))) {
    problems.push(
      `${file}: ${layer}/ is pure: clock, randomness and environment come in as parameters`,
    );
  }
  if (layer !== "cli" && /\bprocess\.exit\b|\bconsole\./.test(stripComments(text))) {
    problems.push(`${file}: process.exit and console belong to cli/`);
  }
}

for (const [name, files] of definedIn)
  if (files.size > 1 && sharedNames[name] === undefined)
    problems.push(`${name} is defined in ${[...files].join(" and ")}: make it one, or rename one`);
for (const name of Object.keys(sharedNames))
  if ((definedIn.get(name)?.size ?? 0) < 2)
    problems.push(`scripts/layers.ts: ${name} has one definition and needs no exception`);

function checkImport(file: string, layer: string, specifier: string, isTest: boolean): void {
  if (!isTest && pureLayers.includes(layer) && machineModules.test(specifier)) {
    problems.push(`${file}: ${layer}/ is pure and may not import ${specifier}`);
  }
  if (!specifier.startsWith(".")) return;
  const target = normalize(join(file, "..", specifier));
  const targetLayer = layerOf(target);
  if (targetLayer === undefined || isTest) return;
  const from = order.get(layer);
  const to = order.get(targetLayer);
  if (from === undefined)
    problems.push(`${file}: the folder ${layer}/ is not in the list of layers`);
  else if (to === undefined)
    problems.push(`${file}: the folder ${targetLayer}/ is not in the list of layers`);
  else if (to > from)
    problems.push(`${file}: ${layer}/ may not import ${specifier}, which is in a lower layer`);
  else if (to < from && !target.endsWith(`${sep}index.ts`) && !isLoadedAlone(target))
    problems.push(`${file}: import ${targetLayer}/ through its index.ts, not ${specifier}`);
}

function isLoadedAlone(target: string): boolean {
  return loadedAlone.includes(target.split(sep).slice(1).join("/"));
}

function layerOf(file: string): string | undefined {
  const parts = file.split(sep);
  return parts[0] === "src" && parts.length > 2 ? parts[1] : undefined;
}

function stripComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|(?<![:"'`])\/\/.*$/gm, "");
}

for (const problem of problems) console.log(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

import { readdir, stat } from "node:fs/promises";
import { basename } from "node:path";
import type { Directive, GivenObject } from "../../assembly/index.ts";
import type { Diagnostic } from "../../diagnostics/index.ts";
import { isResourceGroup } from "../../inventory/index.ts";
import { readObjects } from "../../objects/index.ts";
import type { CliContext } from "../context.ts";
import { inputPaths } from "../input-paths.ts";

/** What a source gives to assembly. */
export interface AssemblyInput {
  readonly objects: readonly GivenObject[];
  readonly directives: readonly Directive[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads any input that can be assembled. Here sources other than plain objects are told apart. */
export async function readAssemblyInput(
  context: CliContext,
  inputs: readonly string[],
): Promise<AssemblyInput> {
  const paths = inputPaths(context, inputs);
  for (const path of paths) if (await isTiltfile(path)) return unsupported(path);
  const { objects, diagnostics } = await readObjects(paths, { stdin: context.stdin });
  return {
    objects: objects.filter(({ object }) => !isResourceGroup(object)),
    directives: [],
    diagnostics,
  };
}

const tiltfileName = /^Tiltfile|\.tiltfile$/;

/** Whether a path is a Tiltfile, or a directory that has one and no objects. */
async function isTiltfile(path: string): Promise<boolean> {
  if (path === "-") return false;
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return tiltfileName.test(basename(path));
  if (found?.isDirectory() !== true) return false;
  const names = await readdir(path).catch((): readonly string[] => []);
  if (!names.includes("Tiltfile")) return false;
  const { diagnostics } = await readObjects([path]);
  return diagnostics.some(({ code }) => code === "objects.directory-empty");
}

function unsupported(path: string): AssemblyInput {
  return {
    objects: [],
    directives: [],
    diagnostics: [
      {
        code: "assembly.unsupported-input",
        severity: "error",
        summary: `${path} is a Tiltfile, which cannot be assembled yet`,
        hint: "Give the files or directories of the objects that it uses.",
      },
    ],
  };
}

import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fail } from "../../diagnostics/index.ts";
import { environmentOf, findProject, inEnvironment } from "../../sources/program/find-project.ts";
import { groupName } from "../../sources/program/inventory-name.ts";
import type { EngineHost } from "../host.ts";
import { folderOf } from "./folder-of.ts";
import { requireEntry } from "./require-entry.ts";

/** What a directory says of itself: in keelson.json, or in package.json its name. */
export interface Project {
  readonly project: string;
  readonly env: string;
  /** The Kubernetes namespace of objects that name none. */
  readonly namespace?: string;
  /** Contexts beside local ones that a dev loop may use. */
  readonly allowedContexts: readonly string[];
  /** The files that say all this. */
  readonly files: readonly string[];
}

/** The project that an input belongs to: of its directory or those above it, else of the working directory. */
export async function readProject(
  host: EngineHost,
  input: string,
  env: string | undefined,
): Promise<Project> {
  const folders = new Set([await folderOf(host, input), host.workingDirectory]);
  for (const folder of folders) {
    const found = findProject(folder);
    if (found.name === undefined) continue;
    await requireEntry(host, input, found);
    const chosen = environmentOf(env, found);
    const { namespace, allowedContexts, files } = inEnvironment(found, chosen);
    return {
      project: groupName(found.name),
      env: chosen,
      allowedContexts,
      files,
      ...(namespace === undefined ? {} : { namespace }),
    };
  }
  if (input !== "-" && !existsSync(resolve(host.workingDirectory, input)))
    fail({
      code: "objects.file-missing",
      summary: `${input} does not exist`,
      hint: "The path is relative to the working directory.",
    });
  const isPackage = existsSync(join(await folderOf(host, input), "resourcegroup.yaml"));
  return fail({
    code: "cli.no-project",
    summary: "nothing says which project this is, so its inventory has no name",
    hint: `write {"project": "shop"} into keelson.json beside the input${isPackage ? ", or use `keelson live`, which takes the inventory of resourcegroup.yaml" : ""}`,
  });
}

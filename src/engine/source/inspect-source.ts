import type { Diagnostic } from "../../diagnostics/index.ts";
import { leadsOutside, readObjects, type SourcedObject } from "../../objects/index.ts";
import type { EngineHost } from "../host.ts";
import { adaptSource } from "./adapt-source.ts";
import { inputPaths } from "./input-paths.ts";
import { programPath } from "./program-path.ts";
import { tiltfilePath } from "./tiltfile-path.ts";

/** An input that was only looked at: what it says as it is, and what could not be known. */
export interface InspectedSource {
  readonly objects: readonly SourcedObject[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Parses and checks inputs. No code of theirs is run: no Tiltfile, no program, no plugin, no command. */
export async function inspectSource(
  host: EngineHost,
  inputs: readonly string[],
): Promise<InspectedSource> {
  const diagnostics: Diagnostic[] = [];
  const files: string[] = [];
  for (const path of inputPaths(host, inputs)) {
    const tiltfile = await tiltfilePath(path);
    const program = tiltfile === undefined ? await programPath(path) : undefined;
    if (tiltfile !== undefined) {
      const { inspectTiltfile } = await import("../../sources/tiltfile/index.ts");
      const { workingDirectory, environment, version } = host;
      const found = inspectTiltfile({ path: tiltfile, workingDirectory, environment, version });
      diagnostics.push(...found.diagnostics);
      files.push(...found.yamlFiles.map(host.pathOf));
    } else if (program !== undefined) {
      const { inspectProgram } = await import("../../sources/program/index.ts");
      diagnostics.push(...(await inspectProgram(program, host.workingDirectory)));
    } else files.push(path);
  }
  if (files.length === 0) return { objects: [], diagnostics };
  const found = await readObjects(files, { stdin: host.stdin, refuse });
  const read = adaptSource({ kind: "objects", ...found });
  return { objects: read.objects, diagnostics: [...diagnostics, ...read.diagnostics] };
}

/** What somebody else wrote can link to files of whoever looks at it. */
function refuse(file: string): Diagnostic | undefined {
  if (!leadsOutside(file)) return undefined;
  return {
    code: "check.not-run",
    severity: "warning",
    summary: `${file} was not read: it is a link to a file outside of its folder`,
  };
}

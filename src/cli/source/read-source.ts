import type { GivenObject } from "../../assembly/index.ts";
import { join } from "node:path";
import { type Diagnostic, fail } from "../../diagnostics/index.ts";
import { likelyKinds, readObjects } from "../../objects/index.ts";
import type { ListsAhead } from "../../observe/index.ts";
import type { KnownOutputs } from "../../resources/index.ts";
import type { Evaluation } from "../../sources/program/index.ts";
import type { TiltfileResult } from "../../sources/tiltfile/index.ts";
import type { CliContext } from "../context.ts";
import { inputPaths } from "../input-paths.ts";
import { adaptSource } from "./adapt-source.ts";
import { programPath } from "./program-path.ts";
import { tiltfilePath } from "./tiltfile-path.ts";

/** What a command was given, whatever it is written in. */
export interface Source {
  readonly objects: readonly GivenObject[];
  /** All that a Tiltfile said, if the input is one. */
  readonly tiltfile?: TiltfileResult;
  /** A program that has been evaluated, if the input is one; it must be closed. */
  readonly program?: Evaluation;
  readonly diagnostics: readonly Diagnostic[];
}

export interface ReadSourceOptions {
  /** The context and namespace that would be used, as Tiltfiles may ask for them. */
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  /** What follows `--`, for the settings of a Tiltfile. */
  readonly args?: readonly string[];
  readonly subcommand?: string;
  /** The environment of a program; of its project unless given. */
  readonly env?: string | undefined;
  /** What earlier stages of a program made known. */
  readonly stage?: KnownOutputs | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Takes what a Tiltfile or a program prints; it goes to standard error unless given. */
  readonly print?: ((text: string) => void) | undefined;
  /** Lists that are worth beginning while the input is read. */
  readonly ahead?: ListsAhead | undefined;
}

/** Reads files, directories, a stream, one Tiltfile or one program, in the terms of today's servers. */
export async function readSource(
  context: CliContext,
  inputs: readonly string[],
  options: ReadSourceOptions = {},
): Promise<Source> {
  return adaptSource(await readAny(context, inputs, options));
}

async function readAny(
  context: CliContext,
  inputs: readonly string[],
  options: ReadSourceOptions,
): Promise<Source> {
  const paths = inputPaths(context, inputs);
  const tiltfiles = await Promise.all(paths.map(tiltfilePath));
  const tiltfile = tiltfiles.find((path) => path !== undefined);
  const programs = tiltfile === undefined ? await Promise.all(paths.map(programPath)) : [];
  const program = programs.find((path) => path !== undefined);
  if (tiltfile === undefined && program === undefined)
    return readObjects(paths, {
      stdin: context.stdin,
      onText: (text) => void options.ahead?.begin(likelyKinds(text)),
    });
  if (paths.length > 1) {
    fail({
      code: "cli.several-sources",
      summary: `${tiltfile ?? program ?? ""} cannot be given together with other inputs`,
      hint: "let it read the other inputs itself",
    });
  }
  if (tiltfile === undefined) return readProgram(context, program ?? "", options);
  const read = await readTiltfile(context, tiltfile, options);
  return { objects: read.objects, tiltfile: read, diagnostics: read.diagnostics };
}

async function readProgram(
  context: CliContext,
  path: string,
  {
    env: environment,
    signal,
    stage,
    print = (text) => context.process.stderr.write(text),
  }: ReadSourceOptions,
): Promise<Source> {
  const { env } = context.process;
  const { cacheFolder } = await import("../../cluster/index.ts");
  const { evaluateProgram } = await import("../../sources/program/index.ts");
  const program = await evaluateProgram({
    path,
    env: environment,
    workingFolder: context.workingDirectory,
    print,
    signal,
    stage,
    cacheFolder: join(cacheFolder(env, env["HOME"] ?? env["USERPROFILE"] ?? ""), "programs"),
  });
  return { objects: [], program, diagnostics: [...program.diagnostics, ...program.graph.notes] };
}

async function readTiltfile(
  context: CliContext,
  path: string,
  options: ReadSourceOptions,
): Promise<TiltfileResult> {
  const { evaluateTiltfile } = await import("../../sources/tiltfile/index.ts");
  const { context: clusterContext, namespace, args = [], subcommand, signal } = options;
  const { dim } = context.style.stderr;
  const print = options.print ?? ((text) => context.process.stderr.write(`${dim(text)}\n`));
  return evaluateTiltfile({
    path,
    args,
    workingDirectory: context.workingDirectory,
    environment: context.process.env,
    version: context.version,
    signal,
    ...(subcommand === undefined ? {} : { subcommand }),
    ...(clusterContext === undefined ? {} : { context: clusterContext }),
    ...(namespace === undefined ? {} : { namespace }),
    onOutput: ({ text, kind }) => {
      // Warnings are diagnostics too, and are told as such.
      if (kind !== "warning") print(text);
    },
  });
}

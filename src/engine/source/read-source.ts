import type { GivenObject } from "../../assembly/index.ts";
import { join } from "node:path";
import { type Diagnostic, fail, safeLine, shellWord } from "../../diagnostics/index.ts";
import { likelyKinds, readObjects } from "../../objects/index.ts";
import type { ClusterReads } from "../../observe/index.ts";
import { cacheFolder } from "../../processes/user-folders.ts";
import type { KnownOutputs } from "../../resources/index.ts";
import type { Evaluation } from "../../sources/program/index.ts";
import type { TiltfileResult } from "../../sources/tiltfile/index.ts";
import type { EngineHost } from "../host.ts";
import { inputPaths } from "./input-paths.ts";
import { adaptSource } from "./adapt-source.ts";
import { programPath } from "./program-path.ts";
import { tiltfilePath } from "./tiltfile-path.ts";

/** An input that has been read, whatever it is written in. */
export type Source = ObjectsSource | TiltfileSource | ProgramSource;

interface ReadObjects {
  readonly objects: readonly GivenObject[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface ObjectsSource extends ReadObjects {
  readonly kind: "objects";
  /** Documents that cannot be read were left out, as was asked for. */
  readonly isRest?: boolean | undefined;
}

export interface TiltfileSource extends ReadObjects {
  readonly kind: "tiltfile";
  readonly tiltfile: TiltfileResult;
}

/** A program that has been evaluated; it must be closed. */
export interface ProgramSource extends ReadObjects {
  readonly kind: "program";
  readonly program: Evaluation;
}

/** Ends what still runs for a source. */
export async function closeSource(source: Source): Promise<void> {
  if (source.kind === "program") await source.program.close();
}

export interface ReadSourceOptions {
  /** The context and namespace that would be used, as Tiltfiles may ask for them. */
  readonly context?: string | undefined;
  readonly namespace?: string | undefined;
  /** What follows `--`, for the settings of a Tiltfile. */
  readonly args?: readonly string[] | undefined;
  readonly subcommand?: string;
  /** The environment of a program; of its project unless given. */
  readonly env?: string | undefined;
  /** What earlier stages of a program made known. */
  readonly stage?: KnownOutputs | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Takes what a Tiltfile or a program prints; the host takes it unless given. */
  readonly print?: ((text: string) => void) | undefined;
  /** Whether every command that a Tiltfile runs is announced: for those who only want to look. */
  readonly announcesCommands?: boolean | undefined;
  /** Whether objects that are invalid are left out of a run, and do not end it. */
  readonly skipsInvalid?: boolean | undefined;
  /** Where lists are begun while the input is read. */
  readonly reads?: Pick<ClusterReads, "begin"> | undefined;
}

/** Reads files, directories, a stream, one Tiltfile or one program, in the terms of today's servers. */
export async function readSource(
  host: EngineHost,
  inputs: readonly string[],
  options: ReadSourceOptions = {},
): Promise<Source> {
  return adaptSource(await readAny(host, inputs, options));
}

async function readAny(
  host: EngineHost,
  inputs: readonly string[],
  options: ReadSourceOptions,
): Promise<Source> {
  const paths = inputPaths(host, inputs);
  const tiltfiles = await Promise.all(paths.map(tiltfilePath));
  const tiltfile = tiltfiles.find((path) => path !== undefined);
  const programs = tiltfile === undefined ? await Promise.all(paths.map(programPath)) : [];
  const program = programs.find((path) => path !== undefined);
  if (tiltfile === undefined && program === undefined)
    return {
      kind: "objects",
      ...(await readObjects(paths, {
        stdin: host.stdin,
        keepsInvalid: options.skipsInvalid,
        onText: (text) => void options.reads?.begin(likelyKinds(text)),
      })),
    };
  if (paths.length > 1) {
    fail({
      code: "cli.several-sources",
      summary: `${tiltfile ?? program ?? ""} cannot be given together with other inputs`,
      hint: "let it read the other inputs itself",
    });
  }
  if (tiltfile === undefined) return readProgram(host, program ?? "", options);
  const read = await readTiltfile(host, tiltfile, options);
  const { objects, diagnostics } = read;
  return { kind: "tiltfile", objects, tiltfile: read, diagnostics };
}

async function readProgram(
  host: EngineHost,
  path: string,
  {
    env: environment,
    signal,
    stage,
    print = (text) => {
      host.print(text, "program");
    },
  }: ReadSourceOptions,
): Promise<ProgramSource> {
  const { environment: env } = host;
  const { evaluateProgram } = await import("../../sources/program/index.ts");
  const program = await evaluateProgram({
    path,
    env: environment,
    workingFolder: host.workingDirectory,
    print,
    signal,
    stage,
    cacheFolder: join(cacheFolder(env), "programs"),
  });
  const diagnostics = [...program.diagnostics, ...program.graph.notes];
  return { kind: "program", objects: [], program, diagnostics };
}

async function readTiltfile(
  host: EngineHost,
  path: string,
  options: ReadSourceOptions,
): Promise<TiltfileResult> {
  const { evaluateTiltfile } = await import("../../sources/tiltfile/index.ts");
  const { context: clusterContext, namespace, args = [], subcommand, signal } = options;
  const { announcesCommands = false } = options;
  const print =
    options.print ??
    ((text: string): void => {
      host.print(`${text}\n`, "tiltfile");
    });
  return evaluateTiltfile({
    path,
    args,
    workingDirectory: host.workingDirectory,
    environment: host.environment,
    version: host.version,
    signal,
    ...(subcommand === undefined ? {} : { subcommand }),
    ...(clusterContext === undefined ? {} : { context: clusterContext }),
    ...(namespace === undefined ? {} : { namespace }),
    onOutput: ({ text, kind }) => {
      // Warnings are diagnostics too, and are told as such; what is announced need not be echoed.
      if (kind !== "warning" && !(kind === "echo" && announcesCommands)) print(text);
    },
    ...(announcesCommands
      ? {
          onRun: ({ command }) => {
            print(`running: ${safeLine(commandText(command))}`);
          },
        }
      : {}),
  });
}

/** A command as somebody would type it. */
function commandText([program = "", ...args]: readonly string[]): string {
  const [flag, text, ...more] = args;
  if (program === "sh" && flag === "-c" && text !== undefined && more.length === 0) return text;
  return [program, ...args].map(shellWord).join(" ");
}

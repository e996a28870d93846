import { run } from "@stricli/core";
import { beforeForeignCode } from "../processes/foreign-code.ts";
import { commandGroups, createApplication } from "./application.ts";
import { type CliContext, createContext } from "./context.ts";
import { exitCode } from "./exit-code.ts";
import { ownStreams } from "./own-streams.ts";
import { outputOf } from "./output-flag.ts";
import { diagnosticsOf, report } from "./report.ts";

/** Runs one command line on this process and returns its exit code. */
export async function main(args: readonly string[], version: string): Promise<number> {
  endQuietlyWhenReaderIsGone(process.stdout);
  const context = createContext({
    ...ownStreams(process),
    stdin: process.stdin,
    env: process.env,
    workingDirectory: process.cwd(),
    version,
    color: !withoutOperands(args).includes("--no-color"),
  });
  sayDefects(args, context);
  beforeForeignCode(async () => {
    const { divertOutput } = await import("../processes/divert-output.ts");
    divertOutput({ keepsPaths: args.some(isStandardOutput) });
  });
  return runCommandLine(args, context);
}

/** Whoever names it on the command line, as `--out=/dev/stdout`, means it. */
function isStandardOutput(arg: string): boolean {
  return /\/(?:stdout|fd\/1)$/.test(arg);
}

/** What nobody caught is said like any other defect: Node would print it as it is. */
function sayDefects(args: readonly string[], context: CliContext): void {
  process.on("uncaughtException", (error) => {
    const debug = (context.process.env["KEELSON_DEBUG"] ?? "") !== "";
    report(context, diagnosticsOf(error, debug), outputOf(args));
    process.exit(exitCode.invalid);
  });
}

/** Words that are followed by the name of a command. */
const groups: ReadonlySet<string> = new Set(["live", "sandbox", "completion"]);

/** Runs one command line in a given context; the tests use it directly. */
export async function runCommandLine(
  args: readonly string[],
  context: CliContext,
): Promise<number> {
  const words = spellOut(removeColorFlag(args));
  const command = [
    "keelson",
    ...words.slice(0, words.findIndex((word) => word.startsWith("-")) >>> 0),
  ];
  const application = createApplication({
    version: context.version,
    output: outputOf(words),
    command: command.slice(0, groups.has(command[1] ?? "") ? 3 : 2).join(" "),
  });
  const { process } = context;
  const errors = outputOf(words) === "json" ? process.stdout : process.stderr;
  let help = "";
  const frameworkProcess: CliContext["process"] = {
    stdout: {
      ...process.stdout,
      write: (text) => {
        if (text.startsWith("USAGE\n")) help += text;
        else process.stdout.write(text);
      },
    },
    stderr: errors,
    env: process.env,
  };
  await run(application, words, {
    process: frameworkProcess,
    // What the framework says of bad flags is an answer like any other, and stands where those stand.
    forCommand: () => ({ ...context, process: frameworkProcess, forCommands: context }),
  });
  if (help !== "") await printHelp(help, context);
  const code = Number(process.exitCode ?? frameworkProcess.exitCode ?? exitCode.success);
  // The framework reports its own refusals as negative numbers; for a user they are usage errors.
  return code < 0 ? exitCode.invalid : code;
}

/** What the framework says of commands, in an order and a width in which people can read it. */
async function printHelp(help: string, { process: { stdout } }: CliContext): Promise<void> {
  const { formatHelp, formatOverview } = await import("./help/format-help.ts");
  const isOverview = /^ {2}keelson --version$/m.test(help);
  const text = isOverview
    ? formatOverview(help, commandGroups, stdout.columns)
    : formatHelp(help, stdout.columns);
  stdout.write(text);
}

function removeColorFlag(args: readonly string[]): readonly string[] {
  const flags = withoutOperands(args).filter((arg) => arg !== "--no-color");
  return [...flags, ...args.slice(withoutOperands(args).length)];
}

/** The short form of a flag that is longer than a letter, which the framework does not know. */
function spellOut(args: readonly string[]): readonly string[] {
  if (args[0] !== "live") return args;
  const flags = withoutOperands(args).map((arg) => arg.replace(/^--rg(?==|$)/, "--rg-file"));
  return [...flags, ...args.slice(flags.length)];
}

function withoutOperands(args: readonly string[]): readonly string[] {
  const end = args.indexOf("--");
  return end === -1 ? args : args.slice(0, end);
}

/** `keelson … | head` is not an error. */
function endQuietlyWhenReaderIsGone(stream: NodeJS.WriteStream): void {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
    process.exit(exitCode.success);
  });
}

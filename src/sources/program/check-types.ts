import { runToEnd } from "../../processes/index.ts";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Diagnostic, excerptOf } from "../../diagnostics/index.ts";
import { leadsOutside } from "../../objects/index.ts";
import { findUpwards } from "./find-project.ts";
import { ownFiles } from "./own-files.ts";
import { readProgramProject } from "./project.ts";

export interface CheckTypesOptions {
  /** A program, or the directory of one. */
  readonly path: string;
  /** What paths in messages are relative to. */
  readonly workingFolder: string;
  /** The only folder whose texts may be shown; of other files, it is said only where errors are. */
  readonly shownFolder?: string | undefined;
  /** Files from which the compiler is looked for as a package, the first one that finds it. */
  readonly compilerFrom?: readonly string[] | undefined;
}

const longestCheckMs = 300_000;
/** Whatever the settings of a project say: a check only looks. */
const writesNothing =
  "--noEmit --incremental false --composite false --tsBuildInfoFile null --generateTrace null".split(
    " ",
  );

/**
 * Lets the TypeScript compiler check a program: the one of its project, else the one that is installed
 * beside Keelson. It takes the nearest tsconfig.json, else what `keelson init` would write.
 */
export async function checkTypes({
  path,
  workingFolder,
  shownFolder,
  compilerFrom,
}: CheckTypesOptions): Promise<readonly Diagnostic[]> {
  const { main } = readProgramProject({ path });
  const config = findUpwards(dirname(main), "tsconfig.json");
  // A program in JavaScript has types only if its project asks for them.
  if (config === undefined && !/\.m?ts$/.test(main)) return [];
  const compiler = findCompiler(compilerFrom ?? [main, fileURLToPath(ownFiles().library)]);
  if (compiler === undefined) return [withoutCompiler(main, workingFolder)];
  // A project in which nothing is installed yet is checked with the types that are part of Keelson.
  const isOwnConfigEnough = config !== undefined && hasKeelson(main);
  const scratch = isOwnConfigEnough ? undefined : mkdtempSync(join(tmpdir(), "keelson-types-"));
  try {
    const used = scratch === undefined ? config : writeConfig(scratch, main, config);
    const { output, status } = await run(
      compiler,
      ["-p", used ?? "", ...writesNothing],
      workingFolder,
    );
    const found = readOutput(output, workingFolder, shownFolder);
    return status === 0 || found.length > 0 ? found : [compilerFailed(compiler, output)];
  } finally {
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
  }
}

function findCompiler(places: readonly string[]): string | undefined {
  for (const from of places) {
    try {
      const manifest = createRequire(from).resolve("typescript/package.json");
      const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as {
        readonly bin?: { readonly tsc?: string };
      };
      const file = bin?.tsc === undefined ? undefined : join(dirname(manifest), bin.tsc);
      if (file !== undefined && existsSync(file)) return file;
    } catch {
      // Not there: the next place may have it.
    }
  }
  return undefined;
}

function hasKeelson(main: string): boolean {
  try {
    createRequire(main).resolve("keelson/package.json");
    return true;
  } catch {
    return false;
  }
}

/** The project's own settings, else what `keelson init` writes; Keelson's types are found without a package. */
function writeConfig(folder: string, main: string, own: string | undefined): string {
  const file = join(folder, "tsconfig.json");
  const types = ownTypes();
  const usual = {
    target: "esnext",
    module: "nodenext",
    strict: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    types: [],
  };
  const compilerOptions = {
    ...(own === undefined ? usual : {}),
    ...(types === undefined ? {} : { paths: { keelson: [types] } }),
  };
  const base = own === undefined ? {} : { extends: own };
  writeFileSync(file, JSON.stringify({ ...base, compilerOptions, files: [main] }));
  return file;
}

function ownTypes(): string | undefined {
  const manifest = findUpwards(fileURLToPath(ownFiles().folder), "package.json");
  const file = manifest === undefined ? "" : join(dirname(manifest), "dist/types/index.d.ts");
  return existsSync(file) ? file : undefined;
}

async function run(
  compiler: string,
  args: readonly string[],
  folder: string,
): Promise<{ readonly output: string; readonly status: number | undefined }> {
  const ended = await runToEnd({
    command: [process.execPath, compiler, ...args, "--pretty", "false"],
    directory: folder,
    environment: process.env,
    timeoutMs: longestCheckMs,
    mostOutputBytes: mostCheckOutput,
  });
  if (ended.kind === "not-started") throw ended.error;
  if (ended.kind === "stopped") return { output: "", status: undefined };
  return { output: ended.stdout + ended.stderr, status: ended.status };
}

const mostCheckOutput = 64 * 1024 * 1024;
const errorLine = /^(?:(.+)\((\d+),(\d+)\): )?error (TS\d+): (.*)$/;

/** Each error is a line; what it says beyond that follows, indented. */
function readOutput(
  output: string,
  folder: string,
  shownFolder: string | undefined,
): readonly Diagnostic[] {
  const found: { readonly head: RegExpExecArray; readonly more: string[] }[] = [];
  for (const line of output.split(/\r?\n/)) {
    const head = errorLine.exec(line);
    if (head !== null) found.push({ head, more: [] });
    else if (line.startsWith(" ")) found.at(-1)?.more.push(line.slice(2));
  }
  return found.map(({ head: [, file, line, column, code = "", message = ""], more }) => {
    const source =
      file === undefined ? undefined : placeOf(file, Number(line), Number(column), folder);
    const isShown =
      file === undefined ||
      shownFolder === undefined ||
      !leadsOutside(resolve(folder, file), shownFolder);
    return {
      code: "program.type-error",
      severity: "error",
      summary: `${isShown ? message : "an error in a file outside of the project, which is not shown"} (${code})`,
      ...(more.length === 0 || !isShown ? {} : { detail: more.join("\n") }),
      ...(code === "TS2307" && message.includes("'keelson'")
        ? { hint: "npm install --save-dev keelson, which brings its types" }
        : {}),
      ...(source === undefined
        ? {}
        : { source: isShown ? source : { file: source.file, start: source.start } }),
    };
  });
}

function placeOf(
  file: string,
  line: number,
  column: number,
  folder: string,
): NonNullable<Diagnostic["source"]> {
  const path = resolve(folder, file);
  const text = existsSync(path) ? readFileSync(path, "utf8") : "";
  return {
    file: relative(folder, path),
    start: { line, column },
    excerpt: excerptOf(text, line),
  };
}

function withoutCompiler(main: string, folder: string): Diagnostic {
  return {
    code: "program.types-not-checked",
    severity: "warning",
    summary: `the types of ${relative(folder, main)} were not checked: TypeScript is not installed`,
    hint: "npm install --save-dev typescript",
  };
}

function compilerFailed(compiler: string, output: string): Diagnostic {
  return {
    code: "program.types-not-checked",
    severity: "error",
    summary: `${compiler} could not check the types`,
    ...(output.trim() === "" ? {} : { detail: output.trim().slice(0, 2000) }),
  };
}

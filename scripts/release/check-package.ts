import { createReadStream } from "node:fs";
import { readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { checkTypes } from "./check-types.ts";
import { withInstalled } from "./install-package.ts";
import { execute } from "./npm.ts";
import { fileProblems } from "./package-files.ts";

export interface PackedPackage {
  readonly tarball: string;
  readonly files: readonly string[];
}

interface Manifest {
  readonly scripts?: unknown;
  readonly name: string;
  readonly version: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

/** Looks at a tarball as those do who install it. Throws what is wrong. */
export async function checkPackage(
  { tarball, files }: PackedPackage,
  root: string,
  say: (line: string) => void,
): Promise<void> {
  await withInstalled(tarball, root, async (folder) => {
    const installed = join(folder, "node_modules/keelson");
    const manifest = JSON.parse(
      await readFile(join(installed, "package.json"), "utf8"),
    ) as Manifest;
    failWith([
      ...fileProblems(files, manifest),
      ...(manifest.scripts === undefined ? [] : ["package.json has scripts of the checkout"]),
      ...(await leakedPaths(installed, files, root)),
      ...(await lint(tarball)),
    ]);
    say("files and manifest are in order (publint, strict)");
    await symlink(join(root, "node_modules/typescript"), join(folder, "node_modules/typescript"));
    const specifiers = exportsOf(manifest);
    await runImports(folder, manifest, specifiers);
    say(`Node imports ${specifiers.length} exports, and the command runs`);
    const compiler = join(root, "node_modules/.bin/tsc");
    await checkTypes(folder, specifiers, compiler);
    say("types resolve for node16, nodenext and bundler");
  });
}

function failWith(problems: readonly string[]): void {
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

async function lint(tarball: string): Promise<readonly string[]> {
  const stream = Readable.toWeb(createReadStream(tarball));
  const { messages, pkg } = await publint({ pack: { tarball: stream }, strict: true });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

/** Nothing tells where a package was built. */
async function leakedPaths(
  folder: string,
  files: readonly string[],
  root: string,
): Promise<readonly string[]> {
  const texts = await Promise.all(
    files.map(async (file) => ({ file, text: await readFile(join(folder, file), "utf8") })),
  );
  return texts
    .filter(({ text }) => text.includes(`${root}/`) || text.includes("/keelson-release-"))
    .map(({ file }) => `${file} names a folder of this machine`);
}

/** The modules that users can import. */
function exportsOf({ name, exports }: Manifest): readonly string[] {
  return Object.entries(exports)
    .filter(([, target]) => typeof target !== "string")
    .map(([path]) => path.replace(".", name));
}

async function runImports(
  folder: string,
  { name, version }: Manifest,
  specifiers: readonly string[],
): Promise<void> {
  const script = `
    for (const name of ${JSON.stringify(specifiers)})
      if (Object.keys(await import(name)).length === 0) throw new Error(name + " exports nothing");
    for (const file of ["package.json", "schema/keelson.schema.json"])
      await import("${name}/" + file, { with: { type: "json" } });
  `;
  await execute(process.execPath, ["--input-type=module", "--eval", script], folder);
  const command = join(folder, "node_modules", name, "bin/keelson.js");
  const printed = await execute(process.execPath, [command, "--version"], folder);
  if (printed.trim() !== version) throw new Error(`keelson --version prints ${printed.trim()}`);
  await execute(process.execPath, [command, "init", "started"], folder);
  // With the compiler beside it, this also checks the program with the types of the package.
  await execute(process.execPath, [command, "check", "started"], folder);
}

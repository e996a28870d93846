/**
 * Makes and checks what is published of a version, in `release/`: the tarball, its SBOM, the licences of what
 * is in it, and checksums. With `--allow-dirty` it does so although something is not committed, or the
 * changelog is not finished; `--out FOLDER` names another folder.
 */
import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { releaseDate } from "./release/changelog.ts";
import { checkPackage } from "./release/check-package.ts";
import { licenseList } from "./release/licenses.ts";
import { execute, npm } from "./release/npm.ts";
import { reduceManifest } from "./release/published-manifest.ts";
import { requireCommitted } from "./release/require-committed.ts";
import { makeSbom } from "./release/sbom.ts";
import { inCopyOf } from "./release/stage.ts";
import { root } from "./run.ts";
import { packagesInNotices } from "./third-party-notices.ts";

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string }[];
}

const { values } = parseArgs({
  options: {
    "allow-dirty": { type: "boolean", default: false },
    out: { type: "string", default: "release" },
  },
});
const out = resolve(root, values.out);

try {
  await release();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function release(): Promise<void> {
  if (!values["allow-dirty"]) await requireCommitted(root);
  const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as {
    readonly version: string;
  };
  const date = await dateOf(version);
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const packed = await inCopyOf(root, (folder) => build(folder, date));
  const tarball = join(out, packed.filename);
  const files = packed.files.map(({ path }) => path);
  await checkPackage({ tarball, files }, root, (line) => {
    console.log(`ok   ${line}`);
  });
  await writeChecksums();
  console.log(
    `${packed.filename}: ${files.length} files, ${kilobytes(packed.size)} packed, ${kilobytes(packed.unpackedSize)} unpacked`,
  );
}

async function dateOf(version: string): Promise<string> {
  const text = await readFile(join(root, "CHANGELOG.md"), "utf8");
  const { date, problem } = releaseDate(text, version);
  if (problem === undefined) return date;
  if (!values["allow-dirty"]) throw new Error(problem);
  console.error(problem);
  return new Date().toISOString().slice(0, 10);
}

/** Builds and packs the copy of a checkout. */
async function build(folder: string, date: string): Promise<Packed> {
  const dist = join(folder, "dist");
  await execute(process.execPath, ["scripts/build.ts"], folder);
  const notices = await readFile(join(dist, "THIRD-PARTY-NOTICES.md"), "utf8");
  const sbom = await makeSbom(folder, packagesInNotices(notices), date);
  const { page, problems } = licenseList(sbom);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  await writeFile(join(dist, "LICENSES.md"), page);
  await writeFile(join(dist, "sbom.cdx.json"), `${JSON.stringify(sbom, undefined, 2)}\n`);
  for (const file of ["LICENSES.md", "sbom.cdx.json"])
    await copyFile(join(dist, file), join(out, file));
  await reduceManifest(folder);
  const printed = await npm(
    folder,
    "pack",
    "--ignore-scripts",
    "--json",
    "--pack-destination",
    out,
  );
  const [packed] = Object.values(JSON.parse(printed) as Readonly<Record<string, Packed>>);
  if (packed === undefined) throw new Error("npm pack has packed nothing");
  return packed;
}

async function writeChecksums(): Promise<void> {
  const lines: string[] = [];
  for (const file of (await readdir(out)).toSorted()) {
    const sum = createHash("sha256")
      .update(await readFile(join(out, file)))
      .digest("hex");
    lines.push(`${sum}  ${file}\n`);
  }
  await writeFile(join(out, "SHA256SUMS"), lines.join(""));
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`;
}

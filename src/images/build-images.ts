import {
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  readlink,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Slots } from "../apply/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import type { BuildEvent } from "../events/index.ts";
import type { BuildDefinition, CustomBuild, DockerBuild } from "./build-definition.ts";
import type { BuiltImages } from "./built-images.ts";
import type { Builder } from "./builder.ts";
import { contextFiles } from "./context-files.ts";
import { guardInput, type InputGuard } from "./input-guard.ts";
import type { PlannedImage } from "./planned-image.ts";
import type { CommandEnd, RunCommand } from "./run-command.ts";
import { withBuiltBases } from "./with-built-bases.ts";

export interface BuildImagesOptions {
  /** Not needed by images that only commands of the user know. */
  readonly builder: Builder | undefined;
  readonly run: RunCommand;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Whether images are pushed to where their references say. */
  readonly pushes: boolean;
  readonly mostAtOnce: number;
  /** What others have built, or are building. */
  readonly built: BuiltImages;
  readonly emit: (event: BuildEvent) => void;
  readonly signal: AbortSignal;
}

/**
 * Builds images, bases before what is built from them, and gives what the cluster calls each. An
 * image whose reference exists already was built from the same input and is not built again.
 */
export async function buildImages(
  images: readonly PlannedImage[],
  options: BuildImagesOptions,
): Promise<ReadonlyMap<string, string>> {
  const slots = new Slots(Math.max(1, options.mostAtOnce));
  const wanted = images.map((image) => {
    const bases = [...image.baseReferences.values()].flatMap(
      (base) => options.built.building(base) ?? [],
    );
    const building = options.built.build(image.reference, async () => {
      await Promise.all(bases);
      return slots.run(() => buildImage(image, options));
    });
    return { reference: image.build.reference, building };
  });
  const outcomes = await Promise.allSettled(wanted.map(({ building }) => building));
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason as unknown] : [],
  );
  const [defect] = failures.filter((failure) => !(failure instanceof DiagnosticError));
  if (defect !== undefined) throw defect;
  // What is built from a failed base fails with the same error; it is told once.
  const diagnostics = failures.flatMap((failure) =>
    failure instanceof DiagnosticError ? failure.diagnostics : [],
  );
  if (diagnostics.length > 0) throw new DiagnosticError([...new Set(diagnostics)]);
  const names = await Promise.all(wanted.map(({ building }) => building));
  return new Map(wanted.map(({ reference }, index) => [reference, names[index] ?? ""]));
}

async function buildImage(image: PlannedImage, options: BuildImagesOptions): Promise<string> {
  const { build, reference } = image;
  const tell = (status: BuildEvent["status"], message?: string): void => {
    options.emit({ type: "build", image: build.reference, status, message });
  };
  if (!needsNoBuilder(build) && (await isThere(reference, options))) {
    tell("cached", reference);
  } else {
    const requireSame = await guardInput(image);
    tell("started", reference);
    const given =
      build.kind === "docker"
        ? await buildDocker(image, build, requireSame, options, tell)
        : await buildCustom(image, build, requireSame, options, tell);
    tell("successful", given ?? reference);
    if (given !== undefined) return given;
  }
  const pushesItself = build.kind === "custom" && (build.pushesItself || build.skipsLocalStore);
  if (options.pushes && !pushesItself) {
    const end = await command(builderOf(options).push(reference), process.cwd(), options, tell);
    requireSuccess(end, `${build.reference} could not be pushed to ${reference}`, image);
  }
  return image.clusterReference;
}

/** Whether an image is made and kept by commands of the user, wherever that is. */
export function needsNoBuilder(build: BuildDefinition): boolean {
  return build.kind === "custom" && build.skipsLocalStore;
}

function builderOf({ builder }: BuildImagesOptions): Builder {
  if (builder === undefined) throw new Error("a builder is needed and was not looked for");
  return builder;
}

type Tell = (status: BuildEvent["status"], message?: string) => void;

async function isThere(reference: string, options: BuildImagesOptions): Promise<boolean> {
  const end = await command(builderOf(options).exists(reference), process.cwd(), options);
  return end.status === 0;
}

async function buildDocker(
  image: PlannedImage,
  build: DockerBuild,
  requireSame: InputGuard,
  options: BuildImagesOptions,
  tell: Tell,
): Promise<undefined> {
  const folder = await mkdtemp(join(tmpdir(), "keelson-build-"));
  try {
    const text =
      build.dockerfile.kind === "text"
        ? build.dockerfile.text
        : await readFile(build.dockerfile.path, "utf8");
    const dockerfile = join(folder, "Dockerfile");
    await writeFile(dockerfile, withBuiltBases(text, image.baseReferences));
    const isWhole = build.ignore.length === 0 && build.only.length === 0;
    const context = isWhole ? build.context : await copyContext(build, join(folder, "context"));
    // Only what is known to be made of the right files gets the name that stands for them.
    const unchecked = `${image.reference}-unchecked`;
    const request = { reference: unchecked, dockerfile, context, settings: build };
    const { build: toBuild, tag: toTag, untag: toUntag } = builderOf(options);
    const end = await command(toBuild(request), build.context, options, tell);
    requireSuccess(end, `${build.reference} could not be built`, image);
    try {
      await requireSame();
      const named = await command(toTag(unchecked, image.reference), build.context, options);
      requireSuccess(named, `${build.reference} could not be named ${image.reference}`, image);
    } finally {
      await command(toUntag(unchecked), build.context, options);
    }
    for (const tag of build.extraTags)
      await command(toTag(image.reference, tag), build.context, options);
    return undefined;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A folder with just what the build may see. */
async function copyContext(build: DockerBuild, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const { path, file, isLink } of await contextFiles(build)) {
    const copy = join(folder, path);
    await mkdir(dirname(copy), { recursive: true });
    try {
      if (isLink) await symlink(await readlink(file), copy);
      else await copyFile(file, copy);
    } catch (error) {
      // A file that has just gone is noticed when the input is looked at again.
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  return folder;
}

/** The reference that the command wrote down itself; undefined when it made the one it was told. */
async function buildCustom(
  image: PlannedImage,
  build: CustomBuild,
  requireSame: InputGuard,
  options: BuildImagesOptions,
  tell: Tell,
): Promise<string | undefined> {
  const { reference } = image;
  const colon = reference.lastIndexOf(":");
  const name = reference.slice(0, colon);
  const tag = build.tag ?? reference.slice(colon + 1);
  const environment = {
    ...options.environment,
    ...build.environment,
    EXPECTED_REF: `${name}:${tag}`,
    EXPECTED_IMAGE: name,
    EXPECTED_TAG: tag,
    EXPECTED_REGISTRY: name.includes("/") ? name.slice(0, name.indexOf("/")) : "",
  };
  const end = await command(build.command, build.directory, { ...options, environment }, tell);
  requireSuccess(end, `${build.reference} could not be built`, image);
  if (build.outputsReferenceTo !== undefined) {
    const written = await readFile(build.outputsReferenceTo, "utf8").catch(() => "");
    if (written.trim() !== "") return written.trim();
    return refuse(image, `its command wrote no reference into ${build.outputsReferenceTo}`);
  }
  try {
    await requireSame();
  } catch (error) {
    if (!build.skipsLocalStore && build.tag === undefined)
      await command(builderOf(options).untag(reference), build.directory, options);
    throw error;
  }
  if (build.skipsLocalStore || build.pushesItself) return undefined;
  if (build.tag !== undefined)
    await command(builderOf(options).tag(`${name}:${tag}`, reference), build.directory, options);
  if (await isThere(reference, options)) return undefined;
  return refuse(image, `its command ended well, but ${name}:${tag} is not there`);
}

function command(
  words: readonly string[],
  directory: string,
  options: Pick<BuildImagesOptions, "run" | "environment" | "signal">,
  tell?: Tell,
): Promise<CommandEnd> {
  return options.run({
    command: words,
    directory,
    environment: options.environment,
    signal: options.signal,
    onLine: (line) => tell?.("log", line),
  });
}

function requireSuccess(end: CommandEnd, summary: string, image: PlannedImage): void {
  if (end.status === 0) return;
  const code = end.status === undefined ? "" : ` (exit code ${end.status})`;
  refuse(image, undefined, `${summary}${code}`, end.lastLines.join("\n"));
}

function refuse(
  { build }: PlannedImage,
  why: string | undefined,
  summary = `${build.reference} could not be built: ${why ?? ""}`,
  detail?: string,
): never {
  throw new DiagnosticError([
    {
      code: "images.build-failed",
      severity: "error",
      summary,
      ...(detail === undefined || detail === "" ? {} : { detail }),
      subject: build.reference,
      source: build.source,
    },
  ]);
}

import { createHash } from "node:crypto";
import { stat } from "node:fs/promises";
import { DiagnosticError } from "../diagnostics/index.ts";
import type { BuildDefinition } from "./build-definition.ts";
import { contextFiles } from "./context-files.ts";
import { imageDigest } from "./image-digest.ts";
import type { PlannedImage } from "./planned-image.ts";

/** Throws when what goes into an image is no longer what the image is named after. */
export type InputGuard = () => Promise<void>;

/**
 * Looks at what goes into an image before its build. What it returns looks again afterwards: an image
 * that was built while its files changed must not get the name of their content.
 */
export async function guardInput(image: PlannedImage): Promise<InputGuard> {
  const { build, baseReferences, digest } = image;
  // Commands of the user that decide on the name themselves answer for it.
  if (build.kind === "custom" && build.outputsReferenceTo !== undefined)
    return () => Promise.resolve();
  const requireDigest = async (): Promise<void> => {
    if ((await imageDigest(build, baseReferences)) !== digest) refuse(build);
  };
  const before = await stampOf(build);
  await requireDigest();
  return async () => {
    await requireDigest();
    if ((await stampOf(build)) !== before) refuse(build);
  };
}

/**
 * Tells whether files were written, also if they are as before in the end. Only builders leave alone
 * what they build from: commands of the user may write there.
 */
async function stampOf(build: BuildDefinition): Promise<string> {
  if (build.kind === "custom") return "";
  const hash = createHash("sha256");
  const { dockerfile } = build;
  const files = (await contextFiles(build)).map(({ file }) => file);
  for (const file of dockerfile.kind === "file" ? [...files, dockerfile.path] : files) {
    const found = await stat(file, { bigint: true }).catch(() => undefined);
    hash.update(`${file}\0${found?.ino ?? ""} ${found?.size ?? ""} ${found?.ctimeNs ?? ""}\0`);
  }
  return hash.digest("hex");
}

function refuse({ reference, source }: BuildDefinition): never {
  throw new DiagnosticError([
    {
      code: "images.changed",
      severity: "error",
      summary: `files of ${reference} changed while it was built`,
      hint: "run it again; what the build writes itself belongs into ignore",
      subject: reference,
      source,
    },
  ]);
}

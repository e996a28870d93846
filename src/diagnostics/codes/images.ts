import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const imageCodes = {
  "images.no-builder": {
    meaning: "An image must be built, and neither docker nor podman nor buildah works here.",
    remedy: "Install one of them, start the docker engine, or name one with KEELSON_BUILDER.",
  },
  "images.build-failed": {
    meaning: "The build or the push of an image failed.",
    remedy: "The last lines of the builder say why.",
  },
  "images.cycle": {
    meaning: "Declared images are built from each other in a circle.",
    remedy: "Let one of them start from another base image.",
  },
} as const satisfies Readonly<Record<string, DiagnosticCodeDoc>>;

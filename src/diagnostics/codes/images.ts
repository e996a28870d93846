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
  "images.changed": {
    meaning:
      "Files of an image changed while it was built, so that what was built is the image of neither.",
    remedy: "Run it again. What a build writes itself belongs into `ignore`.",
  },
  "images.file-missing": {
    meaning: "The Dockerfile or the folder that an image is built from is not there.",
    remedy: "Bring it back, or change where the image is said to be built from.",
  },
  "images.cycle": {
    meaning: "Declared images are built from each other in a circle.",
    remedy: "Let one of them start from another base image.",
  },
} as const satisfies Readonly<Record<string, DiagnosticCodeDoc>>;

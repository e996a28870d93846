import type { GoProgram } from "./binaries.ts";

/** Real kpt, for what must be as it is there. */
export const kpt: GoProgram = {
  name: "kpt",
  module: "kpt",
  package: "github.com/GoogleContainerTools/kpt",
  version: "v1.0.0-beta.49",
};

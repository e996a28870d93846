import type { GoProgram } from "./binaries.ts";

/** Real ytt, which templates of supply chains are written in. */
export const ytt: GoProgram = {
  name: "ytt",
  module: "ytt",
  package: "carvel.dev/ytt/cmd/ytt",
  version: "v0.52.1",
};

/**
 * What a controller of claims needs: it writes the output object of a claim, a Secret or ConfigMap,
 * under the name that the claim's mode asks for, then the binding that says this name, and deletes
 * outputs that nobody refers to any longer.
 *
 * It knows nothing of who uses an output: those hold a finalizer on it as long as they do, so that an
 * old one goes last. It keeps no state; killed anywhere, the next call finishes.
 */
export type { ConfigMapContents, OutputContents, SecretContents } from "./output-contents.ts";
export { contentsHash } from "./output-contents.ts";
export type { OutputMode } from "./output-naming.ts";
export { outputModes } from "./output-naming.ts";
export { outputOfLabel } from "./output-object.ts";
export type {
  BindingOptions,
  OutputCluster,
  OutputResult,
  WriteOutputOptions,
} from "./write-output.ts";
export { writeOutput } from "./write-output.ts";

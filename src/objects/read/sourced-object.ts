import type { SourceRange } from "../../diagnostics/index.ts";
import type { KubernetesObject } from "../kubernetes-object.ts";
import type { FieldPath } from "../yaml/locate-path.ts";

/** An object together with where it was read. */
export interface SourcedObject {
  readonly object: KubernetesObject;
  /** The file's path as it was given, `<stdin>`, or the name of a text made in memory. */
  readonly file: string;
  /** Where the object, or a field of it, is written. Scans its document again, so only for errors. */
  readonly sourceOf: (path?: FieldPath) => SourceRange;
  /** Objects with the same text here were given together, such as those of one chart; all without it were, too. */
  readonly givenWith?: string | undefined;
}

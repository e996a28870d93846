import type { SourceRange } from "../../diagnostics/index.ts";
import type { LiveUpdateStep } from "../../images/index.ts";
import type { LocalCommand } from "./local-resource.ts";

/** A component that commands of the user put into the cluster and take out of it. */
export interface CustomDeploy {
  readonly name: string;
  /** Prints the YAML of what it applied. */
  readonly apply: LocalCommand;
  readonly delete: LocalCommand;
  readonly dependencies: readonly string[];
  readonly imageDependencies: readonly string[];
  readonly liveUpdate: readonly LiveUpdateStep[];
  /** Which containers a live update changes. */
  readonly container?:
    | { readonly kind: "image"; readonly reference: string }
    | { readonly kind: "name"; readonly name: string };
  readonly source?: SourceRange | undefined;
}

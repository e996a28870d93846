import type { Directive, GivenObject } from "../../assembly/index.ts";
import type { Diagnostic, SourceRange } from "../../diagnostics/index.ts";
import type { BuildDefinition } from "../../images/index.ts";
import type { CustomDeploy } from "./custom-deploy.ts";
import type { LocalResource } from "./local-resource.ts";
import type { TiltfileSettings } from "./tiltfile-settings.ts";

/** Everything that running a Tiltfile said, as data. Nothing of it has been done yet. */
export interface TiltfileResult {
  /** Whether the file ran to its end, called `exit`, or stopped at an error. */
  readonly ending: "end" | "exit" | "failed";
  /** What `exit` was called with. */
  readonly exitMessage?: string;
  readonly objects: readonly GivenObject[];
  /** For assembly, in the order in which they were said. */
  readonly directives: readonly Directive[];
  readonly builds: readonly BuildDefinition[];
  readonly localResources: readonly LocalResource[];
  readonly customDeploys: readonly CustomDeploy[];
  readonly settings: TiltfileSettings;
  /** Every path that was read: a change of one asks for the Tiltfile to be run again. */
  readonly watchedPaths: readonly string[];
  /** Names of optional features of Tilt that were switched on or off. */
  readonly features: Readonly<Record<string, boolean>>;
  readonly output: readonly TiltfileOutput[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A line that the Tiltfile printed, or that a command it ran printed. */
export interface TiltfileOutput {
  /** What a command is, what it printed, what the Tiltfile printed or warned of. */
  readonly kind: "echo" | "command" | "print" | "warning";
  readonly text: string;
  readonly source?: SourceRange | undefined;
}

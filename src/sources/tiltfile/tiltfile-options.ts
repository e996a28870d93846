import type { FileAccess, RunProcess } from "../hydrate/index.ts";
import type { Limits } from "../starlark/index.ts";
import type { TiltfileOutput } from "./tiltfile-result.ts";

export interface LoadTiltfileOptions {
  /** The Tiltfile; places in messages name it as it is given here. */
  readonly path: string;
  /** The text of the Tiltfile, when it is not to be read from its path. */
  readonly text?: string;
  /** What the user gave after `--`: settings of `config`, or names of components. */
  readonly args?: readonly string[];
  /** What the user asked for: `up`, `ci`, `down`. */
  readonly subcommand?: string;
  /** Where relative paths of options start. */
  readonly workingDirectory: string;
  /** A copy is handed on to commands; the Tiltfile changes only the copy. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The context and namespace of the kubeconfig that would be used. */
  readonly context?: string;
  readonly namespace?: string;
  /** A directory of extensions, each as NAME/Tiltfile; KEELSON_EXTENSION_PATH otherwise. */
  readonly extensionPath?: string;
  readonly programs?: Readonly<Partial<Record<"helm" | "kubectl" | "kustomize", string>>>;
  /** How this program is called and which version it is, for `sys`. */
  readonly executable?: string;
  readonly version?: string;
  readonly files?: FileAccess;
  readonly run?: RunProcess;
  readonly limits?: Partial<Limits>;
  /** Told of each line at once. */
  readonly onOutput?: (output: TiltfileOutput) => void;
}

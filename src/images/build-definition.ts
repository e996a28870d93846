import type { SourceRange } from "../diagnostics/index.ts";

/** How a declared image is built. All paths in it are absolute. */
export type BuildDefinition = CustomBuild | DockerBuild;

interface ImageBuild {
  /** A repository, or one with a tag, as workloads name it. */
  readonly reference: string;
  /** Patterns in the syntax of `.dockerignore`, relative to the context or to each dependency. */
  readonly ignore: readonly string[];
  readonly liveUpdate: readonly LiveUpdateStep[];
  /** Replaces what the container runs. */
  readonly entrypoint?: readonly string[];
  readonly containerArgs?: readonly string[];
  readonly source?: SourceRange | undefined;
}

/** An image that is built from a Dockerfile. */
export interface DockerBuild extends ImageBuild {
  readonly kind: "docker";
  readonly context: string;
  readonly dockerfile: Dockerfile;
  readonly buildArgs: Readonly<Record<string, string>>;
  /** Paths inside the context; when there are any, nothing else is part of it. */
  readonly only: readonly string[];
  readonly target?: string;
  readonly network?: string;
  readonly platform?: string;
  readonly pull: boolean;
  readonly ssh: readonly string[];
  readonly secrets: readonly string[];
  readonly extraTags: readonly string[];
  readonly cacheFrom: readonly string[];
  readonly extraHosts: readonly string[];
}

export type Dockerfile =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "text"; readonly text: string };

/** An image that a command of the user builds. */
export interface CustomBuild extends ImageBuild {
  readonly kind: "custom";
  readonly command: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
  /** Files and directories whose change asks for a new build. */
  readonly dependencies: readonly string[];
  /** The tag that the command gives the image; otherwise one is made up for it. */
  readonly tag?: string;
  /** The file that the command writes the reference of the image into. */
  readonly outputsReferenceTo?: string;
  readonly pushesItself: boolean;
  readonly skipsLocalStore: boolean;
  /** Declared images whose references the command finds in its environment. */
  readonly imageDependencies: readonly string[];
}

/** A step that changes a running container without building its image again. */
export type LiveUpdateStep =
  | { readonly kind: "initial-sync" }
  | { readonly kind: "fall-back-on"; readonly paths: readonly string[] }
  | { readonly kind: "sync"; readonly localPath: string; readonly containerPath: string }
  | {
      readonly kind: "run";
      readonly command: readonly string[];
      /** Only changes of these run it; any change when there are none. */
      readonly triggers: readonly string[];
      readonly isEchoOff: boolean;
    }
  | { readonly kind: "restart-container" };

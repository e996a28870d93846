import type { ProgramRun } from "../prepare/index.ts";
import type { Component } from "../assembly/index.ts";
import type { Diagnostic } from "../diagnostics/index.ts";
import type { BuildEvent } from "../events/index.ts";
import type { BuildDefinition } from "../images/index.ts";
import type { GroupReference } from "../inventory/index.ts";
import type { SourcedObject } from "../objects/index.ts";
import type { OrderedComponent, Plan } from "../plan/index.ts";
import type { CustomDeploy, LocalResource, TiltfileSettings } from "../sources/tiltfile/index.ts";

/** What a dev loop reads again and again; whatever it is written in, somebody else knows how. */
export interface DevSource {
  /** All that is known to be part of it before it is read. */
  readonly inputs: () => Promise<WatchedFiles>;
  /**
   * Throws nothing that is wrong with the source: that is in what it returns. What the source prints
   * while it is read goes to `print`.
   */
  readonly load: (signal: AbortSignal, print: (text: string) => void) => Promise<Loading>;
}

export type Loading = LoadedSource | FailedLoad;

/** A source that could not be read; its files are still worth watching. */
export interface FailedLoad {
  readonly kind: "failed";
  readonly diagnostics: readonly Diagnostic[];
  readonly watched: WatchedFiles;
}

/** Files that decide what a source says. */
export interface WatchedFiles {
  /** Files, and directories with all that is in them. */
  readonly paths: readonly string[];
  /** Which files in directories count; all of them unless given. */
  readonly isInput?: ((path: string) => boolean) | undefined;
}

export interface LoadedSource {
  readonly kind: "loaded";
  readonly group: GroupReference;
  readonly watched: WatchedFiles;
  readonly builds: readonly BuildDefinition[];
  readonly localResources: readonly LocalResource[];
  readonly customDeploys: readonly CustomDeploy[];
  readonly settings?: TiltfileSettings | undefined;
  /** What is wished for, with images named after what goes into them at the moment. */
  readonly desired: (options: DesiredOptions) => Promise<DesiredComponents>;
}

export interface DesiredOptions {
  readonly emit: (event: BuildEvent) => void;
  readonly signal: AbortSignal;
  /** What images are to be called though their files have changed, because those are in the container. */
  readonly keptImages: ReadonlyMap<string, string>;
}

/** A component with what is wished for it in the cluster. */
export interface DesiredComponent {
  readonly component: Component;
  /** With namespaces and images filled in. */
  readonly objects: readonly SourcedObject[];
}

export interface DesiredComponents {
  readonly components: readonly DesiredComponent[];
  /** All that is worth saying of the source though it can be applied. */
  readonly warnings: readonly Diagnostic[];
  /** What images are called, by the reference of their build. */
  readonly images: ReadonlyMap<string, string>;
  /** A program, which can only be applied as a whole, in its own order. */
  readonly whole?:
    | { readonly program: ProgramRun; readonly order: readonly OrderedComponent[] | undefined }
    | undefined;
  /** The images that one component needs for a plan, and that are not built yet. */
  readonly imagesFor: (plan: Plan, component: string) => ReadonlySet<string>;
  /** Those of some images that are not built yet, by the references of their builds. */
  readonly unbuilt: (images: ReadonlySet<string>) => ReadonlySet<string>;
  /** Makes images, by the references of their builds. */
  readonly build: (images: ReadonlySet<string>) => Promise<void>;
  /** Ends what a program still runs. */
  readonly close: () => Promise<void>;
}

import type { ProgramRun } from "../../prepare/index.ts";
import type { Component } from "../../assembly/index.ts";
import type { Diagnostic } from "../../diagnostics/index.ts";
import type { ObjectProblem, SourcedObject } from "../../objects/index.ts";
import type { OrderedComponent, Plan } from "../../plan/index.ts";

/** The desired state of one inventory in one cluster, ready for the planner. It must be closed. */
export type Desired = DesiredObjects | DesiredTiltfile | DesiredProgram;

interface DesiredState {
  readonly objects: readonly SourcedObject[];
  /** Objects that belong together: they are applied and named as one. */
  readonly components: readonly OrderedComponent[];
  /** Objects that cannot be applied as they are; reported with all else that a plan finds wrong. */
  readonly invalid: readonly ObjectProblem[];
  readonly warnings: readonly Diagnostic[];
  /** Ends what still runs: a program, its providers. */
  readonly close: () => Promise<void>;
}

/** Plain objects, as they are. */
export interface DesiredObjects extends DesiredState {
  readonly kind: "objects";
}

/** The objects of a Tiltfile, with the names of the images that are built for them. */
export interface DesiredTiltfile extends DesiredState {
  readonly kind: "tiltfile";
  readonly assembled: readonly Component[];
  readonly images: DesiredImages;
}

/** Resources with values that others give: of a program, or of bundles that no controller carries out. */
export interface DesiredProgram extends DesiredState {
  readonly kind: "program";
  readonly program: ProgramRun;
}

export interface DesiredImages {
  /** What the cluster calls each built image, by the reference of its build. */
  readonly references: ReadonlyMap<string, string>;
  /** Builds images; there is none where images are only named. */
  readonly builder?: ImageBuilder | undefined;
}

export interface ImageBuilder {
  /** The images that a plan needs, of one component if one is named, and that are not built yet. */
  readonly neededFor: (plan: Plan, component?: string) => ReadonlySet<string>;
  /** Those of some images that are not built yet, by the references of their builds. */
  readonly unbuilt: (images: ReadonlySet<string>) => ReadonlySet<string>;
  /** Builds images, by the references of their builds. */
  readonly build: (images: ReadonlySet<string>) => Promise<void>;
}

import type { SourceRange } from "../diagnostics/index.ts";
import type { AssemblyObject } from "./assembly-object.ts";
import type { Component } from "./component.ts";
import type { ComponentDirective, LocalDirective } from "./directive.ts";

/** Who gave a component its name. */
export interface NameOrigin {
  readonly by: "identifier" | "function" | "rename" | "objects" | "local" | "deploy" | "keelson";
  readonly source?: SourceRange | undefined;
}

/** A component while directives are applied to it. */
export class ComponentDraft {
  readonly kind: Component["kind"];
  readonly workload: AssemblyObject | undefined;
  name: string;
  origin: NameOrigin;
  /** The directives that set its options, in order. */
  readonly said: (ComponentDirective | LocalDirective)[] = [];

  constructor(
    kind: Component["kind"],
    name: string,
    origin: NameOrigin,
    workload?: AssemblyObject,
  ) {
    this.kind = kind;
    this.name = name;
    this.origin = origin;
    this.workload = workload;
  }

  /** What it waits for, each with the place that first says so. */
  dependsOn(): ReadonlyMap<string, SourceRange | undefined> {
    const found = new Map<string, SourceRange | undefined>();
    for (const { dependsOn = [], source } of this.said)
      for (const name of dependsOn) if (!found.has(name)) found.set(name, source);
    return found;
  }
}

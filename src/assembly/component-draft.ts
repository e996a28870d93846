import type { SourceRange } from "../diagnostics/index.ts";
import type { AssemblyObject } from "./assembly-object.ts";
import type { Component } from "./component.ts";
import type {
  DiscoveryStrategy,
  Link,
  PodReadiness,
  PortForward,
  TriggerMode,
} from "./component-options.ts";
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
  readonly portForwards: PortForward[] = [];
  readonly extraPodSelectors: Readonly<Record<string, string>>[] = [];
  /** What it waits for, with the place that says so. */
  readonly dependsOn = new Map<string, SourceRange | undefined>();
  readonly links: Link[] = [];
  readonly labels = new Set<string>();
  triggerMode: TriggerMode | undefined;
  autoInit: boolean | undefined;
  podReadiness: PodReadiness | undefined;
  discoveryStrategy: DiscoveryStrategy | undefined;
  source: SourceRange | undefined;

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

  /** Lists add up; of the other options the last one counts. */
  takeOptions(directive: ComponentDirective | LocalDirective): void {
    this.source ??= directive.source;
    this.links.push(...(directive.links ?? []));
    for (const label of directive.labels ?? []) this.labels.add(label);
    for (const name of directive.dependsOn ?? [])
      if (!this.dependsOn.has(name)) this.dependsOn.set(name, directive.source);
    this.triggerMode = directive.triggerMode ?? this.triggerMode;
    this.autoInit = directive.autoInit ?? this.autoInit;
    if (directive.kind === "local") return;
    this.portForwards.push(...(directive.portForwards ?? []));
    this.extraPodSelectors.push(...(directive.extraPodSelectors ?? []));
    this.podReadiness = directive.podReadiness ?? this.podReadiness;
    this.discoveryStrategy = directive.discoveryStrategy ?? this.discoveryStrategy;
  }
}

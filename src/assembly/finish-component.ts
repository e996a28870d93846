import type { AssemblyObject } from "./assembly-object.ts";
import type { Dependencies } from "./check-dependencies.ts";
import type { Component } from "./component.ts";
import type { ComponentDraft } from "./component-draft.ts";
import type { PodReadiness } from "./component-options.ts";
import type { ImageFinder } from "./image-finder.ts";
import type { WorkloadKinds } from "./workload-kinds.ts";

export interface FinishingParts {
  readonly kinds: WorkloadKinds;
  readonly images: ImageFinder;
  readonly dependencies: Dependencies;
}

type Options = Omit<
  Component,
  "name" | "kind" | "workload" | "objects" | "images" | "dependsOn" | "podReadiness"
>;

/** Makes the component that a draft has become. */
export function finishComponent(
  draft: ComponentDraft,
  members: readonly AssemblyObject[],
  { kinds, images, dependencies }: FinishingParts,
): Component {
  const { name, kind, workload } = draft;
  return {
    name,
    kind,
    ...(workload === undefined ? {} : { workload: workload.given }),
    objects: members.map(({ given }) => given),
    images: members.flatMap((member) => images.find(member)),
    dependsOn: dependencies.of(draft),
    podReadiness: podReadinessOf(draft, kinds),
    ...optionsOf(draft),
  };
}

/** What most components have: nothing was said about them. */
const usualOptions: Options = {
  portForwards: [],
  extraPodSelectors: [],
  links: [],
  labels: [],
  autoInit: true,
  discoveryStrategy: "default",
};

/** Lists add up; of the other options the last one counts. */
function optionsOf({ said }: ComponentDraft): Options {
  if (said.length === 0) return usualOptions;
  const ofObjects = said.filter((directive) => directive.kind === "component");
  const triggerMode = last(said.map((directive) => directive.triggerMode));
  const source = said[0]?.source;
  return {
    portForwards: ofObjects.flatMap((directive) => directive.portForwards ?? []),
    extraPodSelectors: ofObjects.flatMap((directive) => directive.extraPodSelectors ?? []),
    links: said.flatMap((directive) => directive.links ?? []),
    labels: [...new Set(said.flatMap((directive) => directive.labels ?? []))],
    ...(triggerMode === undefined ? {} : { triggerMode }),
    autoInit: last(said.map((directive) => directive.autoInit)) ?? usualOptions.autoInit,
    discoveryStrategy:
      last(ofObjects.map((directive) => directive.discoveryStrategy)) ??
      usualOptions.discoveryStrategy,
    ...(source === undefined ? {} : { source }),
  };
}

/** What is waited for; when nobody says: not for what has no pods, or none for long. */
function podReadinessOf(
  { said, workload, origin }: ComponentDraft,
  kinds: WorkloadKinds,
): PodReadiness {
  const ofObjects = said.filter((directive) => directive.kind === "component");
  const set = last(ofObjects.map((directive) => directive.podReadiness));
  if (set !== undefined) return set;
  if (workload === undefined) {
    const selects = ofObjects.some(({ extraPodSelectors = [] }) => extraPodSelectors.length > 0);
    return selects || origin.by === "deploy" ? "wait" : "ignore";
  }
  const declared = last(
    kinds.declarationsOf(workload.given.object).map(({ podReadiness }) => podReadiness),
  );
  if (declared !== undefined) return declared;
  if (workload.group !== "batch") return "wait";
  return workload.kind === "Job" ? "succeeded" : workload.kind === "CronJob" ? "ignore" : "wait";
}

function last<Value>(values: readonly (Value | undefined)[]): Value | undefined {
  return values.findLast((value) => value !== undefined);
}

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

/** Makes the component that a draft has become. */
export function finishComponent(
  draft: ComponentDraft,
  members: readonly AssemblyObject[],
  { kinds, images, dependencies }: FinishingParts,
): Component {
  const { name, kind, workload, triggerMode, source } = draft;
  return {
    name,
    kind,
    ...(workload === undefined ? {} : { workload: workload.given }),
    objects: members.map(({ given }) => given),
    images: members.flatMap((member) => images.find(member)),
    dependsOn: dependencies.of(draft),
    portForwards: draft.portForwards,
    extraPodSelectors: draft.extraPodSelectors,
    links: draft.links,
    labels: [...draft.labels],
    ...(triggerMode === undefined ? {} : { triggerMode }),
    autoInit: draft.autoInit ?? true,
    podReadiness: draft.podReadiness ?? usualReadiness(draft, kinds),
    discoveryStrategy: draft.discoveryStrategy ?? "default",
    ...(source === undefined ? {} : { source }),
  };
}

/** What is waited for when nobody says: what has no pods, or none for long, is not waited for. */
function usualReadiness(draft: ComponentDraft, kinds: WorkloadKinds): PodReadiness {
  const { workload } = draft;
  if (workload === undefined) return draft.extraPodSelectors.length > 0 ? "wait" : "ignore";
  const declared = kinds
    .declarationsOf(workload.given.object)
    .findLast(({ podReadiness }) => podReadiness !== undefined);
  if (declared?.podReadiness !== undefined) return declared.podReadiness;
  if (workload.group !== "batch") return "wait";
  return workload.kind === "Job" ? "succeeded" : workload.kind === "CronJob" ? "ignore" : "wait";
}

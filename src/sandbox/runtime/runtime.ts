import type { KubernetesObject } from "../../objects/index.ts";
import type { ApiContext } from "../api/api-context.ts";
import { timestamp } from "../clock.ts";
import type { Controller } from "./controller.ts";
import { EventWriter } from "./event-writer.ts";
import { InternalClient } from "./internal-client.ts";
import { LabelIndex } from "./label-index.ts";
import { OwnerIndex } from "./owner-index.ts";
import { asPod } from "./pod-state.ts";
import type { Pod } from "./pod-types.ts";
import { type ObjectSelector } from "../api/object-selector.ts";

export const pods = "/pods";
export const replicaSets = "apps/replicasets";
export const deployments = "apps/deployments";
export const statefulSets = "apps/statefulsets";
export const daemonSets = "apps/daemonsets";
export const controllerRevisions = "apps/controllerrevisions";
export const jobs = "batch/jobs";
export const cronJobs = "batch/cronjobs";
export const nodes = "/nodes";
export const services = "/services";
export const claims = "/persistentvolumeclaims";
export const volumes = "/persistentvolumes";
export const endpointSlices = "discovery.k8s.io/endpointslices";

const controllerManager = "kube-controller-manager";

/** What the workload controllers share: a way to write, to be heard, and to find without scanning. */
export class Runtime {
  readonly api: ApiContext;
  readonly client: InternalClient;
  readonly #owners = new OwnerIndex([pods, replicaSets, controllerRevisions, jobs, endpointSlices]);
  readonly #podLabels = new LabelIndex(pods);

  constructor(api: ApiContext) {
    this.api = api;
    this.client = new InternalClient(api, controllerManager);
  }

  /** Keeps the indexes; goes before all controllers that use them. */
  index(): Controller {
    return {
      name: "index",
      keysOf: (change) => {
        this.#owners.update(change);
        this.#podLabels.update(change);
        return [];
      },
      reconcile: () => undefined,
    };
  }

  recorder(component: string): EventWriter {
    return new EventWriter(this.api, component, controllerManager);
  }

  now(): number {
    return this.api.clock.now();
  }

  timestamp(): string {
    return timestamp(this.now());
  }

  ownedBy(resource: string, owner: KubernetesObject): readonly KubernetesObject[] {
    return this.#owners.ownedBy(resource, owner.metadata.uid);
  }

  podsOwnedBy(owner: KubernetesObject): readonly Pod[] {
    return this.ownedBy(pods, owner).map(asPod);
  }

  orphans(resource: string, namespace: string): readonly KubernetesObject[] {
    return this.#owners.orphans(resource, namespace);
  }

  selectPods(namespace: string, selector: ObjectSelector | undefined): readonly Pod[] {
    return this.#podLabels.select(namespace, selector).map(asPod);
  }
}

import type { ApiContext } from "../api/api-context.ts";
import { autoscalerController } from "./autoscaler-controller.ts";
import { claimController } from "./claim-controller.ts";
import { type Controller, ControllerRunner } from "./controller.ts";
import { cronJobController } from "./cron-job-controller.ts";
import { daemonSetController } from "./daemon-set-controller.ts";
import { definitionController } from "./definition-controller.ts";
import { deploymentController } from "./deployment-controller.ts";
import { disruptionController } from "./disruption-controller.ts";
import { endpointsController } from "./endpoints-controller.ts";
import { eventExpiry } from "./event-expiry.ts";
import { createFirstObjects } from "./first-objects.ts";
import { createFirstPriorityClasses } from "./first-priority-classes.ts";
import { createFirstRoles } from "./first-roles.ts";
import { garbageCollector } from "./garbage-collector.ts";
import { InternalClient } from "./internal-client.ts";
import { jobController } from "./job-controller.ts";
import { kubelet } from "./kubelet.ts";
import { loadBalancerController } from "./load-balancer-controller.ts";
import { namespaceController } from "./namespace-controller.ts";
import { quotaController } from "./quota-controller.ts";
import { replicaSetController, replicationController } from "./replica-set-controller.ts";
import { roleAggregationController } from "./role-aggregation-controller.ts";
import { Runtime } from "./runtime.ts";
import { scheduler } from "./scheduler.ts";
import { statefulSetController } from "./stateful-set-controller.ts";
import { volumeController } from "./volume-controller.ts";

export interface RuntimeOptions {
  /** Whether pods run, deployments roll out and so on. */
  readonly workloads: boolean;
  /** Whether an annotation may have a container backed by a process of this machine. */
  readonly allowProcesses?: boolean;
}

const firstNamespaces = ["default", "kube-node-lease", "kube-public", "kube-system"];

/** Starts everything that moves by itself. Returns how to stop it. */
export function startRuntime(context: ApiContext, options: RuntimeOptions): () => void {
  const client = new InternalClient(context, "kube-apiserver");
  for (const name of firstNamespaces) {
    if (client.get("/namespaces", "", name) === undefined) {
      client.create("/namespaces", { kind: "Namespace", apiVersion: "v1", metadata: { name } });
    }
  }
  createFirstRoles(context);
  createFirstPriorityClasses(context);
  const runner = new ControllerRunner(context, [
    definitionController(context),
    namespaceController(context),
    garbageCollector(context),
    eventExpiry(context),
    roleAggregationController(context),
    quotaController(context),
    ...(options.workloads ? workloadControllers(context, options) : []),
  ]);
  runner.start();
  return () => {
    runner.stop();
  };
}

function workloadControllers(
  context: ApiContext,
  { allowProcesses = false }: RuntimeOptions,
): readonly Controller[] {
  const runtime = new Runtime(context);
  createFirstObjects(runtime);
  return [
    runtime.index(),
    scheduler(runtime),
    kubelet(runtime, { allowProcesses }),
    replicaSetController(runtime),
    replicationController(runtime),
    deploymentController(runtime),
    statefulSetController(runtime),
    daemonSetController(runtime),
    jobController(runtime),
    cronJobController(runtime),
    claimController(runtime),
    volumeController(runtime),
    endpointsController(runtime),
    loadBalancerController(runtime),
    disruptionController(runtime),
    autoscalerController(runtime),
  ];
}

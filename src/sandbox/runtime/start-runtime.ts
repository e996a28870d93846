import type { ApiContext } from "../api/api-context.ts";
import { ControllerRunner } from "./controller.ts";
import { definitionController } from "./definition-controller.ts";
import { garbageCollector } from "./garbage-collector.ts";
import { InternalClient } from "./internal-client.ts";
import { namespaceController } from "./namespace-controller.ts";

export interface RuntimeOptions {
  /** Whether pods run, deployments roll out and so on. */
  readonly workloads: boolean;
}

const firstNamespaces = ["default", "kube-node-lease", "kube-public", "kube-system"];

/** Starts everything that moves by itself. Returns how to stop it. */
export function startRuntime(context: ApiContext, _options: RuntimeOptions): () => void {
  const client = new InternalClient(context, "kube-apiserver");
  for (const name of firstNamespaces) {
    if (client.get("/namespaces", "", name) === undefined) {
      client.create("/namespaces", { kind: "Namespace", apiVersion: "v1", metadata: { name } });
    }
  }
  const runner = new ControllerRunner(context, [
    definitionController(context),
    namespaceController(context),
    garbageCollector(context),
  ]);
  runner.start();
  return () => {
    runner.stop();
  };
}

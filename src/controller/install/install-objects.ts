import { blueprintDefinitions } from "../../blueprints/index.ts";
import { bundleDefinitions } from "../../bundles/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { controllerDeployment } from "./controller-deployment.ts";
import { controllerRoles } from "./controller-roles.ts";

export interface InstallOptions {
  readonly namespace: string;
  readonly image: string;
  readonly replicas: number;
}

/** The kinds that the controller looks after. */
export const controllerDefinitions: readonly KubernetesObject[] = [
  ...bundleDefinitions,
  ...blueprintDefinitions,
];

/** Everything that a cluster needs to run the controller, in the order in which it can be applied. */
export function installObjects(options: InstallOptions): readonly KubernetesObject[] {
  const { namespace } = options;
  return [
    {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: {
        name: namespace,
        labels: { "pod-security.kubernetes.io/enforce": "restricted" },
      },
    },
    ...controllerDefinitions,
    ...controllerRoles(namespace),
    ...controllerDeployment(options),
  ];
}

import type { KubernetesObject } from "../../objects/index.ts";
import { controllerAccount } from "./controller-roles.ts";

const healthPort = 8081;

/** The controller as it runs in a cluster: one leads, the others stand by. */
export function controllerDeployment({
  namespace,
  image,
  replicas,
}: {
  readonly namespace: string;
  readonly image: string;
  readonly replicas: number;
}): readonly KubernetesObject[] {
  const labels = { app: "keelson-controller" };
  const probe = (path: string): object => ({ httpGet: { path, port: "health" } });
  const deployment: KubernetesObject = {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "keelson-controller", namespace, labels },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: controllerAccount,
          terminationGracePeriodSeconds: 30,
          securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
          volumes: [{ name: "tmp", emptyDir: { medium: "Memory", sizeLimit: "64Mi" } }],
          containers: [
            {
              name: "controller",
              image,
              args: [
                "controller",
                "--lease",
                `${namespace}/keelson-controller`,
                "--health-host",
                "0.0.0.0",
                "--health-port",
                String(healthPort),
              ],
              env: [
                {
                  name: "POD_NAME",
                  valueFrom: { fieldRef: { fieldPath: "metadata.name" } },
                },
              ],
              ports: [{ name: "health", containerPort: healthPort }],
              // Templates in ytt are given their values in a file, which never reaches a disk.
              volumeMounts: [{ name: "tmp", mountPath: "/tmp" }],
              livenessProbe: probe("/healthz"),
              readinessProbe: probe("/readyz"),
              resources: {
                requests: { cpu: "50m", memory: "128Mi" },
                limits: { memory: "512Mi" },
              },
              securityContext: {
                allowPrivilegeEscalation: false,
                readOnlyRootFilesystem: true,
                runAsUser: 65_532,
                capabilities: { drop: ["ALL"] },
              },
            },
          ],
        },
      },
    },
  };
  const service: KubernetesObject = {
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "keelson-controller", namespace, labels },
    spec: { selector: labels, ports: [{ name: "health", port: healthPort, targetPort: "health" }] },
  };
  return [deployment, service];
}

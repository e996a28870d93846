import type { KubernetesObject } from "../src/objects/index.ts";

const text = { type: "string" };

export const widgetDefinition: KubernetesObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "widgets.bench.example.com" },
  spec: {
    group: "bench.example.com",
    scope: "Namespaced",
    names: { kind: "Widget", listKind: "WidgetList", plural: "widgets", singular: "widget" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: {
                type: "object",
                properties: {
                  size: { type: "integer" },
                  notes: text,
                  parts: { type: "array", items: text },
                },
              },
            },
          },
        },
      },
    ],
  },
};

/** A quarter each of ConfigMaps, Deployments, Services and custom objects; some differ from the first version. */
export function mixedObjects(
  namespace: string,
  count: number,
  changed: number,
): readonly KubernetesObject[] {
  const every = changed === 0 ? Number.POSITIVE_INFINITY : Math.round(1 / changed);
  return Array.from({ length: count }, (_, index) =>
    mixedObject(namespace, index, index % every === 1 ? "2" : "1"),
  );
}

function mixedObject(namespace: string, index: number, version: string): KubernetesObject {
  const metadata = {
    name: `bench-${index}`,
    namespace,
    labels: { part: String(index % 10), version },
  };
  const app = { app: `bench-${index - (index % 4)}` };
  switch (index % 4) {
    case 0:
      return {
        apiVersion: "apps/v1",
        kind: "Deployment",
        metadata,
        spec: {
          replicas: 1,
          selector: { matchLabels: app },
          template: {
            metadata: { labels: app },
            spec: {
              containers: [
                {
                  name: "main",
                  image: `web:${version}`,
                  ports: [{ containerPort: 8080 }],
                  env: [{ name: "VERSION", value: version }],
                  resources: { requests: { cpu: "100m", memory: "64Mi" } },
                },
              ],
            },
          },
        },
      };
    case 1:
      return {
        apiVersion: "v1",
        kind: "Service",
        metadata,
        spec: { selector: app, ports: [{ port: 80, targetPort: 8080 }] },
      };
    case 2:
      return {
        apiVersion: "v1",
        kind: "ConfigMap",
        metadata,
        data: { index: String(index), text: "some lines of configuration\n".repeat(8) },
      };
    default:
      return {
        apiVersion: "bench.example.com/v1",
        kind: "Widget",
        metadata,
        spec: { size: index, notes: `version ${version}`, parts: ["a", "b"] },
      };
  }
}

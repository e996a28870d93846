/** The paths and smallest bodies that cases are made of. */
export const core = "/api/v1/namespaces/{ns}";
export const apps = "/apis/apps/v1/namespaces/{ns}";

export function configMap(
  name: string,
  data: Readonly<Record<string, string>> = {},
  metadata: object = {},
): object {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name, ...metadata }, data };
}

export const container = { name: "c", image: "nginx:1" };
export const podTemplate = {
  metadata: { labels: { app: "a" } },
  spec: { containers: [container] },
};

export function pod(name: string, spec: object = {}, metadata: object = {}): object {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, ...metadata },
    spec: { containers: [container], ...spec },
  };
}

/** A deployment that asks for no pods, so that nothing moves after it was written. */
export function deployment(name: string, spec: object = {}): object {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name },
    spec: {
      replicas: 0,
      paused: true,
      selector: { matchLabels: { app: "a" } },
      template: podTemplate,
      ...spec,
    },
  };
}

/** The name of a definition whose group belongs to one case. */
export function definition(version: object = {}, spec: object = {}): object {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: "things.{id}.example.com" },
    spec: {
      group: "{id}.example.com",
      scope: "Namespaced",
      names: { plural: "things", singular: "thing", kind: "Thing", shortNames: ["th"] },
      versions: [
        {
          name: "v1",
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
          },
          ...version,
        },
      ],
      ...spec,
    },
  };
}

export const definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
export const oneDefinition = `${definitions}/things.{id}.example.com`;
export const things = "/apis/{id}.example.com/v1/namespaces/{ns}/things";

export function thing(name: string, fields: object = {}): object {
  return { apiVersion: "{id}.example.com/v1", kind: "Thing", metadata: { name }, ...fields };
}

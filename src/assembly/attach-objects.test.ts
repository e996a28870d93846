import { describe, expect, it } from "vitest";
import { assembleCase, assembleText } from "../../test/assembly/assembly-text.ts";

const deployment = (name: string, labels: string, pod = "") => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec: {template: {metadata: {labels: {${labels}}}, spec: {containers: [], ${pod}}}}
---
`;
const two = deployment("web", "app: web, tier: front") + deployment("db", "app: db, tier: back");

/** The component that the last object of an input ends up in. */
function placeOf(objects: string, namespace = "default"): string {
  const { components, diagnostics } = assembleCase({ objects, namespace });
  expect(diagnostics).toEqual([]);
  const given = components.flatMap(({ name, objects: members }) =>
    members.map(({ object }) => ({ name, object })),
  );
  return given.find(({ object }) => object.metadata.name === "it")?.name ?? "nowhere";
}

describe("goes with the workload that it selects:", () => {
  const service = (selector: string, more = "") =>
    `{apiVersion: v1, kind: Service, metadata: {name: it${more}}, spec: {selector: {${selector}}}}`;
  const budget = (selector: string) =>
    `{apiVersion: policy/v1, kind: PodDisruptionBudget, metadata: {name: it}, spec: {selector: {${selector}}}}`;
  it.each<readonly [title: string, object: string, component: string]>([
    ["a Service", service("app: web"), "web"],
    ["a Service with several labels", service("app: db, tier: back"), "db"],
    ["a Service that asks for too much", service("app: web, tier: back"), "uncategorized"],
    ["a Service that asks for nothing", service(""), "uncategorized"],
    ["a Service for nobody", service("app: other"), "uncategorized"],
    ["a Service in another namespace", service("app: web", ", namespace: x"), "uncategorized"],
    ["a Service in the same namespace", service("app: web", ", namespace: default"), "web"],
    [
      "a Service of a name elsewhere",
      "{apiVersion: v1, kind: Service, metadata: {name: it}, spec: {type: ExternalName, selector: {app: web}}}",
      "uncategorized",
    ],
    ["a budget", budget("matchLabels: {app: web}"), "web"],
    [
      "a budget with expressions",
      budget("matchExpressions: [{key: app, operator: In, values: [db, x]}]"),
      "db",
    ],
    [
      "a budget that excludes",
      budget("matchExpressions: [{key: app, operator: NotIn, values: [db]}]"),
      "web",
    ],
    [
      "a budget for what exists",
      budget("matchLabels: {tier: back}, matchExpressions: [{key: app, operator: Exists}]"),
      "db",
    ],
    [
      "a budget for what does not exist",
      budget("matchExpressions: [{key: app, operator: DoesNotExist}]"),
      "uncategorized",
    ],
    [
      "a budget for several",
      budget("matchExpressions: [{key: app, operator: Exists}]"),
      "uncategorized",
    ],
    [
      "a budget nobody understands",
      budget("matchLabels: {app: web}, matchExpressions: [{key: app, operator: Gt}]"),
      "uncategorized",
    ],
  ])("%s", (_title, object, component) => {
    expect(placeOf(two + object)).toBe(component);
  });

  it("a Service of a bare Pod", () => {
    const pod = "{apiVersion: v1, kind: Pod, metadata: {name: one, labels: {app: web}}}\n---\n";
    expect(placeOf(pod + service("app: web"))).toBe("one");
  });

  it("a Service of a CronJob", () => {
    const job =
      "{apiVersion: batch/v1, kind: CronJob, metadata: {name: tick}, spec: {jobTemplate: {spec: {template: {metadata: {labels: {app: web}}, spec: {}}}}}}\n---\n";
    expect(placeOf(job + service("app: web"))).toBe("tick");
  });

  it("a Service whose labels the test of a Helm chart has too", () => {
    const hook =
      "{apiVersion: v1, kind: Pod, metadata: {name: one, labels: {app: web}, annotations: {helm.sh/hook: test}}}\n---\n";
    expect(placeOf(two + hook + service("app: web"))).toBe("web");
  });

  it("a Service in the namespace of the run", () => {
    expect(placeOf(two + service("app: web", ", namespace: dev"), "dev")).toBe("web");
  });

  it("a Service that selects several workloads goes with none", () => {
    const objects = deployment("a", "app: web") + deployment("b", "app: web") + service("app: web");
    expect(placeOf(objects)).toBe("uncategorized");
  });
});

describe("goes with the workload that its target names:", () => {
  const scaler = (target: string) =>
    `{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: it}, spec: {scaleTargetRef: {${target}}}}`;
  const services = ["web", "db"]
    .map(
      (name) =>
        `{apiVersion: v1, kind: Service, metadata: {name: ${name}}, spec: {selector: {app: ${name}}}}\n---\n`,
    )
    .join("");
  const ingress = (spec: string, version = "v1") =>
    `{apiVersion: networking.k8s.io/${version}, kind: Ingress, metadata: {name: it}, spec: {${spec}}}`;
  const backend = (name: string) => `backend: {service: {name: ${name}}}`;
  const route = (references: string) =>
    `{apiVersion: gateway.networking.k8s.io/v1, kind: HTTPRoute, metadata: {name: it}, spec: {rules: [{backendRefs: [${references}]}]}}`;

  it.each<readonly [title: string, object: string, component: string]>([
    ["a scaler", scaler("apiVersion: apps/v1, kind: Deployment, name: db"), "db"],
    [
      "a scaler of another kind",
      scaler("apiVersion: apps/v1, kind: StatefulSet, name: db"),
      "uncategorized",
    ],
    [
      "a scaler of another group",
      scaler("apiVersion: x.io/v1, kind: Deployment, name: db"),
      "uncategorized",
    ],
    ["an Ingress", ingress(`rules: [{http: {paths: [{${backend("web")}}]}}]`), "web"],
    ["an Ingress with a default", ingress(`defaultBackend: {service: {name: db}}`), "db"],
    [
      "an Ingress of before",
      ingress("rules: [{http: {paths: [{backend: {serviceName: web}}]}}]", "v1beta1"),
      "web",
    ],
    [
      "an Ingress to both",
      ingress(`rules: [{http: {paths: [{${backend("web")}}, {${backend("db")}}]}}]`),
      "uncategorized",
    ],
    [
      "an Ingress to nothing",
      ingress(`rules: [{http: {paths: [{${backend("x")}}]}}]`),
      "uncategorized",
    ],
    ["a route", route("{name: web, port: 80}"), "web"],
    ["a route to both", route("{name: web}, {name: db}"), "uncategorized"],
    ["a route to another namespace", route("{name: web, namespace: x}"), "uncategorized"],
    ["a route to this namespace", route("{name: web, namespace: default}"), "web"],
    ["a route to something else", route("{name: web, kind: Bucket, group: x.io}"), "uncategorized"],
  ])("%s", (_title, object, component) => {
    expect(placeOf(two + services + object)).toBe(component);
  });
});

describe("goes with the workload whose pods name it:", () => {
  it.each<readonly [kind: string, pod: string]>([
    ["ConfigMap", "volumes: [{name: v, configMap: {name: it}}]"],
    ["ConfigMap", "volumes: [{name: v, projected: {sources: [{configMap: {name: it}}]}}]"],
    ["ConfigMap", "initContainers: [{name: c, envFrom: [{configMapRef: {name: it}}]}]"],
    [
      "ConfigMap",
      "ephemeralContainers: [{name: c, env: [{name: A, valueFrom: {configMapKeyRef: {name: it, key: a}}}]}]",
    ],
    ["Secret", "volumes: [{name: v, secret: {secretName: it}}]"],
    ["Secret", "volumes: [{name: v, projected: {sources: [{secret: {name: it}}]}}]"],
    ["Secret", "initContainers: [{name: c, envFrom: [{secretRef: {name: it}}]}]"],
    ["Secret", "imagePullSecrets: [{name: it}]"],
    ["PersistentVolumeClaim", "volumes: [{name: v, persistentVolumeClaim: {claimName: it}}]"],
    ["ServiceAccount", "serviceAccountName: it"],
  ])("%s by %s", (kind, pod) => {
    const object = (more: string) => `{apiVersion: v1, kind: ${kind}, metadata: {name: it${more}}}`;
    const web = deployment("web", "", pod);
    expect(placeOf(web + object(""))).toBe("web");
    expect(placeOf(web + object(", namespace: other"))).toBe("uncategorized");
    expect(placeOf(web + deployment("db", "", pod) + object(""))).toBe("uncategorized");
  });
});

it("puts what nobody uses first, each object into one component, in the order given", () => {
  const objects = `
apiVersion: v1
kind: ServiceAccount
metadata: {name: web}
---
{apiVersion: v1, kind: Namespace, metadata: {name: shop}}
---
{apiVersion: v1, kind: Service, metadata: {name: web}, spec: {selector: {app: web}}}
---
${deployment("web", "app: web", "serviceAccountName: web")}
{apiVersion: v1, kind: Secret, metadata: {name: unused}}
`;
  expect(assembleText({ objects })).toMatchInlineSnapshot(`
    "uncategorized: Namespace shop, Secret unused
    web: ServiceAccount web, Service web, Deployment web
    "
  `);
});

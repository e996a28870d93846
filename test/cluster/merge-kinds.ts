/** Kinds with random configurations of them, for the comparison of merges with the real server. */
import * as fc from "fast-check";
import { builtinSchemas, crdSchema } from "../../src/schema/index.ts";
import type { Schema } from "../../src/schema/index.ts";
import type { JsonObject } from "../../src/json/index.ts";

export interface MergeKind {
  readonly kind: string;
  readonly apiVersion: string;
  readonly path: string;
  readonly schema: Schema;
  readonly hasStatus: boolean;
  /** Fields of the spec that the server allocates. */
  readonly allocated: readonly string[];
  readonly configuration: fc.Arbitrary<JsonObject>;
  readonly status?: fc.Arbitrary<JsonObject>;
}

const digit = fc.constantFrom("1", "2");
const text = fc.constantFrom("1", "2", "");

function optional<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined, freq: 2 });
}

function entries(
  keys: readonly string[],
  value: fc.Arbitrary<string>,
): fc.Arbitrary<Record<string, string>> {
  return fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: keys.length });
}

/** What JSON carries of a record: nothing of the fields that are undefined. */
function json(value: fc.Arbitrary<unknown>): fc.Arbitrary<JsonObject> {
  return value.map((each) => JSON.parse(JSON.stringify(each)) as JsonObject);
}

function builtin(group: string, kind: string): Schema {
  return builtinSchemas().get({ group, version: "v1", kind }) ?? {};
}

const labels = fc.record({ labels: optional(entries(["x", "y"], digit)) });

const configMap: MergeKind = {
  kind: "ConfigMap",
  apiVersion: "v1",
  path: "/api/v1/namespaces/default/configmaps",
  schema: builtin("", "ConfigMap"),
  hasStatus: false,
  allocated: [],
  configuration: json(
    fc.record({
      metadata: fc.record({
        labels: optional(entries(["x", "y"], digit)),
        annotations: optional(entries(["p", "q"], digit)),
        finalizers: optional(
          fc.uniqueArray(fc.constantFrom("f.io/a", "f.io/b", "f.io/c"), { maxLength: 3 }),
        ),
      }),
      data: optional(entries(["k1", "k2", "k3"], text)),
      binaryData: optional(entries(["b1", "b2"], fc.constantFrom("eA==", ""))),
    }),
  ),
};

const port = fc.record({
  containerPort: fc.constantFrom(80, 81),
  protocol: optional(fc.constantFrom("TCP", "UDP")),
  name: optional(fc.constantFrom("n1", "n2")),
});

const container = fc.record({
  name: fc.constantFrom("c1", "c2"),
  image: fc.constantFrom("nginx", "nginx:1", "b:2"),
  ports: optional(
    fc.uniqueArray(port, {
      maxLength: 2,
      selector: (each) => `${each.containerPort}/${each.protocol ?? "TCP"}`,
    }),
  ),
  env: optional(
    fc.uniqueArray(fc.record({ name: fc.constantFrom("E1", "E2", "E3"), value: optional(digit) }), {
      maxLength: 3,
      selector: (each) => each.name,
    }),
  ),
  args: optional(fc.array(fc.constantFrom("a", "b"), { maxLength: 2 })),
  resources: optional(
    fc.record({
      limits: optional(
        entries(["cpu", "memory"], fc.constantFrom("1", "1000m", "500m", "1Gi", "1024Mi")),
      ),
    }),
  ),
  readinessProbe: optional(
    fc.record({
      httpGet: fc.record({ port: fc.constantFrom(80, "n1") }),
      periodSeconds: optional(fc.constantFrom(5, 10)),
    }),
  ),
});

const deployment: MergeKind = {
  kind: "Deployment",
  apiVersion: "apps/v1",
  path: "/apis/apps/v1/namespaces/default/deployments",
  schema: builtin("apps", "Deployment"),
  hasStatus: true,
  allocated: [],
  configuration: json(
    fc.record({
      metadata: labels,
      spec: fc.record({
        replicas: optional(fc.constantFrom(0, 1, 2)),
        minReadySeconds: optional(fc.constantFrom(0, 5)),
        selector: fc.constant({ matchLabels: { a: "b" } }),
        strategy: optional(
          fc.constantFrom<unknown>(
            {},
            { type: "RollingUpdate" },
            { type: "RollingUpdate", rollingUpdate: { maxSurge: 1 } },
          ),
        ),
        template: fc.record({
          metadata: fc.constantFrom<unknown>(
            { labels: { a: "b" } },
            { labels: { a: "b", c: "d" } },
          ),
          spec: fc.record({
            containers: fc.uniqueArray(container, {
              minLength: 1,
              maxLength: 2,
              selector: (each) => each.name,
            }),
            nodeSelector: optional(entries(["d", "e"], digit)),
            tolerations: optional(
              fc.array(
                fc.record({ key: fc.constantFrom("k", "l"), operator: fc.constant("Exists") }),
                { maxLength: 2 },
              ),
            ),
            volumes: optional(
              fc.uniqueArray(
                fc.record({ name: fc.constantFrom("v1", "v2"), emptyDir: fc.constant({}) }),
                { maxLength: 2, selector: (each) => each.name },
              ),
            ),
            terminationGracePeriodSeconds: optional(fc.constantFrom(10, 30)),
          }),
        }),
      }),
    }),
  ),
  status: json(
    fc.record({
      replicas: optional(fc.constantFrom(0, 1)),
      conditions: optional(
        fc.uniqueArray(
          fc.record({
            type: fc.constantFrom("Available", "Progressing"),
            status: fc.constantFrom("True", "False"),
          }),
          { maxLength: 2, selector: (each) => each.type },
        ),
      ),
    }),
  ),
};

const service: MergeKind = {
  kind: "Service",
  apiVersion: "v1",
  path: "/api/v1/namespaces/default/services",
  schema: builtin("", "Service"),
  hasStatus: true,
  allocated: ["clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"],
  configuration: json(
    fc.record({
      metadata: labels,
      spec: fc.record({
        selector: optional(entries(["d", "e"], digit)),
        sessionAffinity: optional(fc.constantFrom("None", "ClientIP")),
        ports: fc.uniqueArray(
          fc.record({
            port: fc.constantFrom(80, 81),
            name: fc.constantFrom("p1", "p2"),
            targetPort: optional(fc.constantFrom(80, "x")),
            protocol: optional(fc.constantFrom("TCP", "UDP")),
          }),
          { minLength: 1, maxLength: 2, selector: (each) => each.name },
        ),
      }),
    }),
  ),
};

const thingSchema: JsonObject = {
  type: "object",
  properties: {
    top: { type: "string" },
    status: { type: "object", properties: { phase: { type: "string" } } },
    spec: {
      type: "object",
      properties: {
        replicas: { type: "integer" },
        size: { type: "string" },
        atomicList: { type: "array", items: { type: "string" } },
        set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["port", "protocol"],
          items: {
            type: "object",
            required: ["port"],
            properties: {
              port: { type: "integer" },
              protocol: { type: "string", default: "TCP" },
              name: { type: "string" },
            },
          },
        },
        labels: { type: "object", additionalProperties: { type: "string" } },
        selector: {
          type: "object",
          additionalProperties: { type: "string" },
          "x-kubernetes-map-type": "atomic",
        },
        free: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
        any: { "x-kubernetes-preserve-unknown-fields": true },
        nullable: { type: "string", nullable: true },
        nested: {
          type: "object",
          properties: {
            deep: {
              type: "object",
              properties: { x: { type: "string", default: "dx" }, y: { type: "string" } },
            },
          },
        },
      },
    },
  },
};

/** A custom kind with every sort of list and map that a schema can describe. */
export const thingDefinition: JsonObject = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: "things.merge.example.com" },
  spec: {
    group: "merge.example.com",
    names: { plural: "things", kind: "Thing" },
    scope: "Namespaced",
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: thingSchema },
      },
    ],
  },
};

const thing: MergeKind = {
  kind: "Thing",
  apiVersion: "merge.example.com/v1",
  path: "/apis/merge.example.com/v1/namespaces/default/things",
  schema: crdSchema(thingSchema),
  hasStatus: true,
  allocated: [],
  configuration: json(
    fc.record({
      metadata: labels,
      top: optional(text),
      status: optional(fc.record({ phase: optional(text) })),
      spec: optional(
        fc.record({
          replicas: optional(fc.constantFrom(0, 1, 2)),
          size: optional(fc.constantFrom("s", "")),
          atomicList: optional(fc.array(text, { maxLength: 2 })),
          set: optional(fc.uniqueArray(text, { maxLength: 3 })),
          ports: optional(
            fc.uniqueArray(
              fc.record({
                port: fc.constantFrom(1, 2),
                protocol: optional(fc.constantFrom("TCP", "UDP")),
                name: optional(text),
              }),
              { maxLength: 3, selector: (each) => `${each.port}/${each.protocol ?? "TCP"}` },
            ),
          ),
          labels: optional(entries(["x", "y"], text)),
          selector: optional(entries(["x", "y"], text)),
          free: optional(
            fc.constantFrom<unknown>(
              {},
              { a: 1 },
              { a: { b: 1 } },
              { a: { c: [1] } },
              { a: [1, 2] },
              { a: null },
            ),
          ),
          any: optional(fc.constantFrom<unknown>(1, "x", { y: 1 }, [1], { y: { z: 2 } })),
          nullable: optional(fc.constantFrom(null, "x")),
          nested: optional(
            fc.record({ deep: optional(fc.record({ x: optional(text), y: optional(text) })) }),
          ),
        }),
      ),
    }),
  ),
  status: json(fc.record({ phase: optional(text) })),
};

export const mergeKinds: readonly MergeKind[] = [configMap, deployment, service, thing];

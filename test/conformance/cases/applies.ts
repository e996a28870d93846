import { apply, type ConformanceCase, jsonStep, type Step } from "../case.ts";
import {
  apps,
  configMap,
  container,
  core,
  deployment,
  podTemplate,
  thing,
  things,
} from "./paths.ts";
import { specSchema, withDefinition } from "./with-definition.ts";

const maps = `${core}/configmaps`;
const a = `${maps}/a`;
const d = `${apps}/deployments/d`;
const s = `${core}/services/s`;
const roles = "/apis/rbac.authorization.k8s.io/v1/namespaces/{ns}/roles";
const fields = ["data", "metadata.labels", "metadata.annotations", "metadata.managedFields"];
const map: Partial<Step> = {
  keep: [...fields, "metadata.resourceVersion", "code", "details", "message"],
};
const spec: Partial<Step> = {
  keep: ["spec", "metadata.generation", "metadata.managedFields", "code", "reason", "details"],
};
const owners: Partial<Step> = { keep: ["metadata.managedFields", "code", "reason", "details"] };
/** Where the real server answers 500, any refusal will do: only the state afterwards counts. */
const state: Partial<Step> = { keep: ["data", "metadata.managedFields"] };

/** Managers are named in the order of their writing, which is then their order in every second. */
const applyMap = (
  manager: string,
  data: object | undefined,
  rest: Parameters<typeof apply>[3] & { readonly metadata?: object } = {},
): Step => {
  const { metadata = {}, ...others } = rest;
  const body = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", ...metadata },
    ...(data === undefined ? {} : { data }),
  };
  return apply(a, manager, body, { ...map, ...others });
};

const getMap = jsonStep("GET", a, undefined, map);
const createMap = (data: Readonly<Record<string, string>>, metadata: object = {}): Step =>
  jsonStep("POST", `${maps}?fieldManager=m0`, configMap("a", data, metadata), { prepare: true });

const applyDeployment = (
  manager: string,
  body: object,
  rest: Parameters<typeof apply>[3] = {},
): Step =>
  apply(
    d,
    manager,
    { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" }, spec: body },
    { ...spec, ...rest },
  );
const wholeDeployment = (manager: string, containers: readonly object[], rest = {}): Step =>
  applyDeployment(manager, {
    replicas: 0,
    paused: true,
    selector: { matchLabels: { app: "a" } },
    template: { metadata: { labels: { app: "a" } }, spec: { containers, ...rest } },
  });
const containersOnly = (containers: readonly object[], rest = {}): object => ({
  template: { spec: { containers, ...rest } },
});

const applyService = (
  manager: string,
  body: object,
  rest: Parameters<typeof apply>[3] = {},
): Step =>
  apply(
    s,
    manager,
    { apiVersion: "v1", kind: "Service", metadata: { name: "s" }, spec: body },
    {
      keep: [
        "spec.ports",
        "spec.selector",
        "spec.type",
        "metadata.managedFields",
        "code",
        "details",
        "reason",
      ],
      ...rest,
    },
  );
const port = (number: number, name: string, more: object = {}): object => ({
  port: number,
  name,
  ...more,
});

const applyRole = (
  manager: string,
  rules: readonly object[],
  rest: Parameters<typeof apply>[3] = {},
): Step =>
  apply(
    `${roles}/r`,
    manager,
    { apiVersion: "rbac.authorization.k8s.io/v1", kind: "Role", metadata: { name: "r" }, rules },
    { keep: ["rules", "metadata.managedFields", "code", "details", "reason"], ...rest },
  );
const rule = (resource: string): object => ({
  apiGroups: [""],
  resources: [resource],
  verbs: ["get"],
});

const configMapCases: readonly ConformanceCase[] = [
  {
    name: "two managers of different keys",
    steps: [applyMap("m1", { x: "1" }), applyMap("m2", { y: "1" }), applyMap("m1", { x: "2" })],
  },
  {
    name: "two managers of one equal value share it",
    steps: [applyMap("m1", { x: "1" }), applyMap("m2", { x: "1" }), applyMap("m1", {}), getMap],
  },
  {
    name: "a shared value conflicts when one changes it",
    steps: [
      applyMap("m1", { x: "1" }),
      applyMap("m2", { x: "1" }),
      applyMap("m1", { x: "2" }),
      applyMap("m1", { x: "2" }, { force: true }),
    ],
  },
  {
    name: "force takes a field from its owner",
    steps: [
      applyMap("m1", { x: "1", y: "1" }),
      applyMap("m2", { x: "2" }),
      applyMap("m2", { x: "2" }, { force: true }),
      applyMap("m1", { y: "1" }),
    ],
  },
  {
    name: "several conflicts at once",
    steps: [
      applyMap("m1", { x: "1", y: "1" }),
      applyMap("m2", { z: "1" }),
      applyMap("m3", { x: "2", y: "2", z: "2" }),
    ],
  },
  {
    name: "what is no longer applied goes",
    steps: [
      applyMap("m1", { x: "1", y: "1" }),
      applyMap("m1", { y: "1" }),
      applyMap("m1", undefined),
    ],
  },
  {
    name: "what another manager owns stays",
    steps: [
      applyMap("m1", { x: "1", y: "1" }),
      applyMap("m2", { x: "1" }),
      applyMap("m1", { y: "1" }),
      applyMap("m2", undefined),
    ],
  },
  {
    name: "the same again changes nothing",
    steps: [
      applyMap("m1", { x: "1" }, { metadata: { labels: { l: "1" } } }),
      applyMap("m1", { x: "1" }, { metadata: { labels: { l: "1" } } }),
      getMap,
    ],
  },
  {
    name: "a new owner of the same value is a change",
    steps: [
      applyMap("m1", { x: "1" }),
      applyMap("m2", { x: "1" }),
      applyMap("m2", { x: "1" }),
      getMap,
    ],
  },
  {
    name: "dry run of an apply",
    steps: [
      applyMap("m1", { x: "1" }),
      apply(`${a}?dryRun=All`, "m1", configMap("a", { x: "2" }), { keep: fields }),
      getMap,
      apply(`${maps}/b?dryRun=All`, "m1", configMap("b", { x: "2" }), {
        keep: ["data", "metadata.managedFields"],
      }),
      jsonStep("GET", `${maps}/b`, undefined, { keep: ["code"] }),
    ],
  },
  {
    name: "dry run of a conflict",
    steps: [
      applyMap("m1", { x: "1" }),
      apply(`${a}?dryRun=All`, "m2", configMap("a", { x: "2" }), map),
    ],
  },
  {
    name: "an empty map is owned",
    steps: [applyMap("m1", {}), applyMap("m2", {}), applyMap("m2", {}, { force: true }), getMap],
  },
  {
    name: "empty maps of metadata",
    steps: [
      applyMap("m1", undefined, { metadata: { labels: {}, annotations: {} } }),
      applyMap("m2", undefined, { metadata: { labels: { a: "b" } } }),
      applyMap("m1", undefined),
    ],
  },
  {
    name: "null values of a map",
    steps: [
      apply(
        a,
        "m1",
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: null },
        map,
      ),
    ],
  },
  {
    name: "apply after create",
    steps: [
      createMap({ x: "1", y: "1" }),
      applyMap("m1", { x: "1" }),
      applyMap("m1", { x: "2" }),
      applyMap("m1", { x: "2" }, { force: true }),
    ],
  },
  {
    name: "apply after create of what nobody owns yet",
    steps: [createMap({ x: "1" }), applyMap("m1", { z: "1" }), applyMap("m1", {})],
  },
  {
    name: "apply by the manager that created",
    steps: [
      createMap({ x: "1" }),
      applyMap("m0", { x: "2" }),
      applyMap("m0", { x: "2" }, { force: true }),
    ],
  },
  {
    name: "update after apply takes ownership",
    steps: [
      applyMap("m1", { x: "1", y: "1" }),
      jsonStep("PUT", `${a}?fieldManager=m2`, configMap("a", { x: "2", y: "1" }), map),
      applyMap("m1", { x: "1", y: "1" }),
      applyMap("m1", { y: "1" }),
    ],
  },
  {
    name: "a patch after apply takes ownership",
    steps: [
      applyMap("m1", { x: "1" }),
      jsonStep("PATCH", `${a}?fieldManager=m2`, { data: { x: "2", y: "3" } }, map),
      jsonStep("PATCH", `${a}?fieldManager=m3`, { data: { y: null } }, map),
      applyMap("m1", { x: "1" }, { force: true }),
    ],
  },
  {
    name: "a manager that applies and updates",
    steps: [
      applyMap("m1", { x: "1" }),
      jsonStep("PATCH", `${a}?fieldManager=m1`, { data: { x: "2" } }, map),
      applyMap("m1", { x: "3" }),
      applyMap("m1", { x: "2" }),
    ],
  },
  {
    name: "without managed fields the first apply finds an owner",
    steps: [
      createMap({ x: "1" }),
      jsonStep("PATCH", a, { metadata: { managedFields: [{}] } }, { ...map }),
      applyMap("m1", { x: "2" }),
      applyMap("m1", { y: "1" }),
      getMap,
    ],
  },
  {
    name: "managed fields that are emptied",
    steps: [
      applyMap("m1", { x: "1" }),
      jsonStep("PATCH", `${a}?fieldManager=m2`, { metadata: { managedFields: [] } }, map),
      jsonStep(
        "PATCH",
        `${a}?fieldManager=m2`,
        { metadata: { managedFields: [{}] }, data: { y: "1" } },
        map,
      ),
      jsonStep("PATCH", `${a}?fieldManager=m2`, { data: { z: "1" } }, map),
      applyMap("m3", { z: "2" }),
    ],
  },
  {
    name: "managed fields in the body",
    steps: [
      applyMap(
        "m1",
        { x: "1" },
        {
          metadata: { managedFields: [{ manager: "x", operation: "Apply" }] },
          keep: ["code", "reason", "message"],
        },
      ),
      applyMap("m1", { x: "1" }, { metadata: { managedFields: [] } }),
      applyMap("m1", { x: "1" }, { metadata: { managedFields: null } }),
    ],
  },
  {
    name: "a version in the body is a condition",
    steps: [
      applyMap(
        "m1",
        { x: "1" },
        { take: { version: "metadata.resourceVersion", uid: "metadata.uid" } },
      ),
      applyMap("m1", { x: "2" }, { metadata: { resourceVersion: "{version}" } }),
      applyMap(
        "m1",
        { x: "3" },
        { metadata: { resourceVersion: "{version}" }, keep: ["code", "reason", "message"] },
      ),
      applyMap("m1", { x: "4" }, { metadata: { uid: "{uid}" } }),
      applyMap(
        "m1",
        { x: "5" },
        { metadata: { uid: "00000000-0000-0000-0000-000000000000" }, keep: ["code", "reason"] },
      ),
      getMap,
    ],
  },
  {
    name: "a version in the body of what does not exist",
    steps: [
      applyMap("m1", { x: "1" }, { metadata: { resourceVersion: "1" }, keep: ["code", "reason"] }),
      applyMap(
        "m1",
        { x: "1" },
        { metadata: { uid: "00000000-0000-0000-0000-000000000000" }, keep: ["code", "reason"] },
      ),
      jsonStep("GET", a, undefined, { keep: ["code"] }),
    ],
  },
  {
    name: "bodies that cannot be applied",
    steps: [
      apply(a, "m1", "{", { keep: ["code", "reason"] }),
      apply(a, "m1", "[]", { keep: ["code", "reason"] }),
      apply(a, "m1", { metadata: { name: "a" } }, { keep: ["code", "reason"] }),
      apply(a, "m1", { kind: "ConfigMap", metadata: { name: "a" } }, { keep: ["code", "reason"] }),
      apply(
        a,
        "m1",
        { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } },
        { keep: ["code", "reason"] },
      ),
      apply(
        a,
        "m1",
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "b" } },
        { keep: ["code", "reason"] },
      ),
      apply(
        a,
        "m1",
        { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } },
        { keep: ["code", "reason"] },
      ),
    ],
  },
  {
    name: "names may be left to the path",
    steps: [
      apply(
        a,
        "m1",
        { apiVersion: "v1", kind: "ConfigMap", data: { x: "1" } },
        { keep: ["kind", "code", "reason", "metadata.name", "metadata.managedFields"] },
      ),
    ],
  },
  {
    name: "managers that cannot be",
    steps: [
      jsonStep("PATCH", a, configMap("a"), {
        contentType: "application/apply-patch+yaml",
        keep: ["code", "reason", "message", "details"],
      }),
      apply(a, "m".repeat(129), configMap("a"), { keep: ["code", "reason", "details"] }),
      apply(a, "m%0A", configMap("a"), { keep: ["code", "reason"] }),
      jsonStep("PATCH", `${a}?force=true`, { data: {} }, { keep: ["code", "reason", "details"] }),
    ],
  },
  {
    name: "applied from YAML",
    steps: [
      apply(
        a,
        "m1",
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: 'yes'\n  # a comment\n  y: |\n    lines\n",
        map,
      ),
    ],
  },
  {
    name: "finalizers and owners are lists of keys",
    steps: [
      applyMap("m1", undefined, {
        metadata: { finalizers: ["example.com/a"] },
        keep: ["metadata.finalizers", "metadata.managedFields"],
      }),
      applyMap("m2", undefined, {
        metadata: { finalizers: ["example.com/b"] },
        keep: ["metadata.finalizers", "metadata.managedFields"],
      }),
      applyMap("m1", undefined, { keep: ["metadata.finalizers", "metadata.managedFields"] }),
      applyMap("m2", undefined, { keep: ["metadata.finalizers", "metadata.managedFields"] }),
    ],
  },
  {
    name: "unknown fields are refused",
    steps: [
      applyMap("m1", { x: "1" }),
      apply(
        a,
        "m1",
        { ...configMap("a", { x: "2" }), nonsense: 1 },
        { keep: [], statusClass: true },
      ),
      jsonStep("GET", a, undefined, state),
    ],
  },
];

const workloadCases: readonly ConformanceCase[] = [
  {
    name: "containers are a list of names",
    steps: [
      wholeDeployment("m1", [container]),
      applyDeployment("m2", containersOnly([{ name: "side", image: "busybox" }])),
      applyDeployment("m2", containersOnly([{ name: "c", image: "other" }])),
      applyDeployment("m2", {}),
    ],
  },
  {
    name: "a part of a container of another",
    steps: [
      wholeDeployment("m1", [container]),
      applyDeployment("m2", containersOnly([{ name: "c", resources: { limits: { cpu: "1" } } }])),
      applyDeployment("m1", {
        replicas: 0,
        paused: true,
        selector: { matchLabels: { app: "a" } },
        template: podTemplate,
      }),
    ],
  },
  {
    name: "quantities are compared as written or as numbers",
    steps: [
      wholeDeployment("m1", [
        { ...container, resources: { requests: { cpu: "1000m", memory: "1Gi" } } },
      ]),
      applyDeployment("m2", containersOnly([{ name: "c", resources: { requests: { cpu: "1" } } }])),
      applyDeployment(
        "m3",
        containersOnly([{ name: "c", resources: { requests: { memory: "1024Mi" } } }]),
      ),
    ],
  },
  {
    name: "environment by name",
    steps: [
      wholeDeployment("m1", [
        {
          ...container,
          env: [
            { name: "A", value: "1" },
            { name: "B", value: "2" },
          ],
        },
      ]),
      applyDeployment("m2", containersOnly([{ name: "c", env: [{ name: "C", value: "3" }] }])),
      wholeDeployment("m1", [{ ...container, env: [{ name: "B", value: "2" }] }]),
      applyDeployment(
        "m3",
        containersOnly([
          {
            name: "c",
            env: [{ name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } }],
          },
        ]),
        owners,
      ),
    ],
  },
  {
    name: "the order of a list of names",
    steps: [
      wholeDeployment("m1", [container, { name: "b", image: "b" }]),
      wholeDeployment("m1", [{ name: "b", image: "b" }, container]),
      applyDeployment(
        "m2",
        containersOnly([
          { name: "z", image: "z" },
          { name: "b", image: "b" },
        ]),
      ),
      wholeDeployment("m1", [{ name: "n", image: "n" }, container]),
    ],
  },
  {
    name: "atomic lists belong to one",
    steps: [
      wholeDeployment("m1", [{ ...container, command: ["a", "b"] }]),
      applyDeployment("m2", containersOnly([{ name: "c", command: ["a"] }])),
      applyDeployment("m2", containersOnly([{ name: "c", command: ["a", "b"] }])),
      applyDeployment("m2", containersOnly([{ name: "c", command: ["c"] }]), { force: true }),
    ],
  },
  {
    name: "tolerations are atomic, selectors of nodes a map",
    steps: [
      wholeDeployment("m1", [container], {
        tolerations: [{ key: "a", operator: "Exists" }],
        nodeSelector: { a: "1" },
      }),
      applyDeployment("m2", { template: { spec: { nodeSelector: { b: "2" } } } }),
      applyDeployment("m2", {
        template: { spec: { tolerations: [{ key: "b", operator: "Exists" }] } },
      }),
    ],
  },
  {
    name: "container ports by port and protocol",
    steps: [
      wholeDeployment("m1", [{ ...container, ports: [{ containerPort: 80 }] }]),
      applyDeployment(
        "m2",
        containersOnly([{ name: "c", ports: [{ containerPort: 80, protocol: "UDP" }] }]),
      ),
      applyDeployment(
        "m3",
        containersOnly([{ name: "c", ports: [{ containerPort: 80, name: "http" }] }]),
      ),
      applyDeployment("m2", {}),
    ],
  },
  {
    name: "volumes and their places",
    steps: [
      wholeDeployment("m1", [{ ...container, volumeMounts: [{ name: "v", mountPath: "/v" }] }], {
        volumes: [{ name: "v", emptyDir: {} }],
      }),
      applyDeployment(
        "m2",
        containersOnly([{ name: "c", volumeMounts: [{ name: "v", mountPath: "/w" }] }]),
      ),
      applyDeployment(
        "m3",
        { template: { spec: { volumes: [{ name: "v", configMap: { name: "x" } }] } } },
        owners,
      ),
    ],
  },
  {
    name: "replicas given up to the scale",
    steps: [
      wholeDeployment("m1", [container]),
      apply(
        `${d}/scale`,
        "m2",
        {
          apiVersion: "autoscaling/v1",
          kind: "Scale",
          metadata: { name: "d" },
          spec: { replicas: 0 },
        },
        { keep: ["spec", "code", "details", "reason"] },
      ),
      jsonStep("GET", d, undefined, owners),
      applyDeployment("m1", {
        paused: true,
        selector: { matchLabels: { app: "a" } },
        template: podTemplate,
      }),
    ],
  },
  {
    name: "a scale conflicts with the owner of replicas",
    steps: [
      wholeDeployment("m1", [container]),
      apply(
        `${d}/scale`,
        "m2",
        {
          apiVersion: "autoscaling/v1",
          kind: "Scale",
          metadata: { name: "d" },
          spec: { replicas: 1 },
        },
        { keep: ["spec", "code", "details", "reason"] },
      ),
      apply(
        `${d}/scale`,
        "m2",
        {
          apiVersion: "autoscaling/v1",
          kind: "Scale",
          metadata: { name: "d" },
          spec: { replicas: 0 },
        },
        { force: true, keep: ["spec", "code"] },
      ),
      jsonStep("GET", d, undefined, owners),
    ],
  },
  {
    name: "status by its own path",
    steps: [
      wholeDeployment("m1", [container]),
      apply(
        `${d}/status`,
        "m2",
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "d" },
          spec: { replicas: 9 },
          status: {
            conditions: [
              { type: "Special", status: "True", lastTransitionTime: null, lastUpdateTime: null },
            ],
          },
        },
        { keep: ["spec.replicas", "metadata.generation", "code", "reason"] },
      ),
      jsonStep("GET", d, undefined, { keep: ["spec.replicas", "metadata.generation"] }),
    ],
  },
  {
    name: "status through the object is ignored",
    steps: [
      apply(
        d,
        "m1",
        { ...deployment("d"), status: { replicas: 7 } },
        { keep: ["status.replicas", "metadata.managedFields"] },
      ),
    ],
  },
  {
    name: "apply to a part of what does not exist",
    steps: [
      apply(
        `${d}/status`,
        "m1",
        { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "d" } },
        { keep: ["code", "reason", "message"] },
      ),
      apply(
        `${d}/scale`,
        "m1",
        {
          apiVersion: "autoscaling/v1",
          kind: "Scale",
          metadata: { name: "d" },
          spec: { replicas: 1 },
        },
        { keep: ["code", "reason", "message"] },
      ),
      apply(`${d}/nonsense`, "m1", deployment("d"), { keep: ["code", "reason"] }),
    ],
  },
  {
    name: "an invalid result is refused and nothing is kept",
    steps: [
      wholeDeployment("m1", [container]),
      applyDeployment("m2", containersOnly([{ name: "n" }]), {
        keep: ["code", "reason", "message", "details"],
      }),
      jsonStep("GET", d, undefined, spec),
    ],
  },
  {
    name: "defaults belong to nobody that applies",
    steps: [
      wholeDeployment("m1", [container]),
      applyDeployment("m2", { strategy: { type: "Recreate", rollingUpdate: null } }),
      applyDeployment("m3", { revisionHistoryLimit: 10 }),
      applyDeployment("m3", {}),
    ],
  },
  {
    name: "labels and annotations of two managers",
    steps: [
      apply(
        d,
        "m1",
        {
          ...deployment("d"),
          metadata: { name: "d", labels: { a: "1" }, annotations: { x: "1" } },
        },
        owners,
      ),
      apply(
        d,
        "m2",
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "d", labels: { a: "2", b: "1" } },
        },
        owners,
      ),
      apply(
        d,
        "m2",
        {
          apiVersion: "apps/v1",
          kind: "Deployment",
          metadata: { name: "d", labels: { b: "1" }, annotations: { x: "1" } },
        },
        owners,
      ),
    ],
  },
  {
    name: "duplicates in a list are refused",
    steps: [
      wholeDeployment("m1", [container]),
      applyDeployment(
        "m2",
        containersOnly([
          { name: "n", image: "a" },
          { name: "n", image: "b" },
        ]),
        { keep: [], statusClass: true },
      ),
      jsonStep("GET", d, undefined, owners),
    ],
  },
];

const otherCases: readonly ConformanceCase[] = [
  {
    name: "ports of a service by port and protocol",
    steps: [
      applyService("m1", { selector: { app: "a" }, ports: [port(80, "http")] }),
      applyService("m2", { ports: [port(443, "https")] }),
      applyService("m2", { ports: [port(80, "web")] }),
      applyService("m1", { selector: { app: "a" }, ports: [port(81, "http")] }),
      applyService("m2", {}),
    ],
  },
  {
    name: "two ports of one number",
    steps: [
      applyService("m1", {
        ports: [port(53, "tcp", { protocol: "TCP" }), port(53, "udp", { protocol: "UDP" })],
      }),
      applyService("m1", { ports: [port(53, "udp", { protocol: "UDP" })] }),
    ],
  },
  {
    name: "a selector of a service is atomic",
    steps: [
      applyService("m1", { selector: { app: "a" }, ports: [port(80, "http")] }),
      applyService("m2", { selector: { tier: "b" } }),
      applyService("m2", { selector: { tier: "b" } }, { force: true }),
    ],
  },
  {
    name: "what the server allocates is nobody's",
    steps: [
      applyService("m1", { type: "ClusterIP", ports: [port(80, "http")] }),
      applyService("m2", { sessionAffinity: "ClientIP" }),
      applyService(
        "m1",
        { type: "NodePort", ports: [port(80, "http")] },
        { keep: ["spec.type", "metadata.managedFields"] },
      ),
    ],
  },
  {
    name: "rules of a role are atomic",
    steps: [
      applyRole("m1", [rule("pods"), rule("secrets")]),
      applyRole("m2", [rule("pods")]),
      applyRole("m2", [rule("pods"), rule("secrets")]),
      applyRole("m2", [rule("pods")], { force: true }),
      applyRole("m1", []),
    ],
  },
  {
    name: "a pod is applied",
    steps: [
      apply(
        `${core}/pods/p`,
        "m1",
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "p" },
          spec: { schedulerName: "nobody", containers: [container] },
        },
        owners,
      ),
      apply(
        `${core}/pods/p`,
        "m1",
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "p" },
          spec: { schedulerName: "nobody", containers: [{ ...container, image: "nginx:2" }] },
        },
        { keep: ["spec.containers.0.image", "metadata.managedFields", "metadata.generation"] },
      ),
      apply(
        `${core}/pods/p`,
        "m1",
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "p" },
          spec: { schedulerName: "other", containers: [container] },
        },
        { keep: ["code", "reason"] },
      ),
    ],
  },
  {
    name: "a secret is applied with text",
    steps: [
      apply(
        `${core}/secrets/x`,
        "m1",
        { apiVersion: "v1", kind: "Secret", metadata: { name: "x" }, stringData: { a: "b" } },
        { keep: ["data", "stringData", "metadata.managedFields"] },
      ),
      apply(
        `${core}/secrets/x`,
        "m1",
        { apiVersion: "v1", kind: "Secret", metadata: { name: "x" }, data: { a: "Yg==" } },
        { keep: ["data", "stringData", "metadata.managedFields"] },
      ),
      apply(
        `${core}/secrets/x`,
        "m2",
        { apiVersion: "v1", kind: "Secret", metadata: { name: "x" }, data: { a: "Yw==" } },
        { keep: ["code", "reason", "details"] },
      ),
    ],
  },
  {
    name: "a service account's secrets by name",
    steps: [
      apply(
        `${core}/serviceaccounts/x`,
        "m1",
        {
          apiVersion: "v1",
          kind: "ServiceAccount",
          metadata: { name: "x" },
          imagePullSecrets: [{ name: "a" }],
        },
        { keep: ["imagePullSecrets", "metadata.managedFields"] },
      ),
      apply(
        `${core}/serviceaccounts/x`,
        "m2",
        {
          apiVersion: "v1",
          kind: "ServiceAccount",
          metadata: { name: "x" },
          imagePullSecrets: [{ name: "b" }],
        },
        { keep: ["imagePullSecrets", "metadata.managedFields"] },
      ),
      apply(
        `${core}/serviceaccounts/x`,
        "m1",
        { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "x" } },
        { keep: ["imagePullSecrets", "metadata.managedFields"] },
      ),
    ],
  },
  {
    name: "lists of custom resources",
    steps: withDefinition(
      specSchema({
        set: { type: "array", items: { type: "string" }, "x-kubernetes-list-type": "set" },
        atomic: {
          type: "object",
          additionalProperties: { type: "string" },
          "x-kubernetes-map-type": "atomic",
        },
        list: { type: "array", items: { type: "string" } },
        keyed: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["k", "l"],
          items: {
            type: "object",
            required: ["k"],
            properties: {
              k: { type: "string" },
              l: { type: "integer", default: 1 },
              v: { type: "string" },
            },
          },
        },
      }),
      [
        apply(
          `${things}/a`,
          "m1",
          thing("a", {
            spec: { set: ["x", "y"], atomic: { a: "1" }, list: ["p"], keyed: [{ k: "a", v: "1" }] },
          }),
          spec,
        ),
        apply(
          `${things}/a`,
          "m2",
          thing("a", { spec: { set: ["y", "z"], keyed: [{ k: "a", l: 2, v: "2" }] } }),
          spec,
        ),
        apply(
          `${things}/a`,
          "m2",
          thing("a", { spec: { atomic: { b: "2" }, list: ["p", "q"] } }),
          spec,
        ),
        apply(`${things}/a`, "m1", thing("a", { spec: { set: ["x"] } }), spec),
        apply(`${things}/a`, "m3", thing("a", { spec: { set: ["z", "z"] } }), {
          keep: [],
          statusClass: true,
        }),
        jsonStep("GET", `${things}/a`, undefined, spec),
      ],
    ),
  },
  {
    name: "custom resources without a schema of their fields",
    steps: withDefinition({}, [
      apply(`${things}/a`, "m1", thing("a", { spec: { x: { y: 1 }, list: [1, 2] } }), spec),
      apply(`${things}/a`, "m2", thing("a", { spec: { x: { z: 2 } } }), spec),
      apply(`${things}/a`, "m2", thing("a", { spec: { list: [1] } }), spec),
      apply(`${things}/a`, "m1", thing("a", { spec: { list: [1, 2] } }), spec),
    ]),
  },
  {
    name: "status of custom resources",
    steps: withDefinition(
      {
        ...specSchema({ x: { type: "integer" } }),
        schema: {
          openAPIV3Schema: {
            type: "object",
            properties: {
              spec: { type: "object", properties: { x: { type: "integer" } } },
              status: { type: "object", properties: { y: { type: "integer" } } },
            },
          },
        },
        subresources: { status: {} },
      },
      [
        apply(`${things}/a`, "m1", thing("a", { spec: { x: 1 }, status: { y: 1 } }), {
          keep: ["spec", "status", "metadata.generation", "metadata.managedFields"],
        }),
        apply(`${things}/a/status`, "m2", thing("a", { spec: { x: 2 }, status: { y: 2 } }), {
          keep: ["spec", "status", "metadata.generation", "metadata.managedFields"],
        }),
        apply(`${things}/a/status`, "m3", thing("a", { status: { y: 3 } }), {
          keep: ["code", "reason", "details"],
        }),
        apply(`${things}/a`, "m1", thing("a", { spec: { x: 3 } }), {
          keep: ["spec", "status", "metadata.generation", "metadata.managedFields"],
        }),
      ],
    ),
  },
];

/** Server-side apply: who owns what, what conflicts, and what goes when it is given up. */
export const applyCases: readonly ConformanceCase[] = [
  ...configMapCases,
  ...workloadCases,
  ...otherCases,
];

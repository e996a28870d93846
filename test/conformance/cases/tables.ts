import { type ConformanceCase, type Step, jsonStep } from "../case.ts";
import { apps, container, core, definition, definitions, oneDefinition } from "./paths.ts";
import { deployment, pod, podTemplate, thing, things } from "./paths.ts";

const accept = "application/json;as=Table;v=v1;g=meta.k8s.io";

/** The table of one object; only what is printed counts. */
function table(path: string): Step {
  return jsonStep("GET", `${path}?includeObject=None`, undefined, {
    accept,
    keep: ["kind", "apiVersion", "columnDefinitions", "rows"],
  });
}

/** An object is created, its status written, and its row read. */
function row(name: string, collection: string, body: object, status?: object): ConformanceCase {
  const { metadata } = body as { readonly metadata: { readonly name: string } };
  const path = `${collection}/${metadata.name}`;
  const write =
    status === undefined
      ? []
      : [jsonStep("PATCH", `${path}/status`, { status }, { prepare: true as const })];
  return {
    name,
    steps: [jsonStep("POST", collection, body, { prepare: true }), ...write, table(path)],
  };
}

function named(apiVersion: string, kind: string, fields: object, name = "one"): object {
  return { apiVersion, kind, metadata: { name }, ...fields };
}

/** Nobody schedules these, so their status stays as it is written. */
function stillPod(spec: object = {}, metadata: object = {}): object {
  return pod("one", { schedulerName: "nobody", ...spec }, metadata);
}

const time = "2024-01-02T03:04:05Z";
const running = { running: { startedAt: time } };
const base = { name: "c", image: "i", imageID: "", restartCount: 0 };
const selector = { matchLabels: { app: "a" } };
const expressions = {
  matchLabels: { b: "c" },
  matchExpressions: [
    { key: "a", operator: "In", values: ["y", "x"] },
    { key: "d", operator: "DoesNotExist" },
  ],
};
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const rbacVersion = "rbac.authorization.k8s.io/v1";
const networking = "/apis/networking.k8s.io/v1";
const storage = "/apis/storage.k8s.io/v1";
const admission = "/apis/admissionregistration.k8s.io/v1";

const podRows: readonly ConformanceCase[] = [
  row("a pending pod", `${core}/pods`, stillPod()),
  row("a running pod", `${core}/pods`, stillPod(), {
    phase: "Running",
    podIPs: [{ ip: "10.0.0.1" }],
    podIP: "10.0.0.1",
    conditions: [{ type: "Ready", status: "True" }],
    containerStatuses: [{ ...base, ready: true, started: true, state: running }],
  }),
  row("a pod in a crash loop", `${core}/pods`, stillPod(), {
    phase: "Running",
    containerStatuses: [
      {
        ...base,
        ready: false,
        restartCount: 3,
        state: { waiting: { reason: "CrashLoopBackOff" } },
      },
    ],
  }),
  row("a pod that ended with a code", `${core}/pods`, stillPod({ restartPolicy: "Never" }), {
    phase: "Failed",
    containerStatuses: [{ ...base, ready: false, state: { terminated: { exitCode: 3 } } }],
  }),
  row("a pod that completed", `${core}/pods`, stillPod({ restartPolicy: "Never" }), {
    phase: "Succeeded",
    containerStatuses: [
      { ...base, ready: false, state: { terminated: { exitCode: 0, reason: "Completed" } } },
    ],
  }),
  row(
    "a pod that waits for its init container",
    `${core}/pods`,
    stillPod({ initContainers: [{ name: "i", image: "i" }] }),
    {
      phase: "Pending",
      initContainerStatuses: [{ ...base, name: "i", ready: false, state: running }],
    },
  ),
  row(
    "a pod with a sidecar and a readiness gate",
    `${core}/pods`,
    stillPod({
      initContainers: [{ name: "i", image: "i", restartPolicy: "Always" }],
      readinessGates: [{ conditionType: "example.com/ready" }],
    }),
    {
      phase: "Running",
      conditions: [
        { type: "Initialized", status: "True" },
        { type: "example.com/ready", status: "True" },
      ],
      initContainerStatuses: [{ ...base, name: "i", ready: true, started: true, state: running }],
      containerStatuses: [{ ...base, ready: true, started: true, state: running }],
    },
  ),
  row("a gated pod", `${core}/pods`, stillPod({ schedulingGates: [{ name: "example.com/g" }] })),
];

const workloadRows: readonly ConformanceCase[] = [
  row("a deployment", `${apps}/deployments`, deployment("one")),
  row(
    "a replica set",
    `${apps}/replicasets`,
    named("apps/v1", "ReplicaSet", {
      spec: { replicas: 0, selector: expressionsOf(), template: expressionTemplate() },
    }),
  ),
  row(
    "a stateful set",
    `${apps}/statefulsets`,
    named("apps/v1", "StatefulSet", {
      spec: { replicas: 0, selector, serviceName: "s", template: podTemplate },
    }),
  ),
  row(
    "a daemon set",
    `${apps}/daemonsets`,
    named("apps/v1", "DaemonSet", {
      spec: {
        selector,
        template: {
          ...podTemplate,
          spec: { containers: [container], nodeSelector: { nowhere: "x" } },
        },
      },
    }),
  ),
  row(
    "a replication controller",
    `${core}/replicationcontrollers`,
    named("v1", "ReplicationController", {
      spec: { replicas: 0, selector: { app: "a" }, template: podTemplate },
    }),
  ),
  row(
    "a controller revision",
    `${apps}/controllerrevisions`,
    named("apps/v1", "ControllerRevision", { revision: 7, data: {} }),
  ),
  row(
    "a cron job",
    "/apis/batch/v1/namespaces/{ns}/cronjobs",
    named("batch/v1", "CronJob", {
      spec: {
        schedule: "0 0 1 1 *",
        suspend: true,
        timeZone: "Etc/UTC",
        jobTemplate: {
          spec: { template: { spec: { containers: [container], restartPolicy: "Never" } } },
        },
      },
    }),
  ),
  row(
    "a pod template",
    `${core}/podtemplates`,
    named("v1", "PodTemplate", { template: podTemplate }),
  ),
  row(
    "an autoscaler",
    "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers",
    named("autoscaling/v2", "HorizontalPodAutoscaler", {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "nobody" },
        metrics: [
          { type: "Resource", resource: metric({ type: "Utilization", averageUtilization: 50 }) },
          { type: "Resource", resource: metric({ type: "AverageValue", averageValue: "2" }) },
          { type: "Pods", pods: podsMetric() },
        ],
      },
    }),
  ),
];

function metric(target: object): object {
  return { name: "cpu", target };
}

function podsMetric(): object {
  return { metric: { name: "m" }, target: { type: "AverageValue", averageValue: "10" } };
}

function expressionsOf(): object {
  return expressions;
}

function expressionTemplate(): object {
  return { metadata: { labels: { a: "x", b: "c" } }, spec: { containers: [container] } };
}

const networkRows: readonly ConformanceCase[] = [
  row(
    "a service",
    `${core}/services`,
    named("v1", "Service", {
      spec: {
        selector: { b: "c", a: "b" },
        ports: [
          { name: "x", port: 80 },
          { name: "y", port: 53, protocol: "UDP" },
        ],
      },
    }),
  ),
  row(
    "a service without ports and addresses",
    `${core}/services`,
    named("v1", "Service", { spec: { clusterIP: "None", externalIPs: ["1.2.3.4"] } }),
  ),
  row(
    "an external service",
    `${core}/services`,
    named("v1", "Service", { spec: { type: "ExternalName", externalName: "example.com" } }),
  ),
  row(
    "a load balancer",
    `${core}/services`,
    named("v1", "Service", {
      spec: {
        type: "LoadBalancer",
        loadBalancerClass: "example.com/none",
        allocateLoadBalancerNodePorts: false,
        ports: [{ port: 80 }],
      },
    }),
    { loadBalancer: { ingress: [{ ip: "9.9.9.9" }, { hostname: "a.example.com" }] } },
  ),
  row(
    "endpoints",
    `${core}/endpoints`,
    named("v1", "Endpoints", {
      subsets: [
        {
          addresses: [{ ip: "10.0.0.1" }, { ip: "10.0.0.2" }],
          ports: [
            { name: "a", port: 80 },
            { name: "b", port: 81 },
          ],
        },
      ],
    }),
  ),
  row(
    "an endpoint slice",
    "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices",
    named("discovery.k8s.io/v1", "EndpointSlice", {
      addressType: "IPv4",
      endpoints: [{ addresses: ["10.0.0.1"] }, { addresses: ["10.0.0.2"] }],
      ports: [{ name: "a", port: 80 }, { name: "b" }],
    }),
  ),
  row(
    "an ingress class",
    `${networking}/ingressclasses`,
    named(
      "networking.k8s.io/v1",
      "IngressClass",
      {
        spec: {
          controller: "example.com/c",
          parameters: { apiGroup: "example.com", kind: "P", name: "p" },
        },
      },
      "{id}",
    ),
  ),
  row(
    "a network policy",
    `${networking}/namespaces/{ns}/networkpolicies`,
    named("networking.k8s.io/v1", "NetworkPolicy", { spec: { podSelector: {} } }),
  ),
];

const storageRows: readonly ConformanceCase[] = [
  row(
    "a volume",
    "/api/v1/persistentvolumes",
    named(
      "v1",
      "PersistentVolume",
      {
        spec: {
          capacity: { storage: "1Gi" },
          accessModes: ["ReadWriteMany", "ReadWriteOnce"],
          hostPath: { path: "/x" },
          storageClassName: "{id}",
        },
      },
      "{id}",
    ),
    { phase: "Available" },
  ),
  row(
    "a claim",
    `${core}/persistentvolumeclaims`,
    named("v1", "PersistentVolumeClaim", {
      spec: {
        storageClassName: "nobody",
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
      },
    }),
  ),
  row(
    "a storage class",
    `${storage}/storageclasses`,
    named("storage.k8s.io/v1", "StorageClass", { provisioner: "example.com/p" }, "{id}"),
  ),
  row(
    "a storage driver",
    `${storage}/csidrivers`,
    named("storage.k8s.io/v1", "CSIDriver", { spec: { podInfoOnMount: true } }, "{id}"),
  ),
  row(
    "a node's storage drivers",
    `${storage}/csinodes`,
    named("storage.k8s.io/v1", "CSINode", { spec: { drivers: [] } }, "{id}"),
  ),
];

const rules = [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }];
const webhook = {
  name: "a.example.com",
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  failurePolicy: "Ignore",
  clientConfig: { url: "https://127.0.0.1:1/x" },
};

const clusterRows: readonly ConformanceCase[] = [
  row(
    "a config map",
    `${core}/configmaps`,
    named("v1", "ConfigMap", { data: { a: "b" }, binaryData: { c: "AA==" } }),
  ),
  row("a secret", `${core}/secrets`, named("v1", "Secret", { stringData: { a: "b" } })),
  row("a service account", `${core}/serviceaccounts`, named("v1", "ServiceAccount", {})),
  row("a limit range", `${core}/limitranges`, named("v1", "LimitRange", { spec: { limits: [] } })),
  row(
    "a disruption budget",
    "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
    named("policy/v1", "PodDisruptionBudget", { spec: { minAvailable: "50%", selector } }),
  ),
  row(
    "a priority class",
    "/apis/scheduling.k8s.io/v1/priorityclasses",
    named("scheduling.k8s.io/v1", "PriorityClass", { value: 5 }, "{id}"),
  ),
  row(
    "a lease",
    "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases",
    named("coordination.k8s.io/v1", "Lease", { spec: { holderIdentity: "me" } }),
  ),
  row(
    "a runtime class",
    "/apis/node.k8s.io/v1/runtimeclasses",
    named("node.k8s.io/v1", "RuntimeClass", { handler: "h" }, "{id}"),
  ),
  row("a role", `${rbac}/namespaces/{ns}/roles`, named(rbacVersion, "Role", { rules })),
  row(
    "a role binding",
    `${rbac}/namespaces/{ns}/rolebindings`,
    named(rbacVersion, "RoleBinding", {
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "r" },
      subjects: [
        { kind: "User", name: "u", apiGroup: "rbac.authorization.k8s.io" },
        { kind: "Group", name: "g", apiGroup: "rbac.authorization.k8s.io" },
        { kind: "ServiceAccount", name: "s", namespace: "n" },
        { kind: "User", name: "v", apiGroup: "rbac.authorization.k8s.io" },
      ],
    }),
  ),
  row(
    "a webhook configuration",
    `${admission}/validatingwebhookconfigurations`,
    named(
      "admissionregistration.k8s.io/v1",
      "ValidatingWebhookConfiguration",
      { webhooks: [webhook] },
      "{id}",
    ),
  ),
  row(
    "an event",
    `${core}/events`,
    named("v1", "Event", {
      involvedObject: { kind: "Pod", name: "p", namespace: "{ns}", fieldPath: "spec.x" },
      reason: "Because",
      message: " text ",
      type: "Normal",
      source: { component: "c", host: "h" },
    }),
  ),
];

const customRows: readonly ConformanceCase[] = [
  {
    name: "a custom resource without columns",
    steps: [...established(definition()), ...oneThing({}), table(`${things}/one`)],
  },
  {
    name: "a custom resource with columns of every type",
    steps: [
      ...established(
        definition({
          additionalPrinterColumns: [
            { name: "Text", type: "string", jsonPath: ".spec.text" },
            { name: "Count", type: "integer", jsonPath: ".spec.count", description: "how many" },
            { name: "Ratio", type: "number", jsonPath: ".spec.ratio", priority: 1 },
            { name: "Flag", type: "boolean", jsonPath: ".spec.flag" },
            { name: "When", type: "date", jsonPath: ".spec.when" },
            { name: "Bad", type: "date", jsonPath: ".spec.text" },
            { name: "Missing", type: "string", jsonPath: ".spec.missing" },
            { name: "Wrong", type: "integer", jsonPath: ".spec.text" },
            { name: "Map", type: "string", jsonPath: ".spec.map" },
            { name: "Number", type: "string", jsonPath: ".spec.count" },
            {
              name: "Ready",
              type: "string",
              jsonPath: '.status.conditions[?(@.type=="Ready")].status',
            },
          ],
        }),
      ),
      ...oneThing({
        spec: {
          text: "t",
          count: 3,
          ratio: 1.5,
          flag: true,
          when: "2001-01-01T00:00:00Z",
          map: { a: [1] },
        },
        status: {
          conditions: [
            { type: "Other", status: "False" },
            { type: "Ready", status: "True" },
          ],
        },
      }),
      table(`${things}/one`),
    ],
  },
  {
    name: "a table of a list, with metadata and with whole objects",
    steps: [
      jsonStep("POST", `${core}/configmaps`, named("v1", "ConfigMap", { data: { a: "b" } }), {
        prepare: true,
      }),
      jsonStep("GET", `${core}/configmaps?fieldSelector=metadata.name=one`, undefined, { accept }),
      jsonStep(
        "GET",
        `${core}/configmaps?fieldSelector=metadata.name=one&includeObject=Object`,
        undefined,
        { accept },
      ),
      jsonStep("GET", `${core}/configmaps?includeObject=Half`, undefined, { accept }),
    ],
  },
  {
    name: "a table of an empty list",
    steps: [
      jsonStep("GET", `${core}/secrets?fieldSelector=metadata.name=x`, undefined, {
        accept,
        keep: ["kind", "rows", "columnDefinitions"],
      }),
    ],
  },
  {
    name: "a watch of tables",
    steps: [
      jsonStep("POST", `${core}/configmaps`, named("v1", "ConfigMap", {}, "one"), {
        prepare: true,
      }),
      jsonStep("POST", `${core}/configmaps`, named("v1", "ConfigMap", {}, "two"), {
        prepare: true,
      }),
      {
        method: "WATCH",
        path: `${core}/configmaps?watch=true&includeObject=None&labelSelector=!kubernetes.io/x&fieldSelector=metadata.name!=kube-root-ca.crt`,
        accept,
        events: 2,
      },
    ],
  },
];

function established(body: object): readonly Step[] {
  return [
    jsonStep("POST", definitions, body, { prepare: true }),
    jsonStep("GET", oneDefinition, undefined, {
      prepare: true,
      until: ["status.conditions.1.status", "True"],
    }),
    jsonStep("GET", things, undefined, { prepare: true, until: ["kind", "ThingList"] }),
  ];
}

function oneThing(fields: object): readonly Step[] {
  return [jsonStep("POST", things, thing("one", fields), { prepare: true })];
}

/** What `kubectl get` prints of every kind. */
export const tableCases: readonly ConformanceCase[] = [
  ...podRows,
  ...workloadRows,
  ...networkRows,
  ...storageRows,
  ...clusterRows,
  ...customRows,
];

/** Rows of what a simulated runtime makes ready by itself; elsewhere the case does it. */
export const readyTableCases: readonly ConformanceCase[] = [
  row(
    "an ingress",
    `${networking}/namespaces/{ns}/ingresses`,
    named("networking.k8s.io/v1", "Ingress", {
      spec: {
        ingressClassName: "c",
        tls: [{ hosts: ["a.example.com"] }],
        rules: ["a", "b", "c", "d"].map((host) => ({ host: `${host}.example.com` })),
        defaultBackend: { service: { name: "s", port: { number: 80 } } },
      },
    }),
    { loadBalancer: { ingress: [{ ip: "192.168.49.2" }] } },
  ),
];

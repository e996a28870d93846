import { type ConformanceCase, jsonStep } from "../case.ts";
import { apps, container, core, podTemplate } from "./paths.ts";

const podSpec = { containers: [container] };
const jobTemplate = { spec: { ...podSpec, restartPolicy: "Never" } };
const selector = { matchLabels: { app: "a" } };
const networking = "/apis/networking.k8s.io/v1";
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const admission = "/apis/admissionregistration.k8s.io/v1";

const claim = {
  metadata: { name: "data" },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
};

function mounting(volume: string): object {
  return { name: "c", image: "nginx:1", volumeMounts: [{ name: volume, mountPath: "/data" }] };
}

/** Kinds with the least that they need; nothing here starts to run by itself. */
const kinds: readonly (readonly [path: string, kind: string, fields: object])[] = [
  [
    `${core}/configmaps`,
    "v1 ConfigMap",
    { data: { a: "b" }, binaryData: { c: "AQI=" }, immutable: true },
  ],
  [`${core}/secrets`, "v1 Secret", { stringData: { a: "b" }, data: { c: "ZA==" } }],
  [`${core}/services`, "v1 Service", { spec: { ports: [{ port: 80 }], selector: { app: "a" } } }],
  [
    `${core}/services`,
    "v1 Service",
    { spec: { clusterIP: "None", ports: [{ name: "http", port: 80, targetPort: "web" }] } },
  ],
  [
    `${core}/services`,
    "v1 Service",
    { spec: { type: "ExternalName", externalName: "example.com" } },
  ],
  [
    `${core}/serviceaccounts`,
    "v1 ServiceAccount",
    { secrets: [{ name: "x" }], imagePullSecrets: [{ name: "y" }] },
  ],
  [`${core}/pods`, "v1 Pod", { spec: { ...podSpec, nodeName: "no-such-node" } }],
  [
    `${core}/pods`,
    "v1 Pod",
    {
      spec: {
        nodeName: "no-such-node",
        initContainers: [{ name: "i", image: "busybox" }],
        containers: [
          {
            name: "c",
            image: "nginx:1",
            ports: [{ containerPort: 80 }],
            env: [
              { name: "A", value: "1" },
              { name: "B", valueFrom: { fieldRef: { fieldPath: "metadata.name" } } },
            ],
            resources: {
              requests: { cpu: "1000m", memory: "1024Mi" },
              limits: { cpu: "1", memory: "1Gi" },
            },
            livenessProbe: { httpGet: { port: 80 } },
            readinessProbe: { tcpSocket: { port: 80 }, initialDelaySeconds: 5 },
            volumeMounts: [{ name: "v", mountPath: "/v" }],
          },
        ],
        volumes: [
          { name: "v", configMap: { name: "x" } },
          { name: "s", secret: { secretName: "x" } },
          { name: "e", emptyDir: {} },
          { name: "h", hostPath: { path: "/x" } },
        ],
      },
    },
  ],
  [
    `${core}/persistentvolumeclaims`,
    "v1 PersistentVolumeClaim",
    {
      spec: {
        storageClassName: "none",
        accessModes: ["ReadWriteOnce"],
        resources: { requests: { storage: "1Gi" } },
      },
    },
  ],
  [
    `${core}/resourcequotas`,
    "v1 ResourceQuota",
    { spec: { scopes: ["BestEffort"], hard: { pods: "10" } } },
  ],
  [
    `${core}/limitranges`,
    "v1 LimitRange",
    { spec: { limits: [{ type: "Container", default: { cpu: "0.5" } }] } },
  ],
  [`${core}/podtemplates`, "v1 PodTemplate", { template: podTemplate }],
  [
    `${core}/replicationcontrollers`,
    "v1 ReplicationController",
    { spec: { replicas: 0, template: podTemplate } },
  ],
  [
    "/api/v1/persistentvolumes",
    "v1 PersistentVolume",
    {
      spec: {
        storageClassName: "x",
        accessModes: ["ReadWriteOnce"],
        capacity: { storage: "1Gi" },
        hostPath: { path: "/x" },
      },
    },
  ],
  [
    `${apps}/deployments`,
    "apps/v1 Deployment",
    { spec: { replicas: 0, paused: true, selector, template: podTemplate } },
  ],
  [
    `${apps}/replicasets`,
    "apps/v1 ReplicaSet",
    { spec: { replicas: 0, selector, template: podTemplate } },
  ],
  [
    `${apps}/statefulsets`,
    "apps/v1 StatefulSet",
    { spec: { replicas: 0, serviceName: "x", selector, template: podTemplate } },
  ],
  // The claims of a StatefulSet are volumes of its pods.
  ...[
    { containers: [mounting("data")] },
    { containers: [mounting("nothing")] },
    { containers: [] },
    {
      containers: [
        { name: "c", image: "nginx:1" },
        { name: "c", image: "nginx:1" },
      ],
    },
    { containers: [{ name: "C_", image: "" }] },
    { containers: [container], dnsPolicy: "Sometimes" },
    { containers: [container], restartPolicy: "OnFailure" },
    { containers: [container], activeDeadlineSeconds: 5 },
    { containers: [container], volumes: [{ name: "v" }, { name: "v" }] },
    { containers: [mounting("data")], volumes: [{ name: "data" }] },
    { containers: [mounting("w")], volumes: [{ name: "v" }, { name: "W_" }, { name: "w" }] },
  ].map(
    (spec) =>
      [
        `${apps}/statefulsets`,
        "apps/v1 StatefulSet",
        {
          spec: {
            replicas: 0,
            serviceName: "x",
            selector,
            template: { ...podTemplate, spec },
            volumeClaimTemplates: [claim],
          },
        },
      ] as const,
  ),
  ...(
    [
      ["deployments", "apps/v1 Deployment"],
      ["replicasets", "apps/v1 ReplicaSet"],
      ["daemonsets", "apps/v1 DaemonSet"],
    ] as const
  ).map(
    ([resource, kind]) =>
      [
        `${apps}/${resource}`,
        kind,
        {
          spec: {
            selector,
            template: { ...podTemplate, spec: { ...podSpec, activeDeadlineSeconds: 5 } },
          },
        },
      ] as const,
  ),
  [
    `${apps}/daemonsets`,
    "apps/v1 DaemonSet",
    {
      spec: {
        selector,
        template: { ...podTemplate, spec: { ...podSpec, nodeSelector: { no: "where" } } },
      },
    },
  ],
  [
    `${apps}/controllerrevisions`,
    "apps/v1 ControllerRevision",
    { revision: 1, data: { any: { thing: 1 } } },
  ],
  [
    "/apis/batch/v1/namespaces/{ns}/jobs",
    "batch/v1 Job",
    { spec: { suspend: true, template: jobTemplate } },
  ],
  [
    "/apis/batch/v1/namespaces/{ns}/cronjobs",
    "batch/v1 CronJob",
    {
      spec: {
        suspend: true,
        schedule: "0 0 1 1 *",
        jobTemplate: { spec: { template: jobTemplate } },
      },
    },
  ],
  [
    `${networking}/namespaces/{ns}/ingresses`,
    "networking.k8s.io/v1 Ingress",
    {
      spec: {
        rules: [
          {
            host: "a.b",
            http: {
              paths: [
                {
                  path: "/",
                  pathType: "Prefix",
                  backend: { service: { name: "x", port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
    },
  ],
  [
    `${networking}/namespaces/{ns}/networkpolicies`,
    "networking.k8s.io/v1 NetworkPolicy",
    { spec: { podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] } },
  ],
  [
    `${networking}/ingressclasses`,
    "networking.k8s.io/v1 IngressClass",
    { spec: { controller: "a.b/c" } },
  ],
  [
    "/apis/policy/v1/namespaces/{ns}/poddisruptionbudgets",
    "policy/v1 PodDisruptionBudget",
    { spec: { selector, minAvailable: 1 } },
  ],
  [
    "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers",
    "autoscaling/v2 HorizontalPodAutoscaler",
    {
      spec: {
        maxReplicas: 3,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "x" },
      },
    },
  ],
  [
    "/apis/autoscaling/v1/namespaces/{ns}/horizontalpodautoscalers",
    "autoscaling/v1 HorizontalPodAutoscaler",
    {
      spec: {
        maxReplicas: 3,
        targetCPUUtilizationPercentage: 50,
        scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "x" },
      },
    },
  ],
  [
    `${rbac}/namespaces/{ns}/roles`,
    "rbac.authorization.k8s.io/v1 Role",
    { rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }] },
  ],
  [
    `${rbac}/namespaces/{ns}/rolebindings`,
    "rbac.authorization.k8s.io/v1 RoleBinding",
    {
      roleRef: { kind: "Role", name: "x" },
      subjects: [
        { kind: "User", name: "u" },
        { kind: "ServiceAccount", name: "s", namespace: "n" },
      ],
    },
  ],
  [
    `${rbac}/clusterroles`,
    "rbac.authorization.k8s.io/v1 ClusterRole",
    { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { no: "such" } }] } },
  ],
  [
    `${rbac}/clusterrolebindings`,
    "rbac.authorization.k8s.io/v1 ClusterRoleBinding",
    { roleRef: { kind: "ClusterRole", name: "x", apiGroup: "rbac.authorization.k8s.io" } },
  ],
  [
    "/apis/storage.k8s.io/v1/storageclasses",
    "storage.k8s.io/v1 StorageClass",
    { provisioner: "a/b" },
  ],
  [
    "/apis/coordination.k8s.io/v1/namespaces/{ns}/leases",
    "coordination.k8s.io/v1 Lease",
    {
      spec: {
        holderIdentity: "me",
        leaseDurationSeconds: 5,
        renewTime: "2026-01-02T03:04:05.000006Z",
      },
    },
  ],
  [
    "/apis/discovery.k8s.io/v1/namespaces/{ns}/endpointslices",
    "discovery.k8s.io/v1 EndpointSlice",
    { addressType: "IPv4", endpoints: [{ addresses: ["10.1.2.3"] }], ports: [{ port: 80 }] },
  ],
  [
    "/apis/scheduling.k8s.io/v1/priorityclasses",
    "scheduling.k8s.io/v1 PriorityClass",
    { value: 5 },
  ],
  ["/apis/node.k8s.io/v1/runtimeclasses", "node.k8s.io/v1 RuntimeClass", { handler: "x" }],
  [
    `${admission}/validatingwebhookconfigurations`,
    "admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration",
    {
      webhooks: [
        {
          name: "a.b.c",
          admissionReviewVersions: ["v1"],
          sideEffects: "None",
          clientConfig: { service: { name: "x", namespace: "y" } },
          rules: [
            {
              apiGroups: ["zz.example.com"],
              apiVersions: ["v1"],
              operations: ["CREATE"],
              resources: ["x"],
            },
          ],
        },
      ],
    },
  ],
  [
    `${admission}/mutatingwebhookconfigurations`,
    "admissionregistration.k8s.io/v1 MutatingWebhookConfiguration",
    {},
  ],
  [
    "/apis/events.k8s.io/v1/namespaces/{ns}/events",
    "events.k8s.io/v1 Event",
    {
      eventTime: "2026-01-02T03:04:05.000006Z",
      action: "Do",
      reason: "Because",
      type: "Normal",
      note: "n",
      reportingController: "a.b/c",
      reportingInstance: "i",
      regarding: { kind: "Pod", namespace: "{ns}", name: "p" },
    },
  ],
];

/** Stored, it would leave the discovery of its group without an answer for everybody else. */
const apiService: ConformanceCase = {
  name: "apiregistration.k8s.io/v1 APIService",
  steps: [
    jsonStep("POST", "/apis/apiregistration.k8s.io/v1/apiservices?dryRun=All", {
      apiVersion: "apiregistration.k8s.io/v1",
      kind: "APIService",
      metadata: { name: "v1.{id}.example.com" },
      spec: {
        group: "{id}.example.com",
        version: "v1",
        groupPriorityMinimum: 100,
        versionPriority: 100,
        service: { name: "metrics", namespace: "{ns}" },
      },
    }),
  ],
};

const storedKinds = kinds.map(([path, kind, fields], index): ConformanceCase => {
  const [apiVersion, name] = kind.split(" ");
  const body = { apiVersion, kind: name, metadata: { name: "k{id}" }, ...fields };
  const repeated = kinds.findIndex((each) => each[1] === kind) === index ? "" : ` (${index})`;
  return {
    name: `${kind}${repeated}`,
    steps: [
      jsonStep("POST", path, body),
      jsonStep(
        "PATCH",
        `${path}/k{id}`,
        { metadata: { labels: { x: "y" } } },
        { keep: ["metadata.labels", "metadata.generation"] },
      ),
      jsonStep("DELETE", `${path}/k{id}?gracePeriodSeconds=0`, undefined, {
        keep: ["kind", "details"],
      }),
    ],
  };
});

export const kindCases: readonly ConformanceCase[] = [...storedKinds, apiService];

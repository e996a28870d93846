import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { answering } from "../webhook-server.ts";
import { configMap, core, deployment, apps } from "./paths.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const maps = `${core}/configmaps`;
const result: Partial<Step> = {
  keep: ["code", "reason", "message", "details", "data", "metadata.labels"],
};
const paths = {
  Validating: `${group}/validatingwebhookconfigurations`,
  Mutating: `${group}/mutatingwebhookconfigurations`,
};
type Kind = keyof typeof paths;

const hook = (url: string, rest: object = {}): object => ({
  name: "hook.example.com",
  admissionReviewVersions: ["v1"],
  sideEffects: "None",
  timeoutSeconds: 5,
  clientConfig: { url, caBundle: "{ca}" },
  namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } },
  rules: [
    {
      apiGroups: [""],
      apiVersions: ["v1"],
      operations: ["CREATE", "UPDATE", "DELETE"],
      resources: ["configmaps"],
    },
  ],
  ...rest,
});
const configure = (kind: Kind, webhooks: readonly object[], name = "w-{id}"): Step =>
  jsonStep(
    "POST",
    paths[kind],
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: `${kind}WebhookConfiguration`,
      metadata: { name },
      webhooks,
    },
    { prepare: true },
  );
const remove = (kind: Kind, name = "w-{id}"): Step =>
  jsonStep("DELETE", `${paths[kind]}/${name}`, undefined, { prepare: true });
const create = (name: string, data: Readonly<Record<string, string>> = {}, metadata = {}): Step =>
  jsonStep("POST", maps, configMap(name, data, metadata), result);
/** The real server takes note of a configuration some time after it was written. */
const refusing = (name = "probe"): Step =>
  jsonStep("POST", `${maps}?dryRun=All`, configMap(name), {
    until: ["status", "Failure"],
    keep: ["status"],
  });
const changing = (path: string, value: string): Step =>
  jsonStep("POST", `${maps}?dryRun=All`, configMap("probe", { a: "a" }), {
    until: [path, value],
    keep: [],
  });
const admitting = (name: string): Step =>
  jsonStep("POST", `${maps}?dryRun=All`, configMap(name), {
    until: ["kind", "ConfigMap"],
    keep: ["kind"],
  });
const label = (name: string, value: string): object => ({
  allowed: true,
  patch: [{ op: "add", path: "/metadata/labels", value: { [name]: value } }],
});
const no = { allowed: false, status: { message: "no" } };

/** Webhooks: what they are asked, and what becomes of their answers. */
export const webhookCases: readonly ConformanceCase[] = [
  {
    name: "a validating webhook refuses in its own words",
    steps: [
      configure("Validating", [hook(answering(no))]),
      refusing(),
      create("a"),
      jsonStep("DELETE", `${maps}/kube-root-ca.crt`, undefined, result),
      remove("Validating"),
      configure(
        "Validating",
        [
          hook(
            answering({
              allowed: false,
              status: { message: "taken", reason: "Conflict", code: 409, details: { name: "x" } },
              warnings: ["think again"],
            }),
          ),
        ],
        "v-{id}",
      ),
      jsonStep("POST", `${maps}?dryRun=All`, configMap("a"), {
        ...result,
        until: ["reason", "Conflict"],
      }),
      remove("Validating", "v-{id}"),
      configure("Validating", [hook(answering({ allowed: false }))], "u-{id}"),
      jsonStep("POST", `${maps}?dryRun=All`, configMap("a"), { ...result, until: ["code", "400"] }),
      remove("Validating", "u-{id}"),
      admitting("a"),
      create("a"),
    ],
  },
  {
    name: "a webhook sees the request",
    steps: [
      jsonStep("POST", maps, configMap("a", { a: "1" }), { prepare: true }),
      configure("Validating", [hook("{webhook}/see")]),
      refusing(),
      create("b", { a: "1" }, { labels: { l: "1" } }),
      jsonStep("POST", `${maps}?dryRun=All`, configMap("b"), result),
      jsonStep("PUT", `${maps}/a`, configMap("a", { a: "2" }), result),
      jsonStep("PATCH", `${maps}/a`, { data: { a: "3" } }, result),
      jsonStep("PATCH", `${maps}/a?fieldManager=m&force=true`, configMap("a", { a: "4" }), {
        ...result,
        contentType: "application/apply-patch+yaml",
      }),
      jsonStep("PATCH", `${maps}/c?fieldManager=m`, configMap("c", { a: "5" }), {
        ...result,
        contentType: "application/apply-patch+yaml",
      }),
      jsonStep("DELETE", `${maps}/a`, undefined, result),
      remove("Validating"),
    ],
  },
  {
    name: "mutating webhooks change the object one after the other, and warn",
    steps: [
      configure("Mutating", [
        hook(answering({ ...label("first", "1"), warnings: ["changed"] })),
        hook(
          answering({
            allowed: true,
            patch: [
              { op: "test", path: "/metadata/labels/first", value: "1" },
              { op: "add", path: "/data/second", value: "2" },
            ],
          }),
          { name: "second.example.com" },
        ),
      ]),
      changing("data.second", "2"),
      create("a", { a: "a" }),
      jsonStep("PATCH", `${maps}/a`, { data: { a: "b", second: null } }, result),
      jsonStep("GET", `${maps}/a`, undefined, { keep: ["data", "metadata.managedFields"] }),
      // A step that does not apply is a failure of the server.
      create("b"),
      remove("Mutating"),
    ],
  },
  {
    name: "a webhook that asks for it runs again when a later one changes the object",
    steps: [
      configure("Mutating", [
        hook(
          answering({
            allowed: true,
            patch: [
              { op: "copy", from: "/data/a", path: "/data/b" },
              { op: "add", path: "/data/a", value: "first" },
            ],
          }),
          { reinvocationPolicy: "IfNeeded" },
        ),
        hook(answering(label("second", "yes")), { name: "second.example.com" }),
      ]),
      changing("data.b", "first"),
      create("a", { a: "own" }),
      remove("Mutating"),
    ],
  },
  {
    name: "mutating webhooks go before validating ones and before validation",
    steps: [
      configure("Mutating", [hook(answering(label("made", "by-hook")))]),
      changing("metadata.labels.made", "by-hook"),
      configure("Validating", [
        hook(answering(no), { objectSelector: { matchLabels: { made: "by-hook" } } }),
      ]),
      jsonStep("POST", `${maps}?dryRun=All`, configMap("a", { a: "a" }), {
        ...result,
        until: ["message", 'admission webhook "hook.example.com" denied the request: no'],
      }),
      remove("Validating"),
      admitting("b"),
      remove("Mutating"),
      configure("Mutating", [hook(answering(label("made", "not valid!")))], "x-{id}"),
      jsonStep("POST", `${maps}?dryRun=All`, configMap("a", { a: "a" }), {
        until: ["status", "Failure"],
        keep: ["code", "reason", "message"],
      }),
      remove("Mutating", "x-{id}"),
    ],
  },
  {
    name: "match conditions and selectors choose the writes",
    steps: [
      configure("Validating", [
        hook(answering(no), {
          matchConditions: [
            { name: "not-exempt", expression: "!object.metadata.name.startsWith('exempt')" },
            { name: "not-admin", expression: "request.userInfo.username != 'nobody'" },
          ],
          objectSelector: { matchExpressions: [{ key: "free", operator: "DoesNotExist" }] },
          rules: [
            {
              apiGroups: [""],
              apiVersions: ["v1"],
              operations: ["CREATE"],
              resources: ["configmaps"],
            },
          ],
        }),
      ]),
      refusing(),
      create("exempt-a"),
      create("a", {}, { labels: { free: "yes" } }),
      jsonStep("PATCH", `${maps}/a`, { metadata: { labels: { free: null } } }, result),
      jsonStep("DELETE", `${maps}/a`, undefined, { keep: ["status"] }),
      remove("Validating"),
      configure(
        "Validating",
        [
          hook(answering(no), {
            matchConditions: [{ name: "wrong", expression: "object.data.missing == 'a'" }],
          }),
        ],
        "v-{id}",
      ),
      jsonStep("POST", `${maps}?dryRun=All`, configMap("b", { a: "a" }), {
        ...result,
        until: ["status", "Failure"],
      }),
      remove("Validating", "v-{id}"),
    ],
  },
  {
    name: "what cannot be asked refuses, unless failures are to be ignored",
    steps: [
      configure("Validating", [hook("{webhook}/fail")]),
      refusing(),
      create("a"),
      remove("Validating"),
      configure("Validating", [hook("{webhook}/missing")], "v-{id}"),
      refusing(),
      jsonStep("POST", maps, configMap("a"), {
        ...result,
        until: [
          "message",
          'Internal error occurred: failed calling webhook "hook.example.com": failed to call webhook: the server could not find the requested resource',
        ],
      }),
      remove("Validating", "v-{id}"),
      configure("Validating", [hook("{webhook}/garbage")], "u-{id}"),
      jsonStep("POST", `${maps}?dryRun=All`, configMap("a"), {
        ...result,
        until: [
          "message",
          'Internal error occurred: failed calling webhook "hook.example.com": received invalid webhook response: webhook response was absent',
        ],
      }),
      remove("Validating", "u-{id}"),
      configure("Validating", [hook("{webhook}/fail", { failurePolicy: "Ignore" })], "t-{id}"),
      admitting("a"),
      create("a"),
      remove("Validating", "t-{id}"),
    ],
  },
  {
    name: "an answer that comes too late, and a certificate that is not known, are failures",
    steps: [
      configure("Validating", [hook("{webhook}/wait", { timeoutSeconds: 1 })]),
      jsonStep("POST", `${maps}?dryRun=All`, configMap("a"), {
        ...result,
        until: ["status", "Failure"],
      }),
      remove("Validating"),
      configure(
        "Validating",
        [
          hook(answering({ allowed: true }), {
            clientConfig: { url: answering({ allowed: true }) },
          }),
        ],
        "v-{id}",
      ),
      jsonStep("POST", `${maps}?dryRun=All`, configMap("b"), {
        keep: ["code", "reason"],
        until: ["status", "Failure"],
      }),
      remove("Validating", "v-{id}"),
    ],
  },
  {
    name: "a webhook with side effects is not asked in a dry run",
    steps: [
      configure("Validating", [
        hook(answering({ allowed: true }), {
          admissionReviewVersions: ["v1beta1"],
          sideEffects: "NoneOnDryRun",
        }),
      ]),
      jsonStep("POST", `${maps}?dryRun=All`, configMap("a"), result),
      remove("Validating"),
    ],
  },
  {
    name: "a webhook is about one version of a resource, and sees the others in it",
    steps: [
      configure("Validating", [
        hook("{webhook}/see", {
          matchPolicy: "Equivalent",
          rules: [
            {
              apiGroups: ["autoscaling"],
              apiVersions: ["v1"],
              operations: ["CREATE"],
              resources: ["horizontalpodautoscalers"],
            },
          ],
        }),
      ]),
      jsonStep(
        "POST",
        "/apis/autoscaling/v2/namespaces/{ns}/horizontalpodautoscalers?dryRun=All",
        {
          apiVersion: "autoscaling/v2",
          kind: "HorizontalPodAutoscaler",
          metadata: { name: "h" },
          spec: {
            maxReplicas: 2,
            scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name: "d" },
          },
        },
        { ...result, until: ["status", "Failure"] },
      ),
      remove("Validating"),
    ],
  },
  {
    name: "a webhook that nobody can reach holds up what controllers write, until it is gone",
    steps: [
      configure("Validating", [
        hook(answering({ allowed: false, status: { message: "no pods" } }), {
          rules: [
            {
              apiGroups: [""],
              apiVersions: ["v1"],
              operations: ["CREATE"],
              resources: ["pods"],
            },
          ],
        }),
      ]),
      jsonStep(
        "POST",
        `${core}/pods?dryRun=All`,
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "p" },
          spec: { containers: [{ name: "c", image: "i" }] },
        },
        { until: ["status", "Failure"], keep: ["message"] },
      ),
      jsonStep("POST", `${apps}/deployments`, deployment("d", { replicas: 1, paused: false }), {
        prepare: true,
      }),
      jsonStep("GET", `${apps}/replicasets`, undefined, {
        until: ["items.0.status.conditions.0.type", "ReplicaFailure"],
        keep: [
          "items.0.status.conditions.0.reason",
          "items.0.status.conditions.0.message",
          "items.0.status.replicas",
        ],
      }),
      remove("Validating"),
      jsonStep("DELETE", `${apps}/deployments/d`, undefined, { prepare: true }),
    ],
  },
];

import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { configMap, core, thing, things } from "./paths.ts";
import { withDefinition } from "./with-definition.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const policies = `${group}/validatingadmissionpolicies`;
const bindings = `${group}/validatingadmissionpolicybindings`;
const maps = `${core}/configmaps`;
const refusal: Partial<Step> = { keep: ["code", "reason", "message", "details", "data"] };

const configMaps = {
  apiGroups: [""],
  apiVersions: ["v1"],
  operations: ["CREATE", "UPDATE"],
  resources: ["configmaps"],
};
/** Policies have no namespace; a selector keeps each to the namespace of its case. */
const ofCase = { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } };

const policy = (spec: object, name = "p-{id}"): Step =>
  jsonStep(
    "POST",
    policies,
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name },
      spec: {
        matchConstraints: { namespaceSelector: ofCase, resourceRules: [configMaps] },
        ...spec,
      },
    },
    { prepare: true },
  );
const binding = (spec: object = {}, name = "p-{id}"): Step =>
  jsonStep(
    "POST",
    bindings,
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, validationActions: ["Deny"], ...spec },
    },
    { prepare: true },
  );
/** The real server takes note of policies some time after they are written. */
const inForce = (probe = configMap("probe", { probe: "true" })): Step =>
  jsonStep("POST", `${maps}?dryRun=All`, probe, {
    until: ["status", "Failure"],
    keep: ["status"],
  });
const probed = { expression: "!has(object.data) || !('probe' in object.data)" };
const remove = (name = "p-{id}"): readonly Step[] => [
  jsonStep("DELETE", `${bindings}/${name}`, undefined, { prepare: true }),
  jsonStep("DELETE", `${policies}/${name}`, undefined, { prepare: true }),
];
const create = (name: string, data: Readonly<Record<string, string>>, metadata = {}): Step =>
  jsonStep("POST", maps, configMap(name, data, metadata), refusal);

const param = (name: string, forbidden: string, label: string): Step =>
  jsonStep(
    "POST",
    things,
    { ...thing(name, { spec: { forbidden } }), metadata: { name, labels: { p: label } } },
    { prepare: true },
  );

/** Validating admission policies: what they refuse, and in which words. */
export const validatingPolicyCases: readonly ConformanceCase[] = [
  {
    name: "validations refuse with a message, a computed one, a reason, or their expression",
    steps: [
      policy({
        validations: [
          probed,
          { expression: "object.data.?a.orValue('') != 'plain'" },
          { expression: "object.data.?a.orValue('') != 'said'", message: "  a is said " },
          {
            expression: "object.data.?a.orValue('') != 'computed'",
            message: "not used",
            messageExpression: "'a of ' + object.metadata.name + ' is ' + object.data.a",
            reason: "Forbidden",
          },
          {
            expression: "object.data.?a.orValue('') != 'fallback'",
            message: "used",
            messageExpression: "string(object.data.missing)",
          },
          {
            expression: "object.data.?a.orValue('') != 'large'",
            reason: "RequestEntityTooLarge",
          },
          { expression: "object.data.a != 'b'" },
        ],
      }),
      binding(),
      inForce(),
      create("a", { a: "plain" }),
      create("a", { a: "said" }),
      create("a", { a: "computed" }),
      create("a", { a: "fallback" }),
      create("a", { a: "large" }),
      create("a", { b: "b" }),
      create("a", { a: "fine" }),
      jsonStep("PATCH", `${maps}/a`, { data: { a: "said" } }, refusal),
      jsonStep("PATCH", `${maps}/a?fieldManager=m&force=true`, configMap("a", { a: "said" }), {
        ...refusal,
        contentType: "application/apply-patch+yaml",
      }),
      jsonStep("DELETE", `${maps}/a`, undefined, refusal),
      ...remove(),
    ],
  },
  {
    name: "a policy sees the request, the old object, the namespace and its variables",
    steps: [
      policy({
        matchConstraints: {
          namespaceSelector: ofCase,
          resourceRules: [{ ...configMaps, operations: ["*"] }],
        },
        variables: [
          { name: "value", expression: "object == null ? '' : object.data.?a.orValue('')" },
          { name: "shout", expression: "variables.value + '!'" },
        ],
        validations: [
          { expression: "object == null || !has(object.data) || !('probe' in object.data)" },
          {
            expression: "variables.value != 'value'",
            messageExpression: "'the value is ' + variables.shout",
          },
          {
            expression: "request.operation != 'DELETE'",
            messageExpression:
              "'not ' + request.operation + ' ' + request.name + ' of ' + request.resource.resource + ' by ' + request.userInfo.username",
          },
          {
            expression: "oldObject == null || oldObject.data.?a == object.data.?a",
            messageExpression: "'was ' + oldObject.data.a + ', dry ' + string(request.dryRun)",
          },
          {
            expression: "variables.value != 'namespace'",
            messageExpression:
              "namespaceObject.status.phase + ' ' + string(namespaceObject.metadata.name == request.namespace)",
          },
          {
            expression: "variables.value != 'generated'",
            messageExpression:
              "string(has(object.metadata.name)) + string(request.name.startsWith('g-')) + object.kind",
          },
        ],
      }),
      binding(),
      inForce(),
      create("a", { a: "value" }),
      create("a", { a: "namespace" }),
      jsonStep(
        "POST",
        maps,
        {
          apiVersion: "v1",
          kind: "ConfigMap",
          metadata: { generateName: "g-" },
          data: { a: "generated" },
        },
        { keep: ["code", "reason", "details.causes"] },
      ),
      create("a", { a: "old" }),
      jsonStep("PATCH", `${maps}/a?dryRun=All`, { data: { a: "new" } }, refusal),
      jsonStep("DELETE", `${maps}/a`, undefined, refusal),
      ...remove(),
    ],
  },
  {
    name: "match conditions and selectors choose the writes",
    steps: [
      policy({
        matchConstraints: {
          namespaceSelector: ofCase,
          objectSelector: { matchLabels: { judged: "yes" } },
          resourceRules: [configMaps],
          excludeResourceRules: [{ ...configMaps, resourceNames: ["excluded"] }],
        },
        matchConditions: [
          { name: "not-exempt", expression: "object.data.?exempt.orValue('') != 'yes'" },
        ],
        validations: [{ expression: "false", message: "no" }],
      }),
      binding({
        matchResources: {
          objectSelector: { matchExpressions: [{ key: "free", operator: "DoesNotExist" }] },
        },
      }),
      inForce({ ...configMap("probe"), metadata: { name: "probe", labels: { judged: "yes" } } }),
      create("a", {}, { labels: { judged: "yes" } }),
      create("b", {}),
      create("c", { exempt: "yes" }, { labels: { judged: "yes" } }),
      create("d", {}, { labels: { judged: "yes", free: "yes" } }),
      create("excluded", {}, { labels: { judged: "yes" } }),
      jsonStep("PATCH", `${maps}/b`, { metadata: { labels: { judged: "yes" } } }, refusal),
      ...remove(),
    ],
  },
  {
    name: "actions warn or only audit",
    steps: [
      policy({ validations: [{ expression: "!has(object.data.warn)", message: "w" }] }),
      binding({ validationActions: ["Warn", "Audit"] }),
      binding(
        {
          policyName: "p-{id}",
          validationActions: ["Deny"],
          matchResources: { objectSelector: { matchLabels: { deny: "yes" } } },
        },
        "q-{id}",
      ),
      inForce({
        ...configMap("probe", { warn: "1" }),
        metadata: { name: "probe", labels: { deny: "yes" } },
      }),
      create("b", { warn: "1" }),
      create("c", { warn: "1" }, { labels: { deny: "yes" } }),
      create("d", {}),
      jsonStep("DELETE", `${bindings}/q-{id}`, undefined, { prepare: true }),
      ...remove(),
    ],
  },
  {
    name: "what cannot be evaluated refuses, unless failures are to be ignored",
    steps: [
      policy({ validations: [probed, { expression: "object.data.missing == 'a'" }] }),
      binding(),
      inForce(),
      create("a", { a: "a" }),
      ...remove(),
      policy(
        {
          failurePolicy: "Ignore",
          validations: [probed, { expression: "object.data.missing == 'a'" }],
        },
        "q-{id}",
      ),
      binding({}, "q-{id}"),
      inForce(),
      jsonStep("POST", maps, configMap("a", { a: "a" }), {
        until: ["kind", "ConfigMap"],
        keep: ["data"],
      }),
      ...remove("q-{id}"),
    ],
  },
  {
    name: "parameters are objects of a kind",
    steps: withDefinition({}, [
      policy({
        paramKind: { apiVersion: "{id}.example.com/v1", kind: "Thing" },
        validations: [
          {
            expression: "params == null || object.data.?a.orValue('') != params.spec.forbidden",
            messageExpression: "'forbidden by ' + params.metadata.name",
          },
        ],
      }),
      param("params", "x", "1"),
      binding({ paramRef: { name: "params", parameterNotFoundAction: "Deny" } }),
      inForce(configMap("probe", { a: "x" })),
      create("a", { a: "x" }),
      create("a", { a: "y" }),
      jsonStep("DELETE", `${things}/params`, undefined, { prepare: true }),
      jsonStep("POST", `${maps}?dryRun=All`, configMap("b", { a: "y" }), {
        ...refusal,
        until: ["status", "Failure"],
      }),
      jsonStep("DELETE", `${bindings}/p-{id}`, undefined, { prepare: true }),
      binding({
        paramRef: { selector: { matchLabels: { p: "2" } }, parameterNotFoundAction: "Allow" },
      }),
      jsonStep("POST", `${maps}?dryRun=All`, configMap("b", { a: "y" }), {
        until: ["kind", "ConfigMap"],
        keep: ["data"],
      }),
      param("params-1", "1", "2"),
      param("params-2", "2", "2"),
      inForce(configMap("probe", { a: "1" })),
      inForce(configMap("probe", { a: "2" })),
      create("c", { a: "2" }),
      create("c", { a: "1" }),
      create("c", { a: "3" }),
      ...remove(),
    ]),
  },
  {
    name: "a policy asks what the user may do",
    steps: [
      policy({
        validations: [
          probed,
          {
            expression:
              "object.data.?a.orValue('') != 'account' || authorizer.serviceAccount('{ns}', 'default').group('').resource('secrets').namespace('{ns}').check('get').allowed()",
            message: "the account may not",
          },
          {
            expression:
              "object.data.?a.orValue('') != 'user' || !authorizer.group('').resource('secrets').namespace('{ns}').name('s').check('get').allowed()",
            message: "the user may",
          },
          {
            expression:
              "object.data.?a.orValue('') != 'own' || !authorizer.requestResource.check('delete').allowed()",
            message: "the user may do that to it",
          },
          {
            expression:
              "object.data.?a.orValue('') != 'path' || !authorizer.path('/healthz').check('get').allowed()",
            message: "the user may ask",
          },
        ],
      }),
      binding(),
      inForce(),
      create("a", { a: "account" }),
      create("a", { a: "user" }),
      create("a", { a: "own" }),
      create("a", { a: "path" }),
      ...remove(),
    ],
  },
  {
    name: "policies are about one version of a resource, and judge the others",
    steps: [
      policy({
        matchConstraints: {
          namespaceSelector: ofCase,
          matchPolicy: "Equivalent",
          resourceRules: [
            {
              apiGroups: ["autoscaling"],
              apiVersions: ["v1"],
              operations: ["CREATE"],
              resources: ["horizontalpodautoscalers"],
            },
          ],
        },
        validations: [
          {
            expression: "false",
            messageExpression:
              "object.apiVersion + ' ' + request.requestKind.version + ' ' + string(object.spec.targetCPUUtilizationPercentage)",
          },
        ],
      }),
      binding(),
      ...[true, false].map((isProbe) =>
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
              metrics: [
                {
                  type: "Resource",
                  resource: {
                    name: "cpu",
                    target: { type: "Utilization", averageUtilization: 70 },
                  },
                },
              ],
            },
          },
          isProbe ? { until: ["status", "Failure"], keep: ["status"] } : refusal,
        ),
      ),
      ...remove(),
    ],
  },
];

import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { apps, configMap, core, deployment, thing, things } from "./paths.ts";
import { withDefinition } from "./with-definition.ts";

const group = "/apis/admissionregistration.k8s.io/v1";
const policies = `${group}/mutatingadmissionpolicies`;
const bindings = `${group}/mutatingadmissionpolicybindings`;
const maps = `${core}/configmaps`;
const result: Partial<Step> = {
  keep: ["code", "reason", "message", "details", "data", "metadata.labels", "metadata.annotations"],
};
const rule = (apiGroup: string, resource: string): object => ({
  apiGroups: [apiGroup],
  apiVersions: ["v1"],
  operations: ["CREATE", "UPDATE"],
  resources: [resource],
});
const ofCase = { matchLabels: { "kubernetes.io/metadata.name": "{ns}" } };

const policy = (spec: object, name = "p-{id}"): Step =>
  jsonStep(
    "POST",
    policies,
    {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingAdmissionPolicy",
      metadata: { name },
      spec: {
        matchConstraints: { namespaceSelector: ofCase, resourceRules: [rule("", "configmaps")] },
        reinvocationPolicy: "Never",
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
      kind: "MutatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, ...spec },
    },
    { prepare: true },
  );
const configuration = (expression: string): object => ({
  patchType: "ApplyConfiguration",
  applyConfiguration: { expression },
});
const patch = (expression: string): object => ({
  patchType: "JSONPatch",
  jsonPatch: { expression },
});
const remove = (name = "p-{id}"): readonly Step[] => [
  jsonStep("DELETE", `${bindings}/${name}`, undefined, { prepare: true }),
  jsonStep("DELETE", `${policies}/${name}`, undefined, { prepare: true }),
];
const create = (name: string, data: Readonly<Record<string, string>> = {}): Step =>
  jsonStep("POST", maps, configMap(name, data), result);
/** Waits until the real server has taken note of a policy. */
const inForce = (path: string, value: string, probe = configMap("probe")): Step =>
  jsonStep("POST", `${maps}?dryRun=All`, probe, { until: [path, value], keep: [] });

/** Mutating admission policies: what they make of an object. */
export const mutatingPolicyCases: readonly ConformanceCase[] = [
  {
    name: "a configuration is laid over the object",
    steps: [
      policy({
        variables: [{ name: "word", expression: "'w' + request.operation" }],
        mutations: [
          configuration(
            "Object{metadata: Object.metadata{labels: Object.metadata.labels{mutated: 'yes'}}}",
          ),
          configuration(
            "Object{data: Object.data{word: variables.word, name: object.metadata.name, seen: object.metadata.labels.mutated}}",
          ),
        ],
      }),
      binding(),
      inForce("metadata.labels.mutated", "yes"),
      create("a", { own: "1", word: "own" }),
      jsonStep("PATCH", `${maps}/a`, { data: { own: "2", word: null } }, result),
      jsonStep("GET", `${maps}/a`, undefined, { keep: ["data", "metadata.managedFields"] }),
      jsonStep("POST", maps, configMap("b"), { keep: ["data", "metadata.managedFields"] }),
      ...remove(),
    ],
  },
  {
    name: "a JSON patch changes the object step by step",
    steps: [
      policy({
        matchConditions: [{ name: "some", expression: "object.metadata.name != 'left'" }],
        mutations: [
          patch(
            "[JSONPatch{op: 'add', path: '/data/added', value: 'a'}, JSONPatch{op: 'add', path: '/metadata/annotations', value: {'example.com/a': 'b'}}]",
          ),
          patch(
            "[JSONPatch{op: 'test', path: '/data/added', value: 'other'}, JSONPatch{op: 'remove', path: '/data/added'}]",
          ),
          patch(
            "has(object.data.move) ? [JSONPatch{op: 'move', from: '/data/move', path: '/data/moved'}] : []",
          ),
          patch(
            "[JSONPatch{op: 'replace', path: '/metadata/annotations/' + jsonpatch.escapeKey('example.com/a'), value: 'c'}]",
          ),
        ],
      }),
      binding(),
      inForce("data.added", "a", configMap("probe", { a: "a" })),
      create("a", { move: "m" }),
      create("left", { move: "m" }),
      create("b", { own: "b" }),
      ...remove(),
    ],
  },
  {
    name: "items of keyed lists are merged, atomic lists are not touched",
    steps: [
      policy({
        matchConstraints: {
          namespaceSelector: ofCase,
          resourceRules: [rule("apps", "deployments")],
        },
        matchConditions: [
          { name: "atomic", expression: "!('atomic' in object.metadata.?labels.orValue({}))" },
        ],
        mutations: [
          configuration(
            "Object{spec: Object.spec{replicas: object.spec.replicas + 3, template: Object.spec.template{spec: Object.spec.template.spec{initContainers: [Object.spec.template.spec.initContainers{name: 'sidecar', image: 'side:1', restartPolicy: 'Always'}]}}}}",
          ),
        ],
      }),
      binding(),
      policy(
        {
          matchConstraints: {
            namespaceSelector: ofCase,
            objectSelector: { matchLabels: { atomic: "yes" } },
            resourceRules: [rule("apps", "deployments")],
          },
          mutations: [
            configuration(
              "Object{spec: Object.spec{template: Object.spec.template{spec: Object.spec.template.spec{containers: [Object.spec.template.spec.containers{name: 'c', args: ['x']}]}}}}",
            ),
          ],
        },
        "q-{id}",
      ),
      binding({}, "q-{id}"),
      jsonStep("POST", `${apps}/deployments?dryRun=All`, deployment("d"), {
        until: ["spec.replicas", "3"],
        keep: [
          "spec.replicas",
          "spec.template.spec.initContainers",
          "spec.template.spec.containers.*.name",
        ],
      }),
      jsonStep(
        "POST",
        `${apps}/deployments?dryRun=All`,
        { ...deployment("d"), metadata: { name: "d", labels: { atomic: "yes" } } },
        { until: ["status", "Failure"], keep: ["code", "reason", "message", "details"] },
      ),
      ...remove("q-{id}"),
      ...remove(),
    ],
  },
  {
    name: "what fails refuses, unless failures are to be ignored",
    steps: [
      policy({
        matchConditions: [
          { name: "wrong", expression: "object.metadata.name != 'wrong' || object.data.no == ''" },
        ],
        mutations: [
          configuration(
            "Object{metadata: Object.metadata{labels: Object.metadata.labels{a: object.data.missing}}}",
          ),
          patch("[JSONPatch{op: 'remove', path: '/data/none'}]"),
        ],
      }),
      binding(),
      jsonStep("POST", `${maps}?dryRun=All`, configMap("probe"), {
        until: ["status", "Failure"],
        keep: [],
      }),
      create("a", { a: "a" }),
      create("wrong", { a: "a" }),
      ...remove(),
      policy(
        {
          failurePolicy: "Ignore",
          mutations: [
            configuration(
              "Object{metadata: Object.metadata{labels: Object.metadata.labels{a: object.data.missing}}}",
            ),
            configuration(
              "Object{metadata: Object.metadata{labels: Object.metadata.labels{b: 'b'}}}",
            ),
          ],
        },
        "q-{id}",
      ),
      binding({}, "q-{id}"),
      inForce("metadata.labels.b", "b"),
      create("c", { a: "a" }),
      ...remove("q-{id}"),
    ],
  },
  {
    name: "parameters are laid over, one after the other",
    steps: withDefinition({}, [
      policy({
        paramKind: { apiVersion: "{id}.example.com/v1", kind: "Thing" },
        mutations: [
          configuration("Object{data: Object.data{last: params.metadata.name}}"),
          patch("[JSONPatch{op: 'add', path: '/data/' + params.metadata.name, value: 'seen'}]"),
        ],
      }),
      jsonStep("POST", things, thing("params-a"), { prepare: true }),
      binding({
        paramRef: { name: "params-a", parameterNotFoundAction: "Deny" },
      }),
      inForce("data.last", "params-a"),
      create("a", { own: "1" }),
      jsonStep("DELETE", `${things}/params-a`, undefined, { prepare: true }),
      jsonStep("POST", `${maps}?dryRun=All`, configMap("b"), {
        until: ["status", "Failure"],
        keep: ["code", "reason", "message", "details"],
      }),
      ...remove(),
    ]),
  },
  {
    name: "a policy runs again when a later one changes the object",
    steps: [
      policy(
        {
          reinvocationPolicy: "IfNeeded",
          mutations: [
            patch(
              "[JSONPatch{op: 'add', path: '/data/first', value: object.data.?first.orValue('') + '1'}]",
            ),
          ],
        },
        "p1-{id}",
      ),
      binding({}, "p1-{id}"),
      policy(
        {
          mutations: [
            patch(
              "[JSONPatch{op: 'add', path: '/data/second', value: object.data.?second.orValue('') + '2'}]",
            ),
          ],
        },
        "p2-{id}",
      ),
      binding({}, "p2-{id}"),
      inForce("data.second", "2", configMap("probe", { a: "a" })),
      inForce("data.first", "11", configMap("probe", { a: "a" })),
      create("a", { a: "a" }),
      ...remove("p1-{id}"),
      ...remove("p2-{id}"),
    ],
  },
];

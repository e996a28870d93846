import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { configMap, core, deployment, apps, pod } from "./paths.ts";

const maps = `${core}/configmaps`;
const a = `${maps}/a`;
const create = (
  name: string,
  data: Readonly<Record<string, string>> = {},
  metadata: object = {},
): Step => jsonStep("POST", maps, configMap(name, data, metadata), { prepare: true });
const names: Partial<Step> = { keep: ["items", "metadata.remainingItemCount"] };

export const verbCases: readonly ConformanceCase[] = [
  {
    name: "list of nothing",
    steps: [
      jsonStep("GET", `${core}/secrets`, undefined, { keep: ["kind", "apiVersion", "items"] }),
    ],
  },
  {
    name: "list by label",
    steps: [
      create("a", {}, { labels: { app: "x", tier: "1" } }),
      create("b", {}, { labels: { app: "y", tier: "2" } }),
      create("c", {}, { labels: { app: "x" } }),
      ...[
        "app=x",
        "app==x",
        "app!=x,tier",
        "app in (x,y),tier notin (1)",
        "!tier,app",
        "tier>1",
        "tier<2",
        "app",
      ].map((selector) =>
        jsonStep("GET", `${maps}?labelSelector=${encodeURIComponent(selector)}`, undefined, names),
      ),
    ],
  },
  {
    name: "bad selectors",
    steps: [
      "app in x",
      "app=(",
      "=x",
      "a b",
      "app in (x",
      "!",
      "a=b=c",
      "-a=b",
      "a=b,,c=d",
      "tier>x",
    ].map((selector) =>
      jsonStep("GET", `${maps}?labelSelector=${encodeURIComponent(selector)}`, undefined, {
        keep: ["reason", "code"],
      }),
    ),
  },
  {
    name: "list by field",
    steps: [
      create("a"),
      create("b"),
      jsonStep("GET", `${maps}?fieldSelector=metadata.name%3Da`, undefined, names),
      jsonStep(
        "GET",
        `${maps}?fieldSelector=metadata.name!%3Da,metadata.namespace%3D{ns},metadata.name!%3Dkube-root-ca.crt`,
        undefined,
        names,
      ),
      jsonStep("GET", `${maps}?fieldSelector=data.x%3D1`),
      jsonStep("GET", `${maps}?fieldSelector=nonsense`, undefined, { keep: ["reason", "code"] }),
    ],
  },
  {
    name: "pages",
    steps: [
      ...["a", "b", "c"].map((name) =>
        jsonStep(
          "POST",
          `${core}/secrets`,
          { apiVersion: "v1", kind: "Secret", metadata: { name } },
          { prepare: true },
        ),
      ),
      jsonStep("GET", `${core}/secrets?limit=2`, undefined, names),
      jsonStep("GET", `${core}/secrets?limit=5`, undefined, names),
      jsonStep("GET", `${core}/secrets?limit=1&continue=nonsense`, undefined, {
        keep: ["reason", "code"],
      }),
    ],
  },
  {
    name: "generateName",
    steps: [
      jsonStep(
        "POST",
        maps,
        { apiVersion: "v1", kind: "ConfigMap", metadata: { generateName: "gen-" } },
        { keep: ["metadata.generateName", "kind"] },
      ),
    ],
  },
  {
    name: "create without a name",
    steps: [
      jsonStep(
        "POST",
        maps,
        { apiVersion: "v1", kind: "ConfigMap", metadata: {} },
        { keep: ["reason", "code", "details.causes"] },
      ),
    ],
  },
  {
    name: "create with bad bodies",
    steps: [
      jsonStep("POST", maps, "{", { keep: ["reason", "code"] }),
      jsonStep("POST", maps, "[]", { keep: ["reason", "code"] }),
      jsonStep("POST", maps, '"x"', { keep: ["reason", "code"] }),
      jsonStep(
        "POST",
        maps,
        { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } },
        { keep: ["reason", "code"] },
      ),
      jsonStep(
        "POST",
        maps,
        { apiVersion: "apps/v1", kind: "ConfigMap", metadata: { name: "a" } },
        { keep: ["reason", "code"] },
      ),
      jsonStep("POST", maps, configMap("a", { x: 1 as unknown as string }), {
        keep: ["reason", "code"],
      }),
      jsonStep("POST", maps, configMap("a", {}, { namespace: "other" }), {
        keep: ["reason", "code", "message"],
      }),
      jsonStep("POST", maps, configMap("A_b"), { keep: ["reason", "code", "message", "details"] }),
      jsonStep("POST", maps, configMap("a", { "bad key": "x" }), {
        keep: ["reason", "code", "message", "details"],
      }),
      jsonStep("POST", maps, configMap("a", {}, { labels: { "bad key!": "x" } }), {
        keep: ["reason", "code", "details"],
      }),
      jsonStep("POST", maps, configMap("a", {}, { labels: { ok: "bad value!" } }), {
        keep: ["reason", "code", "details"],
      }),
      jsonStep("POST", maps, "a: b", { contentType: "text/plain", keep: ["reason", "code"] }),
      jsonStep("POST", maps, { ...configMap("a"), metadata: 5 }, { keep: ["reason", "code"] }),
      jsonStep("POST", maps, configMap("a", {}, { labels: { a: 5 } }), {
        keep: ["reason", "code"],
      }),
    ],
  },
  {
    name: "create from YAML",
    steps: [
      jsonStep(
        "POST",
        maps,
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  x: 'y'\n",
        { contentType: "application/yaml" },
      ),
    ],
  },
  {
    name: "create in a namespace that is not there",
    steps: [jsonStep("POST", "/api/v1/namespaces/no-such-{id}/configmaps", configMap("a"))],
  },
  {
    name: "update",
    steps: [
      create("a", { x: "1" }),
      jsonStep("PUT", a, configMap("a", { x: "2" })),
      jsonStep("PUT", a, configMap("a", { x: "2" }), {
        keep: ["metadata.resourceVersion", "data"],
      }),
      jsonStep("PUT", a, configMap("a", { x: "3" }, { resourceVersion: "1" })),
      jsonStep("PUT", a, configMap("b", { x: "3" }), { keep: ["reason", "code", "message"] }),
      jsonStep(
        "PUT",
        a,
        configMap("a", { x: "3" }, { uid: "11111111-1111-1111-1111-111111111111" }),
        { keep: ["reason", "code", "details"] },
      ),
      jsonStep("PUT", `${maps}/missing`, configMap("missing")),
    ],
  },
  {
    name: "merge patch",
    steps: [
      create("a", { x: "1", y: "1" }),
      jsonStep("PATCH", a, { data: { x: null, z: "1" } }),
      jsonStep("PATCH", a, { data: null }),
      jsonStep("PATCH", a, [], { keep: ["reason", "code"] }),
      jsonStep("PATCH", a, "{", { keep: ["reason", "code"] }),
      jsonStep("PATCH", a, { metadata: { name: "b" } }, { keep: ["reason", "code"] }),
      jsonStep("PATCH", a, { kind: "Secret" }, { keep: ["reason", "code"] }),
      jsonStep("PATCH", a, { metadata: { resourceVersion: "1" } }, { keep: ["reason", "code"] }),
      jsonStep("PATCH", `${maps}/missing`, { data: { a: "b" } }),
    ],
  },
  {
    name: "JSON patch",
    steps: [
      create("a", { x: "1" }),
      jsonStep(
        "PATCH",
        a,
        [
          { op: "add", path: "/data/y", value: "2" },
          { op: "test", path: "/data/x", value: "1" },
          { op: "remove", path: "/data/x" },
        ],
        { contentType: "application/json-patch+json" },
      ),
      jsonStep(
        "PATCH",
        a,
        [
          { op: "replace", path: "/data/y", value: "3" },
          { op: "copy", from: "/data/y", path: "/data/z" },
          { op: "move", from: "/data/y", path: "/data/w" },
        ],
        { contentType: "application/json-patch+json", keep: ["data"] },
      ),
      jsonStep("PATCH", a, [{ op: "test", path: "/data/z", value: "no" }], {
        contentType: "application/json-patch+json",
        keep: ["reason", "code"],
      }),
      jsonStep("PATCH", a, [{ op: "remove", path: "/data/missing" }], {
        contentType: "application/json-patch+json",
        keep: ["reason", "code"],
      }),
      jsonStep("PATCH", a, [{ op: "replace", path: "/data/missing", value: "x" }], {
        contentType: "application/json-patch+json",
        keep: ["code"],
      }),
      jsonStep("PATCH", a, [{ op: "nonsense", path: "/data" }], {
        contentType: "application/json-patch+json",
        keep: ["code"],
      }),
      jsonStep(
        "PATCH",
        a,
        { not: "a list" },
        { contentType: "application/json-patch+json", keep: ["reason", "code"] },
      ),
    ],
  },
  {
    name: "unknown patch type",
    steps: [
      create("a"),
      jsonStep("PATCH", a, {}, { contentType: "application/json", keep: ["reason", "code"] }),
    ],
  },
  {
    name: "strategic merge patch",
    steps: [
      jsonStep(
        "POST",
        `${apps}/deployments`,
        deployment("a", {
          template: {
            metadata: { labels: { app: "a" } },
            spec: {
              containers: [
                {
                  name: "one",
                  image: "one:1",
                  env: [
                    { name: "A", value: "1" },
                    { name: "B", value: "2" },
                  ],
                },
                { name: "two", image: "two:1" },
              ],
            },
          },
        }),
        { prepare: true },
      ),
      ...[
        { spec: { template: { spec: { containers: [{ name: "one", image: "one:2" }] } } } },
        {
          spec: {
            template: {
              spec: {
                containers: [
                  {
                    name: "one",
                    env: [
                      { name: "B", $patch: "delete" },
                      { name: "C", value: "3" },
                    ],
                  },
                ],
              },
            },
          },
        },
        { spec: { template: { spec: { containers: [{ name: "two", $patch: "delete" }] } } } },
        {
          spec: {
            template: {
              spec: {
                $setElementOrder: undefined,
                containers: [{ name: "three", image: "three:1" }],
                "$setElementOrder/containers": [{ name: "three" }, { name: "one" }],
              },
            },
          },
        },
        { spec: { strategy: { $retainKeys: ["type"], type: "Recreate" } } },
        { metadata: { labels: { x: "y" }, finalizers: ["a.b/c", "d.e/f"] } },
        { metadata: { "$deleteFromPrimitiveList/finalizers": ["a.b/c"] } },
        { metadata: { labels: null, finalizers: null } },
      ].map((patch) =>
        jsonStep("PATCH", `${apps}/deployments/a`, patch, {
          contentType: "application/strategic-merge-patch+json",
          keep: [
            "spec.template.spec.containers",
            "spec.strategy",
            "metadata.labels",
            "metadata.finalizers",
            "metadata.generation",
          ],
        }),
      ),
    ],
  },
  {
    name: "dry run writes nothing",
    steps: [
      jsonStep("POST", `${maps}?dryRun=All`, configMap("a", { x: "1" }), {
        keep: ["data", "metadata.name", "metadata.managedFields"],
      }),
      jsonStep("GET", a),
      create("a", { x: "1" }),
      jsonStep("PUT", `${a}?dryRun=All`, configMap("a", { x: "2" }), { keep: ["data"] }),
      jsonStep("PATCH", `${a}?dryRun=All`, { data: { x: "3" } }, { keep: ["data"] }),
      jsonStep("DELETE", `${a}?dryRun=All`, undefined, { keep: ["kind", "status"] }),
      jsonStep("GET", a, undefined, { keep: ["data"] }),
      jsonStep("POST", `${maps}?dryRun=nonsense`, configMap("b"), { keep: ["reason", "code"] }),
    ],
  },
  {
    name: "field validation",
    steps: [
      jsonStep(
        "POST",
        `${maps}?fieldValidation=Strict`,
        { ...configMap("a"), unknown: 1 },
        { keep: ["reason", "code", "message"] },
      ),
      jsonStep(
        "POST",
        `${maps}?fieldValidation=Warn`,
        { ...configMap("a"), unknown: 1 },
        { keep: ["unknown", "kind"] },
      ),
      jsonStep(
        "POST",
        `${maps}?fieldValidation=Ignore`,
        { ...configMap("b"), unknown: 1 },
        { keep: ["unknown", "kind"] },
      ),
      jsonStep("POST", maps, { ...configMap("c"), unknown: 1 }, { keep: ["unknown", "kind"] }),
      jsonStep("POST", `${maps}?fieldValidation=nonsense`, configMap("d"), {
        keep: ["reason", "code"],
      }),
      jsonStep(
        "POST",
        `${apps}/deployments?fieldValidation=Strict`,
        deployment("a", { replica: 1 }),
        { keep: ["reason", "code", "message"] },
      ),
    ],
  },
  {
    name: "delete with preconditions",
    steps: [
      create("a"),
      jsonStep(
        "DELETE",
        a,
        { preconditions: { uid: "11111111-1111-1111-1111-111111111111" } },
        { keep: ["reason", "code", "details"] },
      ),
      jsonStep(
        "DELETE",
        a,
        { preconditions: { resourceVersion: "1" } },
        { keep: ["reason", "code", "details"] },
      ),
      jsonStep("DELETE", a, { propagationPolicy: "Nonsense" }, { keep: ["reason", "code"] }),
      jsonStep("DELETE", a),
      jsonStep("DELETE", a),
    ],
  },
  {
    name: "finalizers hold an object",
    steps: [
      create("a", { x: "1" }, { finalizers: ["example.com/hold"] }),
      jsonStep("DELETE", a),
      jsonStep("DELETE", a, undefined, {
        keep: ["metadata.resourceVersion", "metadata.deletionTimestamp"],
      }),
      jsonStep("PATCH", a, { data: { x: "2" } }, { keep: ["data", "metadata.deletionTimestamp"] }),
      jsonStep(
        "PATCH",
        a,
        { metadata: { finalizers: ["example.com/hold", "example.com/new"] } },
        { keep: ["reason", "code", "details"] },
      ),
      jsonStep(
        "PATCH",
        a,
        { metadata: { finalizers: null } },
        { keep: ["data", "metadata.finalizers"] },
      ),
      jsonStep("GET", a, undefined, { keep: ["reason", "code"] }),
    ],
  },
  {
    name: "delete of a collection",
    steps: [
      create("a", {}, { labels: { x: "1" } }),
      create("b", {}, { labels: { x: "1" } }),
      create("c"),
      jsonStep("DELETE", `${maps}?labelSelector=x%3D1`, undefined, { keep: ["kind", "items"] }),
      jsonStep("GET", `${maps}?fieldSelector=metadata.name!%3Dkube-root-ca.crt`, undefined, names),
    ],
  },
  {
    name: "immutable things stay",
    steps: [
      jsonStep("POST", maps, { ...configMap("a", { x: "1" }), immutable: true }, { prepare: true }),
      jsonStep(
        "PATCH",
        a,
        { data: { x: "2" } },
        { keep: ["reason", "code", "message", "details"] },
      ),
      jsonStep("PATCH", a, { immutable: false }, { keep: ["reason", "code", "details"] }),
      jsonStep("PATCH", a, { metadata: { labels: { x: "y" } } }, { keep: ["metadata.labels"] }),
      jsonStep("POST", `${apps}/deployments`, deployment("d"), { prepare: true }),
      jsonStep(
        "PATCH",
        `${apps}/deployments/d`,
        { spec: { selector: { matchLabels: { x: "y" } } } },
        { keep: ["reason", "code", "message", "details"] },
      ),
      jsonStep("POST", `${core}/pods`, pod("p", { nodeName: "no-such-node" }), { prepare: true }),
      jsonStep(
        "PATCH",
        `${core}/pods/p`,
        { spec: { restartPolicy: "Never" } },
        { keep: ["reason", "code"] },
      ),
      jsonStep(
        "PATCH",
        `${core}/pods/p`,
        { spec: { nodeName: "other" } },
        { keep: ["reason", "code"] },
      ),
    ],
  },
  {
    name: "generation counts wishes only",
    steps: [
      jsonStep("POST", `${apps}/deployments`, deployment("d"), { keep: ["metadata.generation"] }),
      jsonStep(
        "PATCH",
        `${apps}/deployments/d`,
        { metadata: { labels: { x: "y" } } },
        { keep: ["metadata.generation"] },
      ),
      jsonStep(
        "PATCH",
        `${apps}/deployments/d`,
        { spec: { minReadySeconds: 5 } },
        { keep: ["metadata.generation"] },
      ),
      jsonStep(
        "PATCH",
        `${apps}/deployments/d/status`,
        { status: { replicas: 7 } },
        { keep: ["metadata.generation"] },
      ),
      jsonStep(
        "PATCH",
        `${apps}/deployments/d`,
        { status: { replicas: 9 }, spec: { minReadySeconds: 6 } },
        { keep: ["metadata.generation"] },
      ),
    ],
  },
  {
    name: "what is not served",
    steps: [
      jsonStep("GET", "/api/v1/namespaces/{ns}/nonsense"),
      jsonStep("GET", "/apis/nonsense/v1/things"),
      jsonStep("GET", "/api/v2/pods"),
      jsonStep("GET", "/nonsense", undefined, { keep: ["code"] }),
      jsonStep("POST", "/api/v1/configmaps", configMap("a"), { keep: ["reason", "code"] }),
      jsonStep("PUT", maps, configMap("a"), { keep: ["reason", "code"] }),
      jsonStep("POST", a, configMap("a"), { keep: ["reason", "code"] }),
      jsonStep("GET", "/api/v1/namespaces/{ns}/nodes", undefined, { keep: ["code"] }),
      jsonStep("GET", `${a}/status`, undefined, { keep: ["code"] }),
      jsonStep("GET", `${a}/nonsense`, undefined, { keep: ["code"] }),
    ],
  },
  {
    name: "large integers keep their digits",
    steps: [
      create("a", {}, { annotations: { n: "9007199254740993" } }),
      jsonStep("GET", a, undefined, { keep: ["metadata.annotations"] }),
    ],
  },
];

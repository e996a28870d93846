import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { configMap, core, pod, thing, things } from "./paths.ts";
import { specSchema, withDefinition } from "./with-definition.ts";

const maps = `${core}/configmaps`;
const create = (name: string, labels: object): Step =>
  jsonStep("POST", maps, configMap(name, {}, { labels }), { prepare: true });
const four = [
  create("a", { app: "x", tier: "1", "example.com/kind": "p" }),
  create("b", { app: "y", tier: "10" }),
  create("c", { app: "x", empty: "" }),
  create("d", { tier: "nine" }),
];
const names: Partial<Step> = { keep: ["items.*.metadata.name", "code", "reason"] };
const by = (
  kind: "labelSelector" | "fieldSelector",
  path: string,
  selectors: readonly string[],
): readonly Step[] =>
  selectors.map((selector) =>
    jsonStep("GET", `${path}?${kind}=${encodeURIComponent(selector)}`, undefined, names),
  );

/** Which objects a selector means, and which selectors mean nothing. */
export const selectorCases: readonly ConformanceCase[] = [
  {
    name: "equality",
    steps: [
      ...four,
      ...by("labelSelector", maps, [
        "app=x",
        "app==x",
        "app = x",
        "app!=x,tier",
        "app=x,tier=1",
        "app=,empty",
        "empty=",
        "example.com/kind=p",
        "app=nothing",
      ]),
    ],
  },
  {
    name: "sets",
    steps: [
      ...four,
      ...by("labelSelector", maps, [
        "app in (x)",
        "app in (x, y)",
        "app in (y,)",
        "app notin (x),tier",
        "tier notin (1,10),tier",
        "app in ()",
        "app in (,),app",
        "empty in ()",
      ]),
    ],
  },
  {
    name: "presence",
    steps: [
      ...four,
      ...by("labelSelector", maps, [
        "app",
        "!app,tier",
        "app,!tier",
        "example.com/kind",
        "!example.com/kind,app",
      ]),
    ],
  },
  {
    name: "numbers",
    steps: [
      ...four,
      ...by("labelSelector", maps, [
        "tier>0",
        "tier>1",
        "tier<10",
        "tier < 11",
        "tier>9,tier<11",
        "app>1",
      ]),
    ],
  },
  {
    name: "several spaces and commas",
    steps: [
      ...four,
      ...by("labelSelector", maps, ["  app=x  ,  tier=1 ", ",", "app=x,", ",app=x"]),
    ],
  },
  {
    name: "words that are no selectors",
    steps: by("labelSelector", maps, [
      "app=x=y",
      "app in",
      "app in x",
      "app in (x",
      "(app)",
      "app!x",
      "app=!x",
      "a/b/c=d",
      "app=-x",
      "/a=b",
      "A".repeat(64),
      `a=${"b".repeat(64)}`,
      "tier>1.5",
      "in in (in)",
      "notin",
    ]),
  },
  {
    name: "fields of a config map",
    steps: [
      ...four,
      ...by("fieldSelector", maps, [
        "metadata.name=a",
        "metadata.name==a",
        "metadata.name!=a,metadata.name!=kube-root-ca.crt",
        "metadata.namespace={ns},metadata.name=b",
        "metadata.name=a,metadata.name=b",
        "metadata.labels=x",
        "metadata.name",
        "data=x",
        "metadata.name in (a)",
      ]),
    ],
  },
  {
    name: "fields of pods",
    steps: [
      jsonStep(
        "POST",
        `${core}/pods`,
        pod("p", { schedulerName: "nobody", restartPolicy: "Never" }),
        { prepare: true },
      ),
      jsonStep(
        "POST",
        `${core}/pods`,
        pod("q", { schedulerName: "someone", hostNetwork: true, serviceAccountName: "default" }),
        { prepare: true },
      ),
      ...by("fieldSelector", `${core}/pods`, [
        "spec.schedulerName=nobody",
        "spec.restartPolicy!=Never",
        "status.phase=Pending",
        "status.phase!=Pending",
        "spec.nodeName=",
        "spec.nodeName!=",
        "spec.serviceAccountName=default",
        "spec.hostNetwork=true",
        "status.podIP=",
        "status.nominatedNodeName=",
        "spec.containers=x",
        "metadata.name=q,spec.schedulerName=someone",
      ]),
    ],
  },
  {
    name: "fields of secrets, events and namespaces",
    steps: [
      jsonStep(
        "POST",
        `${core}/secrets`,
        { apiVersion: "v1", kind: "Secret", metadata: { name: "s" }, type: "example.com/x" },
        { prepare: true },
      ),
      ...by("fieldSelector", `${core}/secrets`, [
        "type=example.com/x",
        "type!=example.com/x",
        "type=Opaque",
      ]),
      jsonStep(
        "POST",
        `${core}/events`,
        {
          apiVersion: "v1",
          kind: "Event",
          metadata: { name: "e" },
          involvedObject: { kind: "Pod", name: "p", namespace: "{ns}", uid: "u" },
          reason: "R",
          type: "Normal",
          source: { component: "c" },
        },
        { prepare: true },
      ),
      ...by("fieldSelector", `${core}/events`, [
        "involvedObject.name=p,reason=R",
        "involvedObject.kind=Service",
        "type=Normal,reason=R",
        "source=c,reason=R",
        "reportingComponent=c",
        "reason!=R,involvedObject.name=p",
        "nonsense=x",
      ]),
      ...by("fieldSelector", "/api/v1/namespaces", [
        "metadata.name={ns},status.phase=Active",
        "metadata.name={ns},status.phase=Terminating",
        "spec.x=y",
      ]),
    ],
  },
  {
    name: "fields of other kinds",
    steps: [
      ...by("fieldSelector", "/apis/apps/v1/namespaces/{ns}/deployments", [
        "metadata.name=x",
        "status.replicas=1",
        "spec.replicas=1",
      ]),
      ...by("fieldSelector", "/apis/apps/v1/namespaces/{ns}/replicasets", ["status.replicas=1"]),
      ...by("fieldSelector", "/apis/batch/v1/namespaces/{ns}/jobs", [
        "status.successful=1",
        "status.x=1",
      ]),
      ...by("fieldSelector", `${core}/replicationcontrollers`, ["status.replicas=0"]),
      ...by("fieldSelector", "/apis/certificates.k8s.io/v1/certificatesigningrequests", [
        "spec.signerName=x",
      ]),
      ...by("fieldSelector", `${core}/services`, [
        "spec.clusterIP=None",
        "spec.type=ClusterIP",
        "spec.x=y",
      ]),
    ],
  },
  {
    name: "fields of custom resources",
    steps: withDefinition(
      {
        ...specSchema({
          color: { type: "string" },
          size: { type: "integer" },
          on: { type: "boolean" },
        }),
        selectableFields: [
          { jsonPath: ".spec.color" },
          { jsonPath: ".spec.size" },
          { jsonPath: ".spec.on" },
        ],
      },
      [
        jsonStep("POST", things, thing("a", { spec: { color: "red", size: 1, on: true } }), {
          prepare: true,
        }),
        jsonStep("POST", things, thing("b", { spec: { color: "blue", size: 2 } }), {
          prepare: true,
        }),
        ...by("fieldSelector", things, [
          "spec.color=red",
          "spec.color!=red",
          "spec.size=2",
          "spec.on=true",
          "spec.on=",
          "spec.other=x",
          "metadata.name=b",
          "metadata.namespace={ns}",
        ]),
      ],
    ),
  },
];

import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { apps, configMap, core, deployment, pod } from "./paths.ts";
import { withDefinition } from "./with-definition.ts";
import { thing, things } from "./paths.ts";

const maps = `${core}/configmaps`;
const json = (as: string, version = "v1"): string =>
  `application/json;as=${as};g=meta.k8s.io;v=${version}`;
const list = json("PartialObjectMetadataList");
const one = json("PartialObjectMetadata");
const labelled = (name: string): Step =>
  jsonStep("POST", maps, configMap(name, { x: "1" }, { labels: { app: "a" } }), { prepare: true });
const selected = `${maps}?labelSelector=app%3Da`;
const refused: Partial<Step> = { keep: ["kind", "reason", "code", "message", "details"] };

/** Clients that want only the metadata of objects, and Accept headers in general. */
export const metadataCases: readonly ConformanceCase[] = [
  {
    name: "a list of metadata",
    steps: [labelled("a"), labelled("b"), jsonStep("GET", selected, undefined, { accept: list })],
  },
  {
    name: "an older list of metadata",
    steps: [
      labelled("a"),
      jsonStep("GET", selected, undefined, {
        accept: json("PartialObjectMetadataList", "v1beta1"),
      }),
    ],
  },
  {
    name: "the metadata of one object",
    steps: [labelled("a"), jsonStep("GET", `${maps}/a`, undefined, { accept: one })],
  },
  {
    name: "metadata of a pod and a deployment",
    steps: [
      jsonStep("POST", `${core}/pods`, pod("p", { schedulerName: "nobody" }), { prepare: true }),
      jsonStep("POST", `${apps}/deployments`, deployment("d"), { prepare: true }),
      jsonStep("GET", `${core}/pods/p`, undefined, { accept: one }),
      jsonStep("GET", `${apps}/deployments/d`, undefined, {
        accept: one,
        keep: ["kind", "apiVersion", "metadata.name", "metadata.generation", "spec", "status"],
      }),
    ],
  },
  {
    name: "pages of metadata",
    steps: [
      labelled("a"),
      labelled("b"),
      labelled("c"),
      jsonStep("GET", `${selected}&limit=2`, undefined, {
        accept: list,
        keep: ["kind", "metadata.continue", "items.*.metadata.name"],
        take: { token: "metadata.continue" },
      }),
      jsonStep("GET", `${selected}&limit=2&continue={token}`, undefined, {
        accept: list,
        keep: ["kind", "metadata.continue", "items.*.metadata.name"],
      }),
    ],
  },
  {
    name: "a watch of metadata",
    steps: [
      labelled("a"),
      jsonStep("GET", maps, undefined, {
        prepare: true,
        take: { version: "metadata.resourceVersion" },
      }),
      {
        method: "WATCH",
        path: `${selected}&watch=true&resourceVersion={version}`,
        accept: one,
        events: 2,
        during: [
          jsonStep("PATCH", `${maps}/a`, { data: { x: "2" } }, { prepare: true }),
          jsonStep("DELETE", `${maps}/a`, undefined, { prepare: true }),
        ],
      },
    ],
  },
  {
    name: "initial metadata of a watch ends with a bookmark",
    steps: [
      labelled("a"),
      {
        method: "WATCH",
        path: `${selected}&watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
        accept: one,
        events: 2,
      },
    ],
  },
  {
    name: "writes answered with metadata",
    steps: [
      jsonStep("POST", maps, configMap("a"), { accept: one }),
      jsonStep("PATCH", `${maps}/a`, { data: { x: "1" } }, { accept: one }),
      jsonStep("PUT", `${maps}/a`, configMap("a", { y: "1" }), { accept: one }),
      jsonStep("POST", maps, configMap("b"), { accept: list, ...refused }),
      jsonStep("GET", `${maps}/b`, undefined, { keep: ["kind", "code"] }),
    ],
  },
  {
    name: "a write answered with a table",
    steps: [
      jsonStep("POST", maps, configMap("a", { x: "1" }), {
        accept: json("Table"),
        keep: ["kind", "apiVersion", "rows"],
      }),
    ],
  },
  {
    name: "metadata of custom resources",
    steps: withDefinition({}, [
      jsonStep("POST", things, thing("a", { spec: { x: 1 } }), { prepare: true }),
      jsonStep("GET", things, undefined, { accept: list, keep: ["kind", "apiVersion", "items"] }),
      jsonStep("GET", `${things}/a`, undefined, { accept: one }),
      jsonStep("GET", things, undefined, { accept: one, ...refused }),
      jsonStep("GET", `${things}/a`, undefined, { accept: list, keep: [], statusClass: true }),
    ]),
  },
  {
    name: "one for a list, a list for one",
    steps: [
      labelled("a"),
      jsonStep("GET", maps, undefined, { accept: one, ...refused }),
      jsonStep("GET", `${maps}/a`, undefined, { accept: list, ...refused }),
      jsonStep("GET", `${apps}/deployments`, undefined, { accept: one, ...refused }),
      jsonStep("GET", "/apis/rbac.authorization.k8s.io/v1/clusterroles", undefined, {
        accept: one,
        ...refused,
      }),
    ],
  },
  {
    name: "forms that nobody knows",
    steps: [
      json("Nonsense"),
      json("Table", "v2"),
      "application/json;as=Table;g=example.com;v=v1",
      "text/html",
      "image/png,text/plain",
    ].map((accept) => jsonStep("GET", maps, undefined, { accept, ...refused })),
  },
  {
    name: "the first form that is known",
    steps: [
      labelled("a"),
      ...[
        `${json("Nonsense")},application/json`,
        "text/html,application/json",
        "*/*",
        "application/*",
        "text/html;q=0.9,*/*;q=0.1",
        `application/json;q=0.1,${one}`,
        `application/json,${one};q=0.5`,
      ].map((accept) =>
        jsonStep("GET", `${maps}/a`, undefined, {
          accept,
          keep: ["kind", "metadata.name", "data"],
        }),
      ),
    ],
  },
  {
    name: "an unknown form of a write changes nothing",
    steps: [
      jsonStep("POST", maps, configMap("a"), { accept: json("Nonsense"), ...refused }),
      jsonStep("GET", `${maps}/a`, undefined, { keep: ["kind", "code"] }),
    ],
  },
];

import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { configMap, core, thing, things } from "./paths.ts";
import { withDefinition } from "./with-definition.ts";

const maps = `${core}/configmaps`;
const version: Step = jsonStep("GET", `${core}/secrets`, undefined, {
  prepare: true,
  take: { version: "metadata.resourceVersion" },
});
const create = (name: string, labels: object = {}): Step =>
  jsonStep("POST", maps, configMap(name, {}, { labels }), { prepare: true });
const label = (name: string, labels: object): Step =>
  jsonStep("PATCH", `${maps}/${name}`, { metadata: { labels } }, { prepare: true });
const remove = (name: string): Step =>
  jsonStep("DELETE", `${maps}/${name}`, undefined, { prepare: true });
const brief: Partial<Step> = {
  keep: ["type", "object.metadata.name", "object.metadata.labels", "object.data", "object.kind"],
};
const watch = (
  query: string,
  events: number,
  during: readonly Step[],
  rest: Partial<Step> = brief,
): Step => ({
  method: "WATCH",
  path: `${maps}?watch=true&resourceVersion={version}${query}`,
  events,
  during,
  ...rest,
});
const selector = "&labelSelector=app%3Da";

/** What a watch sees while others write. */
export const watchingCases: readonly ConformanceCase[] = [
  {
    name: "objects enter and leave a selection",
    steps: [
      version,
      watch(selector, 5, [
        create("x", { app: "b" }),
        create("y", { app: "a" }),
        label("x", { app: "a" }),
        label("y", { app: "b" }),
        label("x", { z: "1" }),
        remove("x"),
        remove("y"),
      ]),
    ],
  },
  {
    name: "the last state of what leaves",
    steps: [create("x", { app: "a" }), version, watch(selector, 1, [label("x", { app: "b" })], {})],
  },
  {
    name: "the last state of what is deleted",
    steps: [create("x", { app: "a" }), version, watch(selector, 1, [remove("x")], {})],
  },
  {
    name: "one object by its name",
    steps: [
      version,
      watch("&fieldSelector=metadata.name%3Dx", 3, [
        create("y"),
        create("x"),
        remove("y"),
        label("x", { a: "1" }),
        remove("x"),
      ]),
    ],
  },
  {
    name: "a held object is modified before it is deleted",
    steps: [
      jsonStep(
        "POST",
        maps,
        configMap("x", {}, { finalizers: ["example.com/hold"], labels: { app: "a" } }),
        { prepare: true },
      ),
      version,
      watch(
        selector,
        2,
        [
          remove("x"),
          jsonStep("PATCH", `${maps}/x`, { metadata: { finalizers: null } }, { prepare: true }),
        ],
        {
          keep: [
            "type",
            "object.metadata.finalizers",
            "object.metadata.deletionGracePeriodSeconds",
          ],
        },
      ),
    ],
  },
  {
    name: "what changes nothing is not seen",
    steps: [
      create("x", { app: "a" }),
      version,
      watch(selector, 1, [
        label("x", { app: "a" }),
        jsonStep("PATCH", `${maps}/x?dryRun=All`, { data: { x: "1" } }, { prepare: true }),
        label("x", { z: "1" }),
      ]),
    ],
  },
  {
    name: "a collection goes one by one",
    steps: [
      create("x", { app: "a" }),
      create("y", { app: "a" }),
      version,
      watch(
        selector,
        2,
        [jsonStep("DELETE", `${maps}?labelSelector=app%3Da`, undefined, { prepare: true })],
        { keep: ["type", "object.kind"] },
      ),
    ],
  },
  {
    name: "history is replayed from a version",
    steps: [
      version,
      create("x", { app: "a" }),
      label("x", { z: "1" }),
      remove("x"),
      {
        method: "WATCH",
        path: `${maps}?watch=true&resourceVersion={version}${selector}`,
        events: 3,
        ...brief,
      },
    ],
  },
  {
    name: "history is replayed for a selection",
    steps: [
      version,
      create("x", { app: "a" }),
      label("x", { app: "b" }),
      label("x", { app: "a" }),
      {
        method: "WATCH",
        path: `${maps}?watch=true&resourceVersion={version}${selector}`,
        events: 3,
        ...brief,
      },
    ],
  },
  {
    name: "a table of what happens",
    steps: [
      version,
      watch(selector, 2, [create("x", { app: "a" }), label("x", { z: "1" })], {
        accept: "application/json;as=Table;g=meta.k8s.io;v=v1",
        keep: [
          "type",
          "object.kind",
          "object.columnDefinitions",
          "object.rows.0.cells.0",
          "object.rows.0.object.metadata.labels",
        ],
      }),
    ],
  },
  {
    name: "custom resources",
    steps: withDefinition({}, [
      jsonStep("GET", things, undefined, {
        prepare: true,
        take: { version: "metadata.resourceVersion" },
      }),
      {
        method: "WATCH",
        path: `${things}?watch=true&resourceVersion={version}`,
        events: 3,
        ...brief,
        during: [
          jsonStep("POST", things, thing("a", { data: 1 }), { prepare: true }),
          jsonStep("PATCH", `${things}/a`, { data: 2 }, { prepare: true }),
          jsonStep("DELETE", `${things}/a`, undefined, { prepare: true }),
        ],
      },
    ]),
  },
  {
    name: "versions that cannot be",
    steps: [
      ...["nonsense", "-1"].map((each) =>
        jsonStep("GET", `${maps}?watch=true&timeoutSeconds=1&resourceVersion=${each}`, undefined, {
          keep: [],
          statusClass: true,
        }),
      ),
      jsonStep("GET", `${maps}?watch=true&sendInitialEvents=true`, undefined, {
        keep: ["code", "reason", "details"],
      }),
      jsonStep(
        "GET",
        `${maps}?watch=true&resourceVersionMatch=Exact&resourceVersion=1`,
        undefined,
        { keep: ["code", "reason", "details"] },
      ),
    ],
  },
];

import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { configMap, core, thing, things } from "./paths.ts";
import { withDefinition } from "./with-definition.ts";

const maps = `${core}/configmaps`;
const create = (name: string, labels: object = { app: "a" }): Step =>
  jsonStep("POST", maps, configMap(name, {}, { labels }), { prepare: true });
const five = ["a", "b", "c", "d", "e"].map((name) => create(name));
const page: Partial<Step> = {
  keep: [
    "items.*.metadata.name",
    "metadata.continue",
    "metadata.remainingItemCount",
    "code",
    "reason",
  ],
};
const first = (limit: number, query = "", rest: Partial<Step> = {}): Step =>
  jsonStep("GET", `${maps}?limit=${limit}${query}`, undefined, {
    ...page,
    take: { token: "metadata.continue", version: "metadata.resourceVersion" },
    ...rest,
  });
const next = (limit: number, query = "", rest: Partial<Step> = {}): Step =>
  jsonStep("GET", `${maps}?limit=${limit}&continue={token}${query}`, undefined, {
    ...page,
    ...rest,
  });
const again: Partial<Step> = { take: { token: "metadata.continue" } };

/** Lists in pages, all of one version. */
export const pagingCases: readonly ConformanceCase[] = [
  {
    name: "pages follow each other",
    steps: [...five, first(2), next(2, "", again), next(2, "", again)],
  },
  { name: "a page as long as the list", steps: [...five, first(6)] },
  {
    name: "the rest without a limit",
    steps: [...five, first(2), jsonStep("GET", `${maps}?continue={token}`, undefined, page)],
  },
  {
    name: "pages of a selection do not count the rest",
    steps: [
      ...five,
      create("f", { app: "b" }),
      first(2, "&labelSelector=app%3Da"),
      next(2, "&labelSelector=app%3Da", again),
      next(2, "&labelSelector=app%3Da"),
    ],
  },
  {
    name: "pages show what was there at first",
    steps: [
      ...five,
      first(2),
      create("ab"),
      jsonStep("DELETE", `${maps}/d`, undefined, { prepare: true }),
      create("dd"),
      next(3, "", again),
      next(3),
    ],
  },
  {
    name: "a changed object is shown as it was",
    steps: [
      ...five,
      first(2, "", { keep: ["metadata.continue"] }),
      jsonStep("PATCH", `${maps}/c`, { metadata: { labels: { app: "z" } } }, { prepare: true }),
      next(1, "", { keep: ["items.0.metadata.name", "items.0.metadata.labels"] }),
    ],
  },
  {
    name: "tokens that are none",
    steps: [
      jsonStep("GET", `${maps}?limit=2&continue=nonsense`, undefined, { keep: ["code", "reason"] }),
      jsonStep("GET", `${maps}?limit=nonsense`, undefined, { keep: ["code", "reason"] }),
      jsonStep("GET", `${maps}?limit=-1`, undefined, { keep: ["kind", "code", "reason"] }),
    ],
  },
  {
    name: "a token with a version",
    steps: [
      ...five,
      first(2),
      jsonStep("GET", `${maps}?limit=2&continue={token}&resourceVersion=1`, undefined, {
        keep: ["code", "reason"],
      }),
    ],
  },
  {
    name: "lists of an exact version",
    steps: [
      create("a"),
      jsonStep("GET", maps, undefined, {
        prepare: true,
        take: { version: "metadata.resourceVersion" },
      }),
      create("b"),
      jsonStep(
        "GET",
        `${maps}?resourceVersion={version}&resourceVersionMatch=Exact&labelSelector=app`,
        undefined,
        page,
      ),
      jsonStep(
        "GET",
        `${maps}?resourceVersion={version}&resourceVersionMatch=NotOlderThan&labelSelector=app`,
        undefined,
        // How much newer the answer is depends on the server's cache.
        { keep: ["kind"] },
      ),
      jsonStep("GET", `${maps}?resourceVersion=0&labelSelector=app`, undefined, { keep: ["kind"] }),
      jsonStep("GET", `${maps}?resourceVersionMatch=Exact`, undefined, {
        keep: ["code", "reason", "details"],
      }),
      jsonStep("GET", `${maps}?resourceVersionMatch=Exact&resourceVersion=0`, undefined, {
        keep: ["code", "reason", "details"],
      }),
      jsonStep("GET", `${maps}?resourceVersionMatch=Nonsense&resourceVersion=1`, undefined, {
        keep: ["code", "reason", "details"],
      }),
      jsonStep("GET", `${maps}?resourceVersion=nonsense`, undefined, { keep: ["code", "reason"] }),
    ],
  },
  {
    name: "pages of custom resources",
    steps: withDefinition({}, [
      ...["a", "b", "c"].map((name) => jsonStep("POST", things, thing(name), { prepare: true })),
      jsonStep("GET", `${things}?limit=2`, undefined, {
        ...page,
        take: { token: "metadata.continue" },
      }),
      jsonStep("GET", `${things}?limit=2&continue={token}`, undefined, page),
    ]),
  },
];

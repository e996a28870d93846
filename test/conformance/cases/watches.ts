import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { configMap, core } from "./paths.ts";

const maps = `${core}/configmaps`;
const secrets = `${core}/secrets`;
const secret = (name: string, labels: object = {}): object => ({
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name, labels },
});
const watch = (path: string, events: number, rest: Partial<Step> = {}): Step => ({
  method: "WATCH",
  path,
  events,
  ...rest,
});

export const watchCases: readonly ConformanceCase[] = [
  {
    name: "begins with what is there",
    steps: [
      jsonStep("POST", secrets, secret("a"), { prepare: true }),
      jsonStep("POST", secrets, secret("b"), { prepare: true }),
      watch(`${secrets}?watch=true`, 2),
    ],
  },
  {
    name: "one object by name",
    steps: [
      jsonStep("POST", maps, configMap("a"), { prepare: true }),
      watch(`${maps}?watch=1&fieldSelector=metadata.name%3Da`, 1),
    ],
  },
  {
    name: "initial events end with a bookmark",
    steps: [
      jsonStep("POST", secrets, secret("a"), { prepare: true }),
      watch(
        `${secrets}?watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
        2,
      ),
      watch(`${secrets}?watch=true&sendInitialEvents=true`, 1),
    ],
  },
  {
    name: "ends when its time is over",
    steps: [jsonStep("GET", `${secrets}?watch=true&timeoutSeconds=1`)],
  },
];

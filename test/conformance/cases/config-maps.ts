import { apply, type ConformanceCase, jsonStep } from "../case.ts";

const all = "/api/v1/namespaces/{ns}/configmaps";
const a = `${all}/a`;

function configMap(data: Readonly<Record<string, string>>, name = "a"): unknown {
  return { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data };
}

export const configMapCases: readonly ConformanceCase[] = [
  { name: "create answers the object", steps: [jsonStep("POST", all, configMap({ x: "1" }))] },
  {
    name: "create of what exists is a conflict",
    steps: [
      jsonStep("POST", all, configMap({}), { prepare: true }),
      jsonStep("POST", all, configMap({})),
    ],
  },
  { name: "get of what does not exist", steps: [jsonStep("GET", a)] },
  {
    name: "apply creates, changes nothing, changes, gives up",
    steps: [
      apply(a, "one", configMap({ x: "1", y: "1" })),
      apply(a, "one", configMap({ x: "1", y: "1" })),
      apply(a, "two", configMap({ y: "2" })),
      apply(a, "two", configMap({ y: "2" }), { force: true }),
      apply(a, "one", configMap({ x: "2" })),
      apply(a, "one", { apiVersion: "v1", kind: "ConfigMap" }),
    ],
  },
  {
    name: "delete answers a status and the object is gone",
    steps: [
      jsonStep("POST", all, configMap({}), { prepare: true }),
      jsonStep("DELETE", a),
      jsonStep("GET", a),
    ],
  },
];

import { type ConformanceCase, jsonStep } from "../case.ts";
import { configMap } from "./paths.ts";

const namespace = "/api/v1/namespaces/{id}";

/** What becomes of a namespace that is deleted. */
export const namespaceCases: readonly ConformanceCase[] = [
  {
    name: "the pods of a namespace go first, and it says what holds it",
    steps: [
      jsonStep(
        "POST",
        "/api/v1/namespaces",
        { apiVersion: "v1", kind: "Namespace", metadata: { name: "{id}" } },
        { prepare: true },
      ),
      jsonStep("GET", `${namespace}/serviceaccounts/default`, undefined, {
        until: ["kind", "ServiceAccount"],
        keep: ["kind"],
      }),
      jsonStep("POST", `${namespace}/configmaps`, configMap("kept"), { prepare: true }),
      jsonStep(
        "POST",
        `${namespace}/pods`,
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { name: "held", finalizers: ["example.com/hold"] },
          spec: { nodeSelector: { nowhere: "true" }, containers: [{ name: "c", image: "i" }] },
        },
        { prepare: true },
      ),
      jsonStep("DELETE", namespace, undefined, { keep: ["status.phase"] }),
      jsonStep("GET", namespace, undefined, {
        until: ["status.conditions.2.type", "NamespaceDeletionContentFailure"],
        keep: [
          "status.phase",
          "status.conditions.*.type",
          "status.conditions.*.status",
          "status.conditions.*.reason",
          "status.conditions.*.message",
        ],
      }),
      jsonStep("GET", `${namespace}/configmaps/kept`, undefined, { keep: ["metadata.name"] }),
      jsonStep("POST", `${namespace}/configmaps`, configMap("late"), {
        keep: ["code", "reason", "details.causes"],
      }),
      jsonStep(
        "PATCH",
        `${namespace}/pods/held`,
        { metadata: { finalizers: null } },
        {
          prepare: true,
        },
      ),
      jsonStep("GET", namespace, undefined, { until: ["code", "404"], keep: ["reason"] }),
    ],
  },
  {
    name: "what has no metadata is shown in no table",
    steps: ["selfsubjectaccessreviews", "selfsubjectrulesreviews"].map((resource) =>
      jsonStep(
        "POST",
        `/apis/authorization.k8s.io/v1/${resource}`,
        {
          spec:
            resource === "selfsubjectaccessreviews"
              ? { nonResourceAttributes: { path: "/", verb: "get" } }
              : { namespace: "default" },
        },
        { accept: "application/json;as=Table;v=v1;g=meta.k8s.io" },
      ),
    ),
  },
  {
    name: "a version that is yet to come is too large",
    steps: [
      jsonStep("GET", "/api/v1/namespaces?resourceVersion=999999999", undefined, {
        keep: ["code", "reason", "details.causes", "details.retryAfterSeconds"],
      }),
      jsonStep("GET", "/api/v1/namespaces/default?resourceVersion=999999999", undefined, {
        keep: ["code", "reason", "details.causes", "details.retryAfterSeconds"],
      }),
    ],
  },
];

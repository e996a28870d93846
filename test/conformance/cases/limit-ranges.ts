import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { core } from "./paths.ts";

const pods = `${core}/pods`;
const refusal: Partial<Step> = { keep: ["code", "reason", "message", "details"] };
const admitted: Partial<Step> = {
  keep: [
    "metadata.annotations",
    "spec.containers.*.resources",
    "spec.initContainers.*.resources",
    "status.qosClass",
    "code",
    "message",
  ],
};

const range = (...limits: readonly object[]): Step =>
  jsonStep(
    "POST",
    `${core}/limitranges`,
    { apiVersion: "v1", kind: "LimitRange", metadata: { name: "l" }, spec: { limits } },
    { keep: ["spec"] },
  );
const pod = (name: string, resources?: object, spec: object = {}): object => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name },
  spec: {
    nodeSelector: { nowhere: "true" },
    containers: [{ name: "c", image: "i", ...(resources === undefined ? {} : { resources }) }],
    ...spec,
  },
});
const claim = (name: string, storage: string): object => ({
  apiVersion: "v1",
  kind: "PersistentVolumeClaim",
  metadata: { name },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage } } },
});

/** LimitRanges: what they fill in, and what they refuse. */
export const limitRangeCases: readonly ConformanceCase[] = [
  {
    name: "containers get the defaults that they do not have",
    steps: [
      range({
        type: "Container",
        default: { cpu: "500m", memory: "500Mi" },
        defaultRequest: { cpu: "100m" },
      }),
      jsonStep("POST", pods, pod("plain"), admitted),
      jsonStep(
        "POST",
        pods,
        pod(
          "some",
          { requests: { cpu: "50m" } },
          {
            initContainers: [{ name: "i", image: "i", resources: { limits: { memory: "1Gi" } } }],
          },
        ),
        admitted,
      ),
      jsonStep(
        "POST",
        pods,
        pod("all", {
          requests: { cpu: "1", memory: "1Gi" },
          limits: { cpu: "1", memory: "1Gi" },
        }),
        admitted,
      ),
      jsonStep("POST", `${pods}?dryRun=All`, pod("dry"), admitted),
    ],
  },
  {
    name: "a maximum is a default, too",
    steps: [
      range({ type: "Container", max: { cpu: "1" } }),
      jsonStep("POST", pods, pod("plain"), admitted),
      jsonStep("POST", pods, pod("large", { limits: { cpu: "2" } }), refusal),
    ],
  },
  {
    name: "containers outside of the bounds are refused",
    steps: [
      range({ type: "Container", min: { memory: "100Mi" } }),
      jsonStep("POST", pods, pod("none", {}), refusal),
      jsonStep("POST", pods, pod("small", { requests: { memory: "10Mi" } }), refusal),
      jsonStep(
        "POST",
        pods,
        pod(
          "two",
          { requests: { memory: "10Mi" } },
          {
            initContainers: [{ name: "i", image: "i", resources: { requests: { memory: "9Mi" } } }],
          },
        ),
        refusal,
      ),
      jsonStep(
        "POST",
        pods,
        {
          apiVersion: "v1",
          kind: "Pod",
          metadata: { generateName: "small-" },
          spec: { containers: [{ name: "c", image: "i" }] },
        },
        { keep: ["code", "reason", "details.kind"] },
      ),
    ],
  },
  {
    name: "limits may be only so many times the requests",
    steps: [
      range({ type: "Container", maxLimitRequestRatio: { cpu: "2" } }),
      jsonStep("POST", pods, pod("none"), refusal),
      jsonStep("POST", pods, pod("unlimited", { requests: { cpu: "1" } }), refusal),
      jsonStep(
        "POST",
        pods,
        pod("far", { requests: { cpu: "100m" }, limits: { cpu: "250m" } }),
        refusal,
      ),
      jsonStep(
        "POST",
        pods,
        pod("near", { requests: { cpu: "100m" }, limits: { cpu: "200m" } }),
        admitted,
      ),
    ],
  },
  {
    name: "a pod is bounded as a whole",
    steps: [
      range({ type: "Pod", max: { cpu: "1" }, min: { cpu: "100m" } }),
      jsonStep("POST", pods, pod("none"), {
        keep: ["code", "reason", "details"],
      }),
      jsonStep(
        "POST",
        pods,
        pod("two", undefined, {
          containers: ["a", "b"].map((name) => ({
            name,
            image: "i",
            resources: { requests: { cpu: "500m" }, limits: { cpu: "600m" } },
          })),
        }),
        refusal,
      ),
      jsonStep(
        "POST",
        pods,
        pod("one", { requests: { cpu: "500m" }, limits: { cpu: "1" } }),
        admitted,
      ),
    ],
  },
  {
    name: "claims are bounded",
    steps: [
      range({ type: "PersistentVolumeClaim", min: { storage: "1Gi" }, max: { storage: "2Gi" } }),
      jsonStep("POST", `${core}/persistentvolumeclaims`, claim("small", "1Mi"), refusal),
      jsonStep("POST", `${core}/persistentvolumeclaims`, claim("large", "3Gi"), refusal),
      jsonStep("POST", `${core}/persistentvolumeclaims`, claim("right", "2Gi"), {
        keep: ["spec.resources"],
      }),
    ],
  },
];

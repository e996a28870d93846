import { expect, test } from "vitest";
import type { KubernetesObject } from "../../objects/index.ts";
import { writerOf } from "./service-account.ts";

const owner: KubernetesObject = {
  apiVersion: "kontinue.io/v1alpha1",
  kind: "Workload",
  metadata: { name: "web", namespace: "apps" },
};
const blueprint: KubernetesObject = {
  apiVersion: "kontinue.io/v1alpha1",
  kind: "ClusterSupplyChain",
  metadata: { name: "chain" },
  spec: { serviceAccountRef: { name: "builder", namespace: "platform" }, resources: [] },
};

test.each([
  ["apps/builder", { namespace: "apps", name: "builder" }],
  ["platform/builder", { namespace: "platform", name: "builder" }],
  ["platform/admin", undefined],
  ["kube-system/builder", undefined],
  ["builder", undefined],
  [undefined, undefined],
])("an object that says %j was written by %j", (said, expected) => {
  const annotations = said === undefined ? {} : { "keelson.dev/service-account": said };
  const stamped = {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "web", namespace: "apps", annotations },
  };
  expect(writerOf(stamped, owner, [blueprint])).toEqual(expected);
});

import { expect, it } from "vitest";
import type { ClusterView, KindView } from "../../cluster/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { StampedObjects } from "./stamped-objects.ts";

const owner: KubernetesObject = {
  apiVersion: "kontinue.io/v1alpha1",
  kind: "Workload",
  metadata: { name: "web", namespace: "apps", uid: "u" },
};

function configMap(namespace: string): KubernetesObject {
  const { apiVersion, kind } = owner;
  const reference = { apiVersion, kind, name: "web", uid: "u", controller: true };
  const metadata = { name: "web", namespace, uid: namespace, ownerReferences: [reference] };
  return { apiVersion: "v1", kind: "ConfigMap", metadata };
}

/** A watch that tells of objects, whoever made them. */
function watching(objects: readonly KubernetesObject[]): ClusterView {
  const view: Partial<KindView> = {
    synced: Promise.resolve(),
    indexed: (by, key) => objects.filter((object) => by(object).includes(key)),
    subscribe: () => () => undefined,
  };
  return { use: () => view } as unknown as ClusterView;
}

it("what names an owner of another namespace was not stamped for it", async () => {
  const stamped = new StampedObjects({
    informers: watching([configMap("apps"), configMap("attacker")]),
    namespace: undefined,
    label: "carto.run/resource-name",
    onChange: () => undefined,
  });
  await stamped.watch({ apiVersion: "v1", kind: "ConfigMap" });
  expect(stamped.of(owner).map(({ metadata }) => metadata.namespace)).toEqual(["apps"]);
});

import { beforeAll, describe, expect, it } from "vitest";
import { configMap, configMapKind, useTestCluster } from "./test-cluster.ts";

const test = useTestCluster();
const count = 5000;

describe("5,000 objects", () => {
  beforeAll(async () => {
    const names = Array.from(
      { length: count },
      (_, index) => `item-${String(index).padStart(4, "0")}`,
    );
    await Promise.all(names.map((name) => test.cluster.create(configMap(name, { name }))));
  });

  it("come page by page, each once and in order", async () => {
    const sizes: number[] = [];
    const names: string[] = [];
    for await (const page of test.cluster.listPages(configMapKind, {
      namespace: test.namespace,
      pageSize: 700,
      fieldSelector: "metadata.name!=kube-root-ca.crt",
    })) {
      sizes.push(page.items.length);
      names.push(...page.items.map(({ metadata }) => metadata.name ?? ""));
    }
    expect(sizes).toEqual([700, 700, 700, 700, 700, 700, 700, 100]);
    expect(new Set(names).size).toBe(count);
    expect(names).toEqual([...names].sort());
  });

  it("are the same in one list, with their kind", async () => {
    const options = { namespace: test.namespace, fieldSelector: "metadata.name!=kube-root-ca.crt" };
    const { items } = await test.cluster.list(configMapKind, options);
    expect(items).toHaveLength(count);
    expect(items[0]).toMatchObject({ ...configMapKind, data: { name: "item-0000" } });
  });

  it("can be listed by their metadata only", async () => {
    const { items } = await test.cluster.list(configMapKind, {
      namespace: test.namespace,
      metadataOnly: true,
    });
    expect(
      items.every((item) => item["data"] === undefined && item.metadata.uid !== undefined),
    ).toBe(true);
  });
});

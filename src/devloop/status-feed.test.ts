import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cluster, clusterOver } from "../cluster/index.ts";
import { identityOf } from "../objects/index.ts";
import { openSandbox, type Sandbox } from "../sandbox/create-sandbox.ts";
import { InProcessTransport } from "../sandbox/in-process-transport.ts";
import { StatusFeed } from "./status-feed.ts";

const settings = {
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "settings", namespace: "default" },
};
const identity = identityOf(settings);

describe("the status of what runs", () => {
  let sandbox: Sandbox;
  let cluster: Cluster;
  beforeEach(async () => {
    sandbox = openSandbox({ workloads: false });
    cluster = clusterOver(new InProcessTransport(sandbox));
    await cluster.create(settings);
  });
  afterEach(async () => {
    await cluster.close();
    sandbox.close();
  });

  function open(): { readonly feed: StatusFeed; readonly told: string[] } {
    const told: string[] = [];
    const feed = new StatusFeed({
      cluster,
      onStatus: ({ object, status }) => told.push(`${object.name} ${status}`),
      onTrouble: (error) => told.push(String(error)),
    });
    return { feed, told };
  }

  it("ends when it is closed before its watch has begun", async () => {
    const { feed, told } = open();
    feed.follow([identity], [identity]);
    await feed.close();
    expect(told).toEqual([]);
  });

  it("ends what it followed before, also when that had not begun", async () => {
    const { feed, told } = open();
    for (let round = 0; round < 5; round++) feed.follow([identity], [identity]);
    await expect.poll(() => told).toEqual(["settings Current"]);
    await feed.close();
  });
});

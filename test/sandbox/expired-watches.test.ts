import { expect, it } from "vitest";
import { openSandbox } from "../../src/sandbox/create-sandbox.ts";

it("tells a watch from long ago that it is too late", () => {
  const sandbox = openSandbox({ workloads: false });
  const { store } = sandbox.context;
  const since = store.revision;
  for (let count = 0; count < 40_001; count++) {
    store.put("/configmaps", {
      kind: "ConfigMap",
      apiVersion: "v1",
      metadata: { name: "m", namespace: "default" },
    });
  }
  const watch = (resourceVersion: number): string => {
    const response = sandbox.handle({
      method: "GET",
      path: "/api/v1/namespaces/default/configmaps",
      query: new URLSearchParams({ watch: "true", resourceVersion: String(resourceVersion) }),
      accept: "application/json",
      contentType: "",
      userAgent: "test",
      body: "",
      user: { name: "admin", groups: ["system:masters"] },
    });
    if (response.kind !== "stream") throw new Error("a watch is a stream");
    let text = "";
    const stop = response.start({
      write: (piece) => (text += piece),
      end: () => {},
      backlog: () => 0,
    });
    stop();
    return text;
  };
  expect(JSON.parse(watch(since))).toMatchObject({
    type: "ERROR",
    object: { code: 410, reason: "Expired" },
  });
  expect(JSON.parse(watch(store.revision - 1))).toMatchObject({ type: "MODIFIED" });
  sandbox.close();
});

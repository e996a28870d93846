import { expect, it } from "vitest";
import { ManualClock } from "../clock.ts";
import { openSandbox } from "../create-sandbox.ts";

it("answers 410 to a token of a version that is forgotten", () => {
  const sandbox = openSandbox({ clock: new ManualClock(), workloads: false });
  const get = (query: string): { status: number; body: Record<string, Record<string, string>> } => {
    const response = sandbox.handle({
      method: "GET",
      path: "/api/v1/namespaces",
      query: new URLSearchParams(query),
      accept: "",
      contentType: "",
      userAgent: "test",
      body: "",
      user: { name: "admin", groups: ["system:masters"] },
    });
    if (response.kind !== "complete") throw new Error("a list is no stream");
    return { status: response.status, body: JSON.parse(response.body) };
  };
  const token = get("limit=1").body["metadata"]?.["continue"] ?? "";
  const { store } = sandbox.context;
  expect(get(`limit=1&continue=${token}`).status).toBe(200);
  store.put("/configmaps", {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "a", namespace: "default" },
  });
  store.history.compact(store.revision);
  expect(get(`limit=1&continue=${token}`)).toMatchObject({
    status: 410,
    body: { reason: "Expired" },
  });
  sandbox.close();
});

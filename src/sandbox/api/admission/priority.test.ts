import { expect, it } from "vitest";
import { ManualClock } from "../../clock.ts";
import { openSandbox } from "../../create-sandbox.ts";

// A default class is for the whole cluster: on a control plane that others use it would change their pods.
it("has one default priority class, which pods without a class get", () => {
  const sandbox = openSandbox({ clock: new ManualClock(), workloads: false });
  const post = (path: string, body: object): Readonly<Record<string, unknown>> => {
    const response = sandbox.handle({
      method: "POST",
      path,
      query: new URLSearchParams(),
      accept: "",
      contentType: "application/json",
      userAgent: "test",
      body: JSON.stringify(body),
      user: { name: "admin", groups: ["system:masters"] },
    });
    if (response.kind !== "complete") throw new Error("a creation is no stream");
    return JSON.parse(response.body) as Readonly<Record<string, unknown>>;
  };
  const classes = "/apis/scheduling.k8s.io/v1/priorityclasses";
  const priorityClass = (name: string): object => ({
    metadata: { name },
    value: 5,
    globalDefault: true,
    preemptionPolicy: "Never",
  });
  expect(post(classes, priorityClass("first"))["kind"]).toBe("PriorityClass");
  expect(post(classes, priorityClass("second"))).toMatchObject({
    code: 403,
    reason: "Forbidden",
    message:
      'priorityclasses.scheduling.k8s.io "second" is forbidden: PriorityClass first is already marked as default. Only one default can exist',
  });
  post("/api/v1/namespaces/default/serviceaccounts", { metadata: { name: "default" } });
  const pod = { metadata: { name: "p" }, spec: { containers: [{ name: "c", image: "i" }] } };
  expect(post("/api/v1/namespaces/default/pods", pod)).toMatchObject({
    spec: { priorityClassName: "first", priority: 5, preemptionPolicy: "Never" },
  });
  sandbox.close();
});

import { describe, expect, it } from "vitest";
import { openSandbox, type Sandbox } from "../create-sandbox.ts";
import { podLogStoreOf } from "./pod-log-store.ts";
import { InternalClient } from "./internal-client.ts";
import { startLocalContainer } from "./local-container.ts";
import { asPod } from "./pod-state.ts";
import type { Pod } from "./pod-types.ts";

/** The next state of a pod that a test waits for; the sandbox tells, nobody polls. */
function until(sandbox: Sandbox, name: string, isSo: (pod: Pod) => boolean): Promise<Pod> {
  return new Promise((resolve) => {
    const stop = sandbox.context.store.subscribe(({ resource, stored }) => {
      if (resource !== "/pods" || stored.name !== name || !isSo(asPod(stored.object))) return;
      stop();
      resolve(asPod(stored.object));
    });
  });
}

function run(allowProcesses: boolean, command: string, restartPolicy: string): Sandbox {
  const sandbox = openSandbox({ allowProcesses });
  const client = new InternalClient(sandbox.context, "test");
  client.create("/serviceaccounts", {
    kind: "ServiceAccount",
    apiVersion: "v1",
    metadata: { name: "default", namespace: "default" },
  });
  client.create("/pods", {
    kind: "Pod",
    apiVersion: "v1",
    metadata: {
      name: "p",
      namespace: "default",
      annotations: { "sandbox.keelson.dev/run": command },
    },
    spec: {
      restartPolicy,
      containers: [
        {
          name: "app",
          image: "a",
          ports: [{ containerPort: 8123 }],
          env: [{ name: "GREETING", value: "hello" }],
        },
      ],
    },
  });
  return sandbox;
}

function textOf(sandbox: Sandbox, { metadata }: Pod): readonly string[] {
  const lines = podLogStoreOf(sandbox.context).lines(metadata.uid ?? "", "app", false) ?? [];
  return lines.map(({ text }) => text);
}

describe("a container backed by a local process", () => {
  it("writes the process's output into its log and ends with its exit code", async () => {
    const sandbox = run(true, 'echo "$GREETING on $PORT"; exit 3', "Never");
    const pod = await until(sandbox, "p", ({ status }) => status?.phase === "Failed");
    expect(pod.status?.containerStatuses?.[0]?.state.terminated).toMatchObject({
      exitCode: 3,
      reason: "Error",
    });
    expect(textOf(sandbox, pod)).toEqual(["hello on 8123"]);
    sandbox.close();
  });

  it("is only simulated unless the sandbox allows processes", async () => {
    const sandbox = run(false, "exit 3", "Never");
    const pod = await until(sandbox, "p", ({ status }) => status?.phase === "Running");
    expect(textOf(sandbox, pod).join()).toContain("without --allow-processes");
    sandbox.close();
  });

  it("is stopped with everything it started", async () => {
    const code = await new Promise<number>((resolve) => {
      const child = startLocalContainer({
        command: "echo ready; sleep 600 & wait",
        environment: {},
        output: () => {
          child.stop();
        },
        exit: resolve,
      });
    });
    expect(code).toBe(143);
  });
});

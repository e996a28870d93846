import { connect as connectTcp } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import type { ObjectKind } from "../../src/cluster/index.ts";
import { kwokLogLines } from "./kwok-config.ts";
import { failureOf, useTestCluster } from "./test-cluster.ts";

const test = useTestCluster();
const pod = { name: "worker" };

beforeAll(async () => {
  // Admission lets pods in once their namespace has its service account.
  await until({ apiVersion: "v1", kind: "ServiceAccount" }, '"name":"default"');
  await test.cluster.create({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: pod.name },
    spec: { containers: [{ name: "main", image: "example" }] },
  });
  await until({ apiVersion: "v1", kind: "Pod" }, '"phase":"Running"');
});

async function until(kind: ObjectKind, text: string): Promise<void> {
  for await (const event of test.cluster.watch(kind, { namespace: test.namespace })) {
    if (JSON.stringify(event).includes(text)) return;
  }
}

describe("logs", () => {
  it("come line by line", async () => {
    const lines: string[] = [];
    for await (const line of test.cluster.logs(pod)) lines.push(line);
    expect(lines).toEqual(kwokLogLines);
  });

  it("can be cut to the last lines", async () => {
    const lines: string[] = [];
    for await (const line of test.cluster.logs(pod, { container: "main", tailLines: 1 }))
      lines.push(line);
    expect(lines).toEqual(kwokLogLines.slice(-1));
  });

  it("can be followed, and left", async () => {
    const lines: string[] = [];
    for await (const line of test.cluster.logs(pod, { follow: true })) {
      lines.push(line);
      if (lines.length === kwokLogLines.length) break;
    }
    expect(lines).toEqual(kwokLogLines);
  });

  it("name the pod that is missing", async () => {
    const first = test.cluster.logs({ name: "nobody" })[Symbol.asyncIterator]().next();
    expect(await failureOf(first)).toContain(
      `error[cluster.not-found]: cannot get pods/log ${test.namespace}/nobody: it does not exist`,
    );
  });
});

describe("exec", () => {
  async function exec(command: readonly string[], input?: string) {
    const out: Uint8Array[] = [];
    const err: Uint8Array[] = [];
    const exitCode = await test.cluster.exec(pod, {
      command,
      onStdout: (chunk) => out.push(chunk),
      onStderr: (chunk) => err.push(chunk),
      ...(input === undefined ? {} : { stdin: once(input) }),
    });
    const text = (chunks: readonly Uint8Array[]) => Buffer.concat(chunks).toString("utf8");
    return { exitCode, out: text(out), err: text(err) };
  }
  async function* once(input: string) {
    yield Buffer.from(input);
  }

  it("gives both outputs and the exit code", async () => {
    expect(await exec(["sh", "-c", "echo good; echo bad >&2"])).toEqual({
      exitCode: 0,
      out: "good\n",
      err: "bad\n",
    });
  });

  it("passes input on", async () => {
    // kwok does not pass on that the input has ended, so the command must end by itself.
    expect(await exec(["head", "-n", "1"], "first\nsecond\n")).toEqual({
      exitCode: 0,
      out: "first\n",
      err: "",
    });
  });

  it("says when the command cannot be run", async () => {
    expect(await failureOf(exec(["/no/such/command"]))).toContain(
      "error[cluster.exec]: cannot run /no/such/command in pod worker",
    );
  });

  it("says when the pod is missing", async () => {
    expect(await failureOf(test.cluster.exec({ name: "nobody" }, { command: ["true"] }))).toContain(
      `error[cluster.not-found]: cannot create pods/exec ${test.namespace}/nobody`,
    );
  });
});

describe("a port-forward", () => {
  it("carries several connections at once", async () => {
    const forward = await test.cluster.portForward(pod, { podPort: 80 });
    // The container sends back what it receives.
    const texts = ["one", "two", "three ".repeat(50_000)];
    expect(await Promise.all(texts.map((text) => echo(forward.localPort, text)))).toEqual(texts);
    await forward.close();
  });

  it("reports what cannot be forwarded and goes on", async () => {
    const troubles: unknown[] = [];
    const forward = await test.cluster.portForward(
      { name: "nobody" },
      { podPort: 80, onTrouble: (error) => troubles.push(error) },
    );
    expect(await echo(forward.localPort, "lost")).toBe("");
    expect(await failureOf(Promise.reject(troubles[0] as Error))).toContain(
      "error[cluster.not-found]",
    );
    await forward.close();
  });

  it("says when the local port is taken", async () => {
    const forward = await test.cluster.portForward(pod, { podPort: 80 });
    const again = test.cluster.portForward(pod, { podPort: 80, localPort: forward.localPort });
    expect(await failureOf(again)).toContain("error[cluster.port-forward]");
    await forward.close();
  });
});

/** Sends a text and gives what comes back, up to the same length. */
function echo(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = "";
    const socket = connectTcp(port, "127.0.0.1");
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      received += chunk;
      if (received.length >= text.length) socket.destroy();
    });
    // A connection that cannot be forwarded is cut off, with what was sent unread.
    socket.on("error", () => undefined);
    socket.on("close", () => {
      resolve(received);
    });
    socket.write(text);
  });
}

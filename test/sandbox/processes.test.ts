import type { ChildProcess } from "node:child_process";
import { createServer } from "node:net";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Cluster, clusterOver, connectTo } from "../../src/cluster/index.ts";
import { openSandbox } from "../../src/sandbox/create-sandbox.ts";
import { InProcessTransport } from "../../src/sandbox/in-process-transport.ts";
import { settingsOf } from "../cluster/test-settings.ts";
import { type CommandLine, openCommandLine } from "./command-line.ts";
import { running } from "./running.ts";

/** A server that greets by its environment and says which path it was asked for. */
const program = `
const { createServer } = require("node:http");
createServer((request, response) => response.end(process.env.GREETING + " " + request.url))
  .listen(Number(process.env.PORT), "127.0.0.1", () => console.log("listening"));
process.stdin.on("data", (line) => console.log("read " + line.toString().trim()));
`;

let files: string;
let port: number;
let terminal: CommandLine;
let cluster: Cluster;

beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), "keelson-processes-"));
  await writeFile(join(files, "server.cjs"), program);
  port = await freePort();
  terminal = await openCommandLine({ allowProcesses: true });
  cluster = connectTo(await settingsOf(join(terminal.folder, "kubeconfig")), {
    namespace: "default",
  });
  await terminal.file("pods.yaml", `${podYaml("web", port)}---\n${simulated}`);
  await terminal.run("kubectl apply -f pods.yaml");
  await terminal.run("kubectl wait --for=condition=Ready pod/web pod/simulated");
  for await (const line of cluster.logs({ name: "web" }, { follow: true })) {
    if (line === "listening") break;
  }
});

afterAll(async () => {
  await cluster.close();
  await terminal.close();
  await rm(files, { recursive: true });
});

function podYaml(name: string, containerPort: number): string {
  return `
apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  annotations: {sandbox.keelson.dev/run: '"${process.execPath}" "${join(files, "server.cjs")}"'}
spec:
  terminationGracePeriodSeconds: 1
  containers:
  - name: app
    image: web
    stdin: true
    ports: [{containerPort: ${containerPort}}]
    env: [{name: GREETING, value: hello from}]
`;
}

const simulated = `
apiVersion: v1
kind: Pod
metadata: {name: simulated}
spec: {containers: [{name: app, image: web}]}
`;

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port: free } = server.address() as { readonly port: number };
      server.close(() => {
        resolve(free);
      });
    });
  });
}

async function firstLine({ stdout }: ChildProcess, wanted: RegExp): Promise<string> {
  if (stdout === null) throw new Error("there is no output");
  for await (const line of createInterface({ input: stdout })) if (wanted.test(line)) return line;
  throw new Error(`nothing like ${wanted} was printed`);
}

/** Both ways in which kubectl has spoken to pods. */
const protocols = [
  ["WebSocket", {}],
  [
    "SPDY",
    { KUBECTL_REMOTE_COMMAND_WEBSOCKETS: "false", KUBECTL_PORT_FORWARD_WEBSOCKETS: "false" },
  ],
] as const;

describe.each(protocols)("kubectl by %s", (_name, env) => {
  test.each([
    [
      "exec web -- sh -c 'echo $GREETING; echo trouble >&2; exit 3'",
      "",
      "hello from\ntrouble\ncommand terminated with exit code 3\n(exit 3)\n",
    ],
    ["exec web -- true", "", ""],
    ["exec -i web -c app -- cat", "one\ntwo\n", "one\ntwo\n"],
    [
      "exec web -- no-such-program",
      "",
      "cannot run no-such-program: spawn no-such-program ENOENT\ncommand terminated with exit code 127\n(exit 127)\n",
    ],
    [
      "exec web -c other -- true",
      "",
      "error: container other is not valid for pod web out of: app\n(exit 1)\n",
    ],
  ])("%s", async (command, input, expected) => {
    expect(await terminal.run(`kubectl ${command}`, { input, env })).toBe(expected);
  });

  test("exec carries more than fits into one message", async () => {
    const text = await terminal.run("kubectl exec -i web -- cat", {
      input: "0123456789abcdef".repeat(65_536),
      env,
    });
    expect(text.length).toBe(1024 * 1024);
  });
});

describe("kubectl", () => {
  test.each(protocols)("port-forward by %s", async (_name, env) => {
    const forward = terminal.start(`kubectl port-forward pod/web :${port}`, env);
    try {
      const line = await firstLine(forward, /Forwarding from 127/);
      const local = /127\.0\.0\.1:(\d+)/.exec(line)?.[1] ?? "";
      const texts = await Promise.all(
        ["/a", "/b", "/c"].map(async (path) =>
          (await fetch(`http://127.0.0.1:${local}${path}`)).text(),
        ),
      );
      expect(texts).toEqual(["hello from /a", "hello from /b", "hello from /c"]);
    } finally {
      forward.kill();
    }
  });

  test("port-forward to a port that the container does not declare", async () => {
    const forward = terminal.start("kubectl port-forward pod/web :1");
    try {
      const local = /127\.0\.0\.1:(\d+)/.exec(await firstLine(forward, /Forwarding from 127/))?.[1];
      const failure = fetch(`http://127.0.0.1:${local}/`).catch(() => "refused");
      const { stderr } = forward;
      let said = "";
      for await (const chunk of stderr ?? []) {
        said += String(chunk);
        if (said.includes("\n")) break;
      }
      expect(said).toContain(`the container declares no port 1 (it declares ${port})`);
      expect(await failure).toBe("refused");
    } finally {
      forward.kill();
    }
  });

  test("attach shows what the process writes and sends it what is typed", async () => {
    const attached = terminal.start("kubectl attach -i web");
    attached.stdin?.write("something typed\n");
    try {
      expect(await firstLine(attached, /^read/)).toBe("read something typed");
    } finally {
      attached.kill();
    }
  });

  test("cp copies to and from the folder in which the process runs", async () => {
    await terminal.file("sent.txt", "carried\n");
    await terminal.run(`kubectl cp sent.txt "web:${files}/there.txt"`);
    expect(await readFile(join(files, "there.txt"), "utf8")).toBe("carried\n");
    await terminal.run(`kubectl cp "web:${files}/there.txt" back.txt`);
    expect(await readFile(join(terminal.folder, "back.txt"), "utf8")).toBe("carried\n");
  });

  test.each(["exec simulated -- true", "attach simulated", "port-forward pod/simulated :80"])(
    "%s is refused: nothing runs there",
    async (command) => {
      expect(await terminal.run(`kubectl ${command}`)).toContain(
        "the containers of the sandbox are simulated",
      );
    },
  );

  test("a user who may only get pods/exec cannot open a WebSocket", async () => {
    await terminal.run("kubectl create clusterrole looker --verb=get --resource=pods,pods/exec");
    await terminal.run("kubectl create clusterrolebinding looker --clusterrole=looker --user=ann");
    expect(await terminal.run("kubectl exec web --as=ann -- true")).toContain(
      'User "ann" cannot create resource "pods/exec"',
    );
  });
});

describe("the client of this package", () => {
  test("runs commands, with input and exit code", async () => {
    let out = "";
    const code = await cluster.exec(
      { name: "web" },
      {
        command: ["sh", "-c", "cat; exit 4"],
        stdin: input("typed"),
        onStdout: (chunk) => (out += Buffer.from(chunk).toString()),
      },
    );
    expect({ code, out }).toEqual({ code: 4, out: "typed" });
  });

  test("gets what is written to both outputs as one when it asks for a terminal", async () => {
    let out = "";
    await cluster.exec(
      { name: "web" },
      {
        command: ["sh", "-c", "echo out; echo err >&2"],
        tty: true,
        onStdout: (chunk) => (out += Buffer.from(chunk).toString()),
      },
    );
    expect(out.split("\n").toSorted()).toEqual(["", "err", "out"]);
  });

  test("forwards ports, and says why one cannot be reached", async () => {
    const forward = await cluster.portForward({ name: "web" }, { podPort: port });
    const response = await fetch(`http://127.0.0.1:${forward.localPort}/x`);
    expect(await response.text()).toBe("hello from /x");
    await forward.close();
    const told = Promise.withResolvers<unknown>();
    const wrong = await cluster.portForward(
      { name: "web" },
      { podPort: 2, onTrouble: told.resolve },
    );
    await fetch(`http://127.0.0.1:${wrong.localPort}/`).catch(() => undefined);
    expect(String(await told.promise)).toContain("cannot forward to port 2 of pod web");
    await wrong.close();
  });

  test("does the same without a connection", async () => {
    const sandbox = openSandbox({ allowProcesses: true });
    const inside = clusterOver(new InProcessTransport(sandbox), { namespace: "default" });
    try {
      const own = await freePort();
      await inside.create({
        apiVersion: "v1",
        kind: "Pod",
        metadata: {
          name: "inside",
          namespace: "default",
          annotations: {
            "sandbox.keelson.dev/run": `"${process.execPath}" "${join(files, "server.cjs")}"`,
          },
        },
        spec: {
          containers: [
            {
              name: "app",
              image: "web",
              ports: [{ containerPort: own }],
              env: [{ name: "GREETING", value: "in here" }],
            },
          ],
        },
      });
      await running(inside, "inside");
      for await (const line of inside.logs({ name: "inside" }, { follow: true })) {
        if (line === "listening") break;
      }
      const forward = await inside.portForward({ name: "inside" }, { podPort: own });
      const response = await fetch(`http://127.0.0.1:${forward.localPort}/y`);
      expect(await response.text()).toBe("in here /y");
      await forward.close();
      expect(await inside.exec({ name: "inside" }, { command: ["false"] })).toBe(1);
    } finally {
      await inside.close();
    }
  });
});

async function* input(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

test("what runs beside a process ends with its pod, and so does the process", async () => {
  const own = await freePort();
  await terminal.file("gone.yaml", podYaml("gone", own));
  await terminal.run("kubectl apply -f gone.yaml");
  await terminal.run("kubectl wait --for=condition=Ready pod/gone");
  const waiting = terminal.start("kubectl exec gone -- sh -c 'echo begun; exec sleep 600'");
  const ended = new Promise((resolve) => waiting.once("exit", resolve));
  await firstLine(waiting, /begun/);
  await terminal.run("kubectl delete pod gone");
  expect(await ended).toBe(143);
  await expect(fetch(`http://127.0.0.1:${own}/`)).rejects.toThrow("fetch failed");
});

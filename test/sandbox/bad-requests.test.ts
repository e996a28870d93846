import { connect as connectHttp2 } from "node:http2";
import { connect as connectTls } from "node:tls";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CreatedSandbox, createSandbox } from "../../src/sandbox/index.ts";
import { connectTarget, type Target } from "../conformance/target.ts";

let sandbox: CreatedSandbox;
let target: Target;
beforeAll(async () => {
  sandbox = await createSandbox();
  target = connectTarget(sandbox.kubeconfig);
});
afterAll(async () => {
  target.close();
  await sandbox.close();
});

const maps = "/api/v1/namespaces/default/configmaps";
const json = { "content-type": "application/json" };

async function isAlive(): Promise<boolean> {
  return (
    (await target.send({ method: "GET", path: "/api/v1/namespaces/default", headers: {} }))
      .status === 200
  );
}

describe("requests that nobody should send", () => {
  it("10 MB objects are too large", async () => {
    const body = JSON.stringify({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "large" },
      data: { x: "x".repeat(10 * 1024 * 1024) },
    });
    const { status, text } = await target.send({ method: "POST", path: maps, headers: json, body });
    expect([status, (JSON.parse(text) as { reason: string }).reason]).toEqual([
      413,
      "RequestEntityTooLarge",
    ]);
  });

  it("deep nesting is refused or stored, but never crashes", async () => {
    for (const depth of [1_000, 100_000]) {
      const deep = `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
      const body = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"deep"},"data":${deep}}`;
      const { status } = await target.send({ method: "POST", path: maps, headers: json, body });
      expect(status).toBeGreaterThanOrEqual(400);
      const yaml = await target.send({
        method: "POST",
        path: maps,
        headers: { "content-type": "application/yaml" },
        body: `${"[".repeat(depth)}${"]".repeat(depth)}`,
      });
      expect(yaml.status).toBeGreaterThanOrEqual(400);
    }
    expect(await isAlive()).toBe(true);
  });

  it("requests without a token, or with a wrong one", async () => {
    const { status, text } = await target.send({
      method: "GET",
      path: maps,
      headers: { authorization: "Bearer wrong" },
    });
    expect([status, (JSON.parse(text) as { reason: string }).reason]).toEqual([
      401,
      "Unauthorized",
    ]);
  });

  it("another host, as a page that rebinds its name would send it", async () => {
    const session = connectHttp2(sandbox.url, { rejectUnauthorized: false });
    const stream = session.request({ ":path": maps, ":authority": "evil.example.com" });
    const status = await new Promise((resolve) => {
      stream.on("response", (headers) => {
        resolve(headers[":status"]);
      });
    });
    session.destroy();
    expect(status).toBe(400);
  });

  it("connections that end in the middle", async () => {
    const { port } = new URL(sandbox.url);
    for (const text of [
      "",
      "GET / HT",
      `POST ${maps} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{`,
      "\u0000\u0001\u0002",
    ]) {
      await new Promise<void>((resolve) => {
        const socket = connectTls(
          {
            port: Number(port),
            host: "127.0.0.1",
            rejectUnauthorized: false,
            ALPNProtocols: ["http/1.1"],
          },
          () => {
            socket.end(text);
            setTimeout(() => socket.destroy(), 20);
          },
        );
        socket.on("close", () => {
          resolve();
        });
        socket.on("error", () => {
          resolve();
        });
      });
    }
    expect(await isAlive()).toBe(true);
  });

  it("anything at all, as method, path and body", { timeout: 60_000 }, async () => {
    const word = fc.constantFrom(
      "api",
      "apis",
      "v1",
      "apps",
      "namespaces",
      "default",
      "configmaps",
      "pods",
      "status",
      "scale",
      "x",
      "%",
      "..",
      "",
      "a?watch=x",
      "nodes",
      "deployments",
      "%2F",
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
        fc.array(word, { maxLength: 7 }),
        fc.oneof(fc.json(), fc.string(), fc.constant("")),
        fc.constantFrom(
          "application/json",
          "application/yaml",
          "application/merge-patch+json",
          "application/json-patch+json",
          "application/apply-patch+yaml",
          "application/strategic-merge-patch+json",
          "text/plain",
          "",
        ),
        async (method, words, body, contentType) => {
          const path = `/${words.join("/")}`;
          // A watch would not end; everything else must.
          const { status, text } = await target.send({
            method,
            path: `${path}${path.includes("?") ? "&" : "?"}fieldManager=f`,
            headers: { "content-type": contentType },
            body,
          });
          expect(status).toBeGreaterThanOrEqual(200);
          expect(status, `${method} ${path} ${body}: ${text}`).not.toBe(500);
        },
      ),
      { numRuns: 400 },
    );
    expect(await isAlive()).toBe(true);
  });
});

it("serves 1,000 watches at once", { timeout: 60_000 }, async () => {
  const ca = Buffer.from(
    /certificate-authority-data: (\S+)/.exec(sandbox.kubeconfig)?.[1] ?? "",
    "base64",
  );
  const authorization = `Bearer ${/token: (\S+)/.exec(sandbox.kubeconfig)?.[1] ?? ""}`;
  const sessions = Array.from({ length: 10 }, () => connectHttp2(sandbox.url, { ca }));
  let events = 0;
  const opened = sessions.flatMap((session) =>
    Array.from({ length: 100 }, () => {
      const stream = session.request({
        ":path": "/api/v1/namespaces/default/secrets?watch=true",
        authorization,
      });
      stream.setEncoding("utf8");
      stream.on("data", (text: string) => (events += text.split("\n").length - 1));
      return new Promise<void>((resolve) => stream.on("response", () => resolve()));
    }),
  );
  await Promise.all(opened);
  await target.send({
    method: "POST",
    path: "/api/v1/namespaces/default/secrets",
    headers: json,
    body: '{"apiVersion":"v1","kind":"Secret","metadata":{"name":"s"}}',
  });
  await expect.poll(() => events).toBe(1_000);
  for (const session of sessions) session.destroy();
  expect(await isAlive()).toBe(true);
});

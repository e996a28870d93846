import { createServer, connect as connectTo, type AddressInfo, type Socket } from "node:net";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { serveInMemory, type ServedSandbox } from "../../src/sandbox/serve-sandbox.ts";
import { type Ran, runKeelson } from "../cli/run-keelson.ts";
import { configMap, group } from "../live/live-world.ts";

/** Hands bytes on between a client and the server, and cuts connections in the middle of answers. */
class CuttingProxy {
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => {
    const upstream = connectTo(this.#port, "127.0.0.1");
    for (const socket of [client, upstream]) {
      this.#sockets.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => this.#sockets.delete(socket));
    }
    const cut = (): void => {
      client.destroy();
      upstream.destroy();
    };
    client.on("data", (bytes) => upstream.write(bytes));
    client.on("close", cut);
    upstream.on("close", cut);
    upstream.on("data", (bytes) => {
      this.pieces++;
      if (!this.isCut(this.pieces)) client.write(bytes);
      else client.write(bytes.subarray(0, bytes.length / 2), cut);
    });
  });
  readonly #port: number;
  /** How many pieces have come from the server. */
  pieces = 0;
  isCut: (piece: number) => boolean = () => false;

  constructor(port: number) {
    this.#port = port;
  }

  listen(): Promise<number> {
    return new Promise((resolve) => {
      this.#server.listen(0, "127.0.0.1", () => {
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

describe("connections that are cut in the middle of an answer, over TLS", () => {
  const folder = mkdtempSync(join(tmpdir(), "keelson-cut-"));
  let served: ServedSandbox;
  let proxy: CuttingProxy;
  let kubeconfig: string;
  beforeEach(async () => {
    served = await serveInMemory();
    proxy = new CuttingProxy(served.port);
    kubeconfig = join(folder, "kubeconfig");
    const port = await proxy.listen();
    writeFileSync(kubeconfig, served.kubeconfig.replaceAll(`:${served.port}`, `:${port}`));
  });
  afterEach(async () => {
    await proxy.close();
    await served.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const apply = (input: string): Promise<Ran> =>
    runKeelson(["live", "apply", "-", "--kubeconfig", kubeconfig], {
      stdin: input,
      env: { HOME: folder },
      workingDirectory: folder,
    });

  it("are made again, and the run ends well", { timeout: 120_000 }, async () => {
    const text = group("cut") + ["a", "b", "c"].map((name) => configMap(name)).join("");
    // Handshakes need a few pieces; then every ninth is cut.
    proxy.isCut = (piece) => piece % 9 === 0;
    await apply(text);
    proxy.isCut = () => false;
    // A run that could not give its Lease back: this very process has it.
    served.sandbox.context.store.delete("coordination.k8s.io/leases", "default", "cut");
    expect((await apply(text)).code).toBe(0);
    expect((await apply(text)).stdout).toContain("3 unchanged\n");
    expect(proxy.pieces).toBeGreaterThan(9);
  });
});

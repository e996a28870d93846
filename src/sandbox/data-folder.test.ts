import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { referenceTo } from "../cluster/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import { defaultDataFolder } from "./data-folder.ts";
import { openSandboxCluster } from "./open-sandbox-cluster.ts";
import { serveSandbox } from "./serve-sandbox.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "keelson-data-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof DiagnosticError) return error.diagnostics[0]?.code;
    throw error;
  }
}

const configMap = (
  name: string,
): { apiVersion: string; kind: string; metadata: { name: string; namespace: string } } => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default" },
});

describe("the data folder", () => {
  it("is the user's own, decided by HOME and XDG_STATE_HOME", () => {
    expect(defaultDataFolder({ HOME: "/home/a" })).toBe("/home/a/.local/state/keelson/sandbox");
    expect(defaultDataFolder({ HOME: "/home/a", XDG_STATE_HOME: "/s" })).toBe("/s/keelson/sandbox");
  });

  it("keeps objects, revision, token, certificate and port", async () => {
    const first = await serveSandbox({ folder });
    const before = await openSandboxCluster(folder);
    expect(before.url).toBe(first.url);
    await before.cluster.create(configMap("a"));
    await before.cluster.close();
    await first.close();
    const second = await serveSandbox({ folder });
    expect(second.kubeconfig).toBe(first.kubeconfig);
    const after = await openSandboxCluster(folder);
    expect(await after.cluster.find(referenceTo(configMap("a")))).toMatchObject({
      metadata: { name: "a" },
    });
    await after.cluster.close();
    await second.close();
  });

  it("is opened in this process when nobody serves it", async () => {
    const { cluster, url } = await openSandboxCluster(folder);
    expect(url).toBeUndefined();
    await cluster.create(configMap("a"));
    const events: string[] = [];
    for await (const event of cluster.watch(
      { apiVersion: "v1", kind: "ConfigMap" },
      { namespace: "default" },
    )) {
      events.push(event.kind);
      break;
    }
    expect(events).toEqual(["snapshot"]);
    await cluster.close();
    const again = await openSandboxCluster(folder);
    expect(await again.cluster.find(referenceTo(configMap("a")))).toBeDefined();
    await again.cluster.close();
  });

  it("begins afresh and keeps the old objects aside", async () => {
    const first = await openSandboxCluster(folder);
    await first.cluster.create(configMap("a"));
    await first.cluster.close();
    const served = await serveSandbox({ folder, fresh: true });
    expect(served.setAside).toContain("objects.sqlite.");
    const { cluster } = await openSandboxCluster(folder);
    expect(await cluster.find(referenceTo(configMap("a")))).toBeUndefined();
    await cluster.close();
    await served.close();
  });

  it("is refused where it cannot be used", async () => {
    writeFileSync(join(folder, "file"), "");
    expect(await codeOf(serveSandbox({ folder: join(folder, "file", "below") }))).toBe(
      "sandbox.data-unusable",
    );
    const damaged = join(folder, "damaged");
    mkdirSync(damaged);
    writeFileSync(
      join(damaged, "objects.sqlite"),
      "this is no database at all, but long enough to be looked at".repeat(20),
    );
    expect(await codeOf(serveSandbox({ folder: damaged }))).toBe("sandbox.data-damaged");
    const newer = join(folder, "newer");
    mkdirSync(newer);
    const database = new DatabaseSync(join(newer, "objects.sqlite"));
    database.exec("PRAGMA user_version = 99");
    database.close();
    expect(await codeOf(serveSandbox({ folder: newer }))).toBe("sandbox.data-newer");
  });

  it("says when its port is taken", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    expect(await codeOf(serveSandbox({ folder, port }))).toBe("sandbox.port-taken");
    await new Promise((resolve) => server.close(resolve));
  });
});

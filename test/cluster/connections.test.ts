/** What needs a control plane of its own: its certificates, and its API server going down. */
import { execFile } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer as createProxy } from "node:http";
import { createSecureServer } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { connect as connectTcp } from "node:net";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Cluster,
  type ConnectionSettings,
  connectTo,
  selectCluster,
} from "../../src/cluster/index.ts";
import { fixedCredentials } from "../../src/cluster/credentials/credentials.ts";
import { type ControlPlane, startControlPlane } from "./control-plane.ts";
import { configMap, configMapKind, failureOf } from "./test-cluster.ts";
import { patienceMs } from "../patience.ts";
import { settingsOf } from "./test-settings.ts";

let controlPlane: ControlPlane;
let settings: ConnectionSettings;
let folder: string;
const open: Cluster[] = [];

beforeAll(async () => {
  controlPlane = await startControlPlane({ controllers: false });
  settings = await settingsOf(controlPlane.kubeconfig);
  folder = await mkdtemp(join(tmpdir(), "keelson-connections-"));
});
afterAll(async () => {
  await Promise.all(open.map((cluster) => cluster.close()));
  await controlPlane.stop();
  await rm(folder, { recursive: true, force: true });
});

function client(changes: Partial<ConnectionSettings> = {}): Cluster {
  const cluster = connectTo({ ...settings, ...changes });
  open.push(cluster);
  return cluster;
}

describe("certificates", () => {
  it("are checked against the authority of the context", async () => {
    expect(await failureOf(client({ certificateAuthority: undefined }).version())).toContain(
      `error[cluster.certificate]: cannot connect to ${controlPlane.server}: its certificate comes from an authority that is not trusted`,
    );
    expect(
      await client({ certificateAuthority: undefined, skipTlsVerify: true }).version(),
    ).toMatchObject({ major: "1" });
  });

  it("are checked for the name that is asked for", async () => {
    expect(await failureOf(client({ tlsServerName: "example.com" }).version())).toContain(
      "its certificate is for another host name",
    );
    expect(await client({ tlsServerName: "kubernetes" }).version()).toMatchObject({ major: "1" });
  });

  it("can prove who the client is, over HTTP/2 and HTTP/1.1", async () => {
    const certificate = await readFile(
      join(controlPlane.folder, "certificates", "apiserver.crt"),
      "utf8",
    );
    const key = await readFile(join(controlPlane.folder, "certificates", "apiserver.key"), "utf8");
    const tls = { cert: certificate, key, requestCert: true, rejectUnauthorized: false };
    const answer = (socket: TLSSocket) =>
      JSON.stringify({
        major: "1",
        minor: "36",
        gitVersion: socket.getPeerX509Certificate()?.subject ?? "nobody",
      });
    const http2 = createSecureServer(tls, (request, response) =>
      response.end(answer(request.stream.session?.socket as TLSSocket)),
    );
    const http1 = createHttpsServer(tls, (request, response) =>
      response.end(answer(request.socket as TLSSocket)),
    );
    for (const server of [http2, http1]) {
      const address = await listening(server);
      const reach = (withCertificate: boolean) =>
        client({
          server: `https://${address}`,
          credentials: fixedCredentials(
            withCertificate ? { certificate: { certificate, key } } : {},
          ),
        });
      expect((await reach(true).version()).gitVersion).toMatch(/^CN=/);
      expect((await reach(false).version()).gitVersion).toBe("nobody");
    }
    await Promise.all(open.splice(0).map((cluster) => cluster.close()));
    http2.close();
    http1.close();
  });
});

describe("proxies", () => {
  it("carry connections to the real server", async () => {
    const targets: string[] = [];
    const proxy = createProxy();
    proxy.on("connect", (request, socket) => {
      targets.push(request.url ?? "");
      const [host, port] = (request.url ?? "").split(":");
      const onward = connectTcp(Number(port), host, () => {
        socket.write("HTTP/1.1 200 OK\r\n\r\n");
        onward.pipe(socket).pipe(onward);
      });
      onward.on("error", () => socket.destroy());
      socket.on("error", () => onward.destroy());
    });
    const cluster = client({ proxyUrl: `http://${await listening(proxy)}` });
    expect(await cluster.version()).toMatchObject({ major: "1" });
    expect(targets).toEqual([new URL(controlPlane.server).host]);
    await cluster.close();
    proxy.close();
  });
});

describe("credentials", () => {
  it("come from a plugin, which is run again when the server refuses them", async () => {
    const plugin = join(folder, "plugin.sh");
    const token = join(folder, "token");
    const runs = join(folder, "runs");
    await writeFile(
      plugin,
      `#!/bin/sh
echo "$KUBERNETES_EXEC_INFO" >> '${runs}'
printf '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"%s"}}' "$(cat '${token}')"
`,
    );
    await chmod(plugin, 0o755);
    const kubeconfig = join(folder, "plugin.kubeconfig");
    const text = await readFile(controlPlane.kubeconfig, "utf8");
    await writeFile(
      kubeconfig,
      text.replace(
        /    token: .*/,
        `    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: ./plugin.sh
      interactiveMode: Never
      provideClusterInfo: true`,
      ),
    );
    const cluster = client(await settingsOf(kubeconfig));

    await writeFile(token, "not valid");
    expect(await failureOf(cluster.list(configMapKind))).toContain("error[cluster.unauthorized]");
    await writeFile(token, controlPlane.token);
    const lists = await Promise.all(Array.from({ length: 20 }, () => cluster.list(configMapKind)));
    expect(lists).toHaveLength(20);

    const asked = (await readFile(runs, "utf8")).trim().split("\n");
    // First, after its refusal, and once for twenty requests that were refused together.
    expect(asked).toHaveLength(3);
    expect(JSON.parse(asked[0] ?? "")).toMatchObject({
      kind: "ExecCredential",
      spec: { interactive: false, cluster: { server: controlPlane.server } },
    });
  });

  it("come from a file that somebody renews", async () => {
    const serviceAccountFolder = await mkdtemp(join(folder, "account-"));
    const { hostname, port } = new URL(controlPlane.server);
    await writeFile(join(serviceAccountFolder, "token"), "expired");
    await writeFile(join(serviceAccountFolder, "ca.crt"), controlPlane.certificateAuthority);
    await writeFile(join(serviceAccountFolder, "namespace"), "kube-system");
    const selection = await selectCluster({
      env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
      home: folder,
      serviceAccountFolder,
    });
    expect(selection).toMatchObject({
      context: "in-cluster",
      namespace: "kube-system",
      origin: { kind: "in-cluster" },
    });
    const cluster = client(selection?.settings);
    expect(await failureOf(cluster.list(configMapKind))).toContain("error[cluster.unauthorized]");
    await writeFile(join(serviceAccountFolder, "token"), controlPlane.token);
    expect((await cluster.list(configMapKind)).resourceVersion).not.toBe("");
  });
});

describe("a restart of the API server", () => {
  it("is outlived by watches, views and requests", async () => {
    const cluster = client();
    const troubles: unknown[] = [];
    const copy = cluster.view.use(configMapKind, {
      namespace: "default",
      onTrouble: (error) => troubles.push(error),
    });
    await copy.synced;
    const seen: string[] = [];
    copy.subscribe(({ kind, object }) => seen.push(`${kind} ${object.metadata.name ?? ""}`));
    await cluster.create(configMap("before", { a: "1" }));
    await cluster.create(configMap("removed", {}));
    await expect.poll(() => seen).toEqual(["added before", "added removed"]);
    const { resourceVersion } = await cluster.list(configMapKind);

    const restarted = controlPlane.restartApiServer();
    // Sent while nothing listens: it waits for the server instead of failing.
    const during = cluster.apply(configMap("during", { b: "2" }), { fieldManager: "test" });
    await restarted;
    await during;
    const other = client();
    await other.delete({ ...configMapKind, name: "removed" });
    await other.patch({ ...configMapKind, name: "before" }, "merge", { data: { a: "2" } });

    await expect
      .poll(() => [...seen].sort(), { timeout: 60_000 })
      .toEqual([
        "added before",
        "added during",
        "added removed",
        "deleted removed",
        "updated before",
      ]);
    copy.release();

    // A server knows no changes from before it started: the watch begins anew.
    await controlPlane.restartApiServer();
    for await (const event of cluster.watch(configMapKind, {
      namespace: "default",
      resourceVersion,
    })) {
      expect(event).toMatchObject({
        kind: "snapshot",
        objects: [{ metadata: { name: "before" } }, { metadata: { name: "during" } }],
      });
      break;
    }
  });
});

describe("a process", () => {
  it("ends by itself after close", async () => {
    const source = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
    const program = `
      import { connectTo } from ${source("../../src/cluster/index.ts")};
      import { settingsOf } from ${source("./test-settings.ts")};
      const cluster = connectTo(await settingsOf(${JSON.stringify(controlPlane.kubeconfig)}));
      await cluster.view.use({ apiVersion: "v1", kind: "Namespace" }).synced;
      await Promise.all(Array.from({ length: 60 }, () => cluster.version()));
      await cluster.close();
      console.log("closed");`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", program],
      { timeout: patienceMs },
    );
    expect(stdout).toBe("closed\n");
  });
});

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

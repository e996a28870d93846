/** A real Kubernetes control plane on loopback: etcd, API server, controllers, scheduler, kwok. */
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type Binaries, ensureBinaries } from "./binaries.ts";
import { freePorts } from "./free-ports.ts";
import { kwokConfig } from "./kwok-config.ts";
import { ProcessGroup, type RunningProcess } from "./process-group.ts";

export interface ControlPlane {
  readonly kubeconfig: string;
  readonly server: string;
  readonly token: string;
  readonly certificateAuthority: string;
  /** The folder of its data and logs; gone after `stop`. */
  readonly folder: string;
  /** Ends the API server as a crash would and starts it again on the same port. */
  readonly restartApiServer: (options?: { readonly downMs?: number }) => Promise<void>;
  readonly stop: () => Promise<void>;
}

export interface ControlPlaneOptions {
  readonly report?: (line: string) => void;
  /** How many kwok nodes run the pods. */
  readonly nodes?: number;
  /** Without them only etcd and the API server run: enough to test the API itself. */
  readonly controllers?: boolean;
}

const readyWithinMs = 90_000;

export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const binaries = await ensureBinaries(options.report ?? (() => {}));
  const folder = await mkdtemp(join(tmpdir(), "keelson-control-plane-"));
  const group = new ProcessGroup(folder);
  try {
    return await start(binaries, folder, group, options);
  } catch (error) {
    await group.stop();
    throw error;
  }
}

async function start(
  binaries: Binaries,
  folder: string,
  group: ProcessGroup,
  { nodes = 2, controllers = true }: ControlPlaneOptions,
): Promise<ControlPlane> {
  const [
    etcdPort = 0,
    peerPort = 0,
    apiPort = 0,
    managerPort = 0,
    schedulerPort = 0,
    kwokPort = 0,
  ] = await freePorts(6);
  const etcd = `http://127.0.0.1:${etcdPort}`;
  const token = randomBytes(16).toString("hex");
  await writeKeys(folder, token);

  group.start("etcd", binaries.etcd, [
    `--data-dir=${join(folder, "etcd")}`,
    `--listen-client-urls=${etcd}`,
    `--advertise-client-urls=${etcd}`,
    `--listen-peer-urls=http://127.0.0.1:${peerPort}`,
    "--unsafe-no-fsync=true",
    "--log-level=error",
    "--quota-backend-bytes=4294967296",
  ]);
  const startApiServer = (): RunningProcess =>
    group.start("kube-apiserver", binaries.apiServer, apiServerArguments(folder, etcd, apiPort));
  let apiServer = startApiServer();
  const server = `https://127.0.0.1:${apiPort}`;
  const ready = (): Promise<void> => waitUntilReady(server, token, apiServer);
  await ready();

  const certificateAuthority = await readFile(
    join(folder, "certificates", "apiserver.crt"),
    "utf8",
  );
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, kubeconfigText(server, certificateAuthority, token), { mode: 0o600 });

  if (controllers) {
    group.start("kube-controller-manager", binaries.controllerManager, [
      `--kubeconfig=${kubeconfig}`,
      `--secure-port=${managerPort}`,
      "--bind-address=127.0.0.1",
      "--leader-elect=false",
      "--use-service-account-credentials=false",
      `--service-account-private-key-file=${join(folder, "service-account.key")}`,
      `--root-ca-file=${join(folder, "certificates", "apiserver.crt")}`,
      "--concurrent-gc-syncs=20",
      "--kube-api-qps=500",
      "--kube-api-burst=1000",
    ]);
    group.start("kube-scheduler", binaries.scheduler, [
      `--kubeconfig=${kubeconfig}`,
      `--secure-port=${schedulerPort}`,
      "--bind-address=127.0.0.1",
      "--leader-elect=false",
      "--kube-api-qps=500",
      "--kube-api-burst=1000",
    ]);
    const config = join(folder, "kwok.yaml");
    await writeFile(config, await kwokConfig(folder));
    group.start("kwok", binaries.kwok, [
      `--kubeconfig=${kubeconfig}`,
      `--config=${config},${binaries.kwokStages}`,
      "--manage-all-nodes",
      "--node-ip=127.0.0.1",
      `--node-port=${kwokPort}`,
      `--server-address=127.0.0.1:${kwokPort}`,
      `--tls-cert-file=${join(folder, "certificates", "apiserver.crt")}`,
      `--tls-private-key-file=${join(folder, "certificates", "apiserver.key")}`,
      "--node-lease-duration-seconds=40",
    ]);
    for (let index = 0; index < nodes; index++) await createNode(server, token, `node-${index}`);
    await waitForDefaultServiceAccount(server, token);
  }

  return {
    kubeconfig,
    server,
    token,
    certificateAuthority,
    folder,
    restartApiServer: async ({ downMs = 0 } = {}) => {
      await apiServer.stop("SIGKILL");
      await pause(downMs);
      apiServer = startApiServer();
      await ready();
    },
    stop: () => group.stop(),
  };
}

async function writeKeys(folder: string, token: string): Promise<void> {
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  await Promise.all([
    writeFile(
      join(folder, "service-account.key"),
      privateKey.export({ type: "pkcs1", format: "pem" }),
      { mode: 0o600 },
    ),
    writeFile(
      join(folder, "service-account.pub"),
      publicKey.export({ type: "spki", format: "pem" }),
    ),
    writeFile(join(folder, "tokens.csv"), `${token},admin,admin,system:masters\n`, { mode: 0o600 }),
  ]);
}

function apiServerArguments(folder: string, etcd: string, port: number): readonly string[] {
  return [
    `--etcd-servers=${etcd}`,
    "--bind-address=127.0.0.1",
    "--advertise-address=127.0.0.1",
    `--secure-port=${port}`,
    `--cert-dir=${join(folder, "certificates")}`,
    `--token-auth-file=${join(folder, "tokens.csv")}`,
    "--authorization-mode=RBAC",
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${join(folder, "service-account.pub")}`,
    `--service-account-signing-key-file=${join(folder, "service-account.key")}`,
    "--service-cluster-ip-range=10.96.0.0/16",
    "--endpoint-reconciler-type=none",
    "--kubelet-preferred-address-types=InternalIP",
    "--max-requests-inflight=2000",
    "--max-mutating-requests-inflight=1000",
    "--allow-privileged=true",
    "--v=1",
  ];
}

function kubeconfigText(server: string, certificate: string, token: string): string {
  return `apiVersion: v1
kind: Config
current-context: keelson-test
clusters:
- name: keelson-test
  cluster:
    server: ${server}
    certificate-authority-data: ${Buffer.from(certificate).toString("base64")}
contexts:
- name: keelson-test
  context:
    cluster: keelson-test
    user: admin
    namespace: default
users:
- name: admin
  user:
    token: ${token}
`;
}

async function waitUntilReady(
  server: string,
  token: string,
  apiServer: RunningProcess,
): Promise<void> {
  const started = Date.now();
  while (Date.now() - started < readyWithinMs) {
    if (apiServer.ended()) throw new Error(`kube-apiserver ended:\n${apiServer.lastLog()}`);
    const status = await call(server, token, "GET", "/readyz").catch(() => 0);
    if (status === 200) return;
    await pause(50);
  }
  throw new Error(`kube-apiserver was not ready in time:\n${apiServer.lastLog()}`);
}

async function createNode(server: string, token: string, name: string): Promise<void> {
  const status = await call(server, token, "POST", "/api/v1/nodes", {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels: { "kubernetes.io/hostname": name, type: "kwok" } },
  });
  if (status !== 201) throw new Error(`the node ${name} was not created: ${status}`);
}

/** The controllers are at work once the first service account is there; pods need it. */
async function waitForDefaultServiceAccount(server: string, token: string): Promise<void> {
  const started = Date.now();
  const path = "/api/v1/namespaces/default/serviceaccounts/default";
  while ((await call(server, token, "GET", path)) !== 200) {
    if (Date.now() - started > readyWithinMs)
      throw new Error("kube-controller-manager does not work");
    await pause(50);
  }
}

function call(
  server: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      `${server}${path}`,
      {
        method,
        // The certificate is not known yet while the server makes it; this is loopback.
        rejectUnauthorized: false,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        agent: false,
      },
      (response) => {
        response.resume();
        response.on("end", () => {
          resolve(response.statusCode ?? 0);
        });
      },
    );
    outgoing.on("error", reject);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

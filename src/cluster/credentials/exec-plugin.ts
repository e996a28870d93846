import { fail } from "../../diagnostics/index.ts";
import type { ReachedCluster } from "../kubeconfig/credentials-of.ts";
import type { Surroundings } from "../kubeconfig/connection-settings.ts";
import type { ExecEntry } from "../kubeconfig/kubeconfig.ts";
import type { ClientCertificate, Credentials } from "./credentials.ts";
import { runCredentialPlugin } from "./run-plugin.ts";

const knownVersions = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"];
/** A token that expires while it travels is of no use. */
const renewBeforeMs = 5000;

interface PluginCredential {
  readonly token?: string | undefined;
  readonly certificate?: ClientCertificate | undefined;
  readonly expiresAtMs: number;
}

/** Credentials that a program gives: run when first needed, when they expire, and after a 401. */
export function execPluginCredentials(
  entry: ExecEntry,
  cluster: ReachedCluster,
  surroundings: Surroundings,
): Credentials {
  const { timing } = surroundings;
  let credential: PluginCredential | undefined;
  let running: Promise<PluginCredential> | undefined;

  const run = (): Promise<PluginCredential> => {
    running ??= askPlugin(entry, cluster, surroundings)
      .then((answer) => (credential = answer))
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  const current = async (): Promise<PluginCredential> =>
    credential !== undefined && timing.now() < credential.expiresAtMs - renewBeforeMs
      ? credential
      : run();

  return {
    async authorization() {
      const { token } = await current();
      return token === undefined ? undefined : `Bearer ${token}`;
    },
    certificate: async () => (await current()).certificate,
    async renew() {
      await run();
      return true;
    },
  };
}

async function askPlugin(
  entry: ExecEntry,
  cluster: ReachedCluster,
  { env, interactive }: Surroundings,
): Promise<PluginCredential> {
  if (!knownVersions.includes(entry.apiVersion)) {
    failPlugin(
      entry,
      `its apiVersion is ${entry.apiVersion}; known are ${knownVersions.join(", ")}`,
    );
  }
  if (entry.interactiveMode === "Always" && !interactive) {
    failPlugin(entry, "it must ask the user, and there is no terminal");
  }
  const mayAsk = interactive && entry.interactiveMode !== "Never";
  const info = {
    apiVersion: entry.apiVersion,
    kind: "ExecCredential",
    spec: {
      interactive: mayAsk,
      ...(entry.provideClusterInfo ? { cluster: clusterInfo(cluster) } : {}),
    },
  };
  const output = await runCredentialPlugin(entry, mayAsk, {
    ...env,
    ...Object.fromEntries(entry.env.map(({ name, value }) => [name, value])),
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  });
  return readCredential(entry, output);
}

function clusterInfo(cluster: ReachedCluster): Readonly<Record<string, unknown>> {
  const { server, tlsServerName, skipTlsVerify, certificateAuthority, proxyUrl, execExtension } =
    cluster;
  return {
    server,
    "tls-server-name": tlsServerName,
    ...(skipTlsVerify ? { "insecure-skip-tls-verify": true } : {}),
    ...(certificateAuthority === undefined
      ? {}
      : { "certificate-authority-data": Buffer.from(certificateAuthority).toString("base64") }),
    "proxy-url": proxyUrl,
    config: execExtension,
  };
}

interface ExecCredential {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly status?: {
    readonly token?: string;
    readonly clientCertificateData?: string;
    readonly clientKeyData?: string;
    readonly expirationTimestamp?: string;
  };
}

/** What the program printed is never repeated in a message: it holds the credentials. */
function readCredential(entry: ExecEntry, output: string): PluginCredential {
  let answer: ExecCredential;
  try {
    answer = JSON.parse(output) as ExecCredential;
  } catch {
    return failPlugin(entry, "what it printed is not JSON");
  }
  if (answer?.kind !== "ExecCredential" || answer.apiVersion !== entry.apiVersion) {
    return failPlugin(entry, `what it printed is not an ExecCredential of ${entry.apiVersion}`);
  }
  const { token, clientCertificateData, clientKeyData, expirationTimestamp } = answer.status ?? {};
  if (token === undefined && clientCertificateData === undefined) {
    return failPlugin(entry, "it gave neither a token nor a certificate");
  }
  if ((clientCertificateData === undefined) !== (clientKeyData === undefined)) {
    return failPlugin(entry, "it gave a certificate without a key, or a key without a certificate");
  }
  const expiresAtMs =
    expirationTimestamp === undefined ? Infinity : Date.parse(expirationTimestamp);
  if (Number.isNaN(expiresAtMs)) return failPlugin(entry, "its expirationTimestamp is not a time");
  return {
    token,
    certificate:
      clientCertificateData === undefined || clientKeyData === undefined
        ? undefined
        : { certificate: clientCertificateData, key: clientKeyData },
    expiresAtMs,
  };
}

function failPlugin(entry: ExecEntry, problem: string): never {
  return fail({
    code: "cluster.exec-plugin",
    summary: `the credential plugin ${entry.command} cannot be used: ${problem}`,
    hint: `run ${entry.command} by hand to see what it says`,
  });
}

import { dirname, isAbsolute, resolve } from "node:path";
import { load, YAMLException } from "js-yaml";
import { fail } from "../../diagnostics/index.ts";
import { ConfigReader } from "./config-reader.ts";
import type { ClusterEntry, ContextEntry, ExecEntry, Kubeconfig, UserEntry } from "./kubeconfig.ts";

/** Reads one kubeconfig. Text that is no kubeconfig is an error that names the place in it. */
export function parseKubeconfig(file: string, text: string): Kubeconfig {
  const root = new ConfigReader(file, "", loadYaml(file, text) ?? {});
  return {
    currentContext: root.text("current-context"),
    contexts: root.named("contexts", "context", (entry) => readContext(file, entry)),
    clusters: root.named("clusters", "cluster", (entry) => readCluster(file, entry)),
    users: root.named("users", "user", (entry, name) => readUser(file, name, entry)),
  };
}

function loadYaml(file: string, text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return load(text);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const start = { line: (error.mark?.line ?? 0) + 1, column: (error.mark?.column ?? 0) + 1 };
    return fail({
      code: "cluster.kubeconfig-broken",
      summary: `cannot read the kubeconfig ${file}: ${withoutQuotes(error.reason)}`,
      // Without an excerpt: the lines may hold keys and tokens.
      source: { file, start },
    });
  }
}

/** What the parser quotes may be a token. */
function withoutQuotes(reason: string): string {
  return reason.replace(/\s*["'(<].*$/s, "");
}

function readContext(file: string, entry: ConfigReader): ContextEntry {
  return {
    file,
    cluster: entry.text("cluster"),
    user: entry.text("user"),
    namespace: entry.text("namespace"),
  };
}

const execExtension = "client.authentication.k8s.io/exec";

function readCluster(file: string, entry: ConfigReader): ClusterEntry {
  return {
    file,
    server: entry.text("server"),
    certificateAuthorityFile: besideFile(file, entry.text("certificate-authority")),
    certificateAuthorityData: entry.base64("certificate-authority-data"),
    tlsServerName: entry.text("tls-server-name"),
    skipTlsVerify: entry.flag("insecure-skip-tls-verify"),
    proxyUrl: entry.text("proxy-url"),
    execExtension: entry
      .list("extensions")
      .find((extension) => extension.text("name") === execExtension)
      ?.value("extension"),
  };
}

function readUser(file: string, name: string, entry: ConfigReader): UserEntry {
  const provider = entry.child("auth-provider");
  return {
    file,
    name,
    clientCertificateFile: besideFile(file, entry.text("client-certificate")),
    clientCertificateData: entry.base64("client-certificate-data"),
    clientKeyFile: besideFile(file, entry.text("client-key")),
    clientKeyData: entry.base64("client-key-data"),
    token: entry.text("token"),
    tokenFile: besideFile(file, entry.text("tokenFile")),
    username: entry.text("username"),
    password: entry.text("password"),
    exec: readExec(file, entry.child("exec")),
    authProvider:
      provider === undefined
        ? undefined
        : { name: provider.text("name") ?? "", config: provider.texts("config") },
    impersonateUser: entry.text("as"),
    impersonateUid: entry.text("as-uid"),
    impersonateGroups: entry.textList("as-groups"),
    impersonateExtra: entry.textLists("as-user-extra"),
  };
}

function readExec(file: string, entry: ConfigReader | undefined): ExecEntry | undefined {
  if (entry === undefined) return undefined;
  const command = entry.text("command") ?? "";
  const mode = entry.text("interactiveMode");
  return {
    apiVersion: entry.text("apiVersion") ?? "",
    // A bare name is looked up in PATH, anything with a slash is a path beside the kubeconfig.
    command: command.includes("/") ? (besideFile(file, command) ?? command) : command,
    args: entry.textList("args"),
    env: entry.list("env").map((each) => ({
      name: each.text("name") ?? "",
      value: each.text("value") ?? "",
    })),
    installHint: entry.text("installHint"),
    provideClusterInfo: entry.flag("provideClusterInfo"),
    interactiveMode: mode === "Never" || mode === "Always" ? mode : "IfAvailable",
  };
}

function besideFile(file: string, path: string | undefined): string | undefined {
  if (path === undefined || path === "") return undefined;
  return isAbsolute(path) ? path : resolve(dirname(file), path);
}

import { readFile } from "node:fs/promises";
import { fail } from "../../diagnostics/index.ts";
import type { Timing } from "../timing.ts";
import { errorCode } from "../transport/connection-error.ts";
import type { ConnectionSettings, Impersonation } from "../transport/connection-settings.ts";
import { credentialsOf } from "./credentials-of.ts";
import type { ClusterEntry, UserEntry } from "./kubeconfig.ts";
import { proxyFor } from "./proxy-for.ts";

export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly interactive: boolean;
  readonly timing: Timing;
}

/** Turns entries of a kubeconfig into what a connection needs. */
export async function connectionSettings(
  cluster: ClusterEntry & { readonly server: string },
  user: UserEntry | undefined,
  surroundings: Surroundings,
): Promise<ConnectionSettings> {
  const server = serverUrl(cluster, user);
  const certificateAuthority =
    cluster.certificateAuthorityData ??
    (await readNamedFile(cluster.certificateAuthorityFile, "certificate-authority", cluster.file));
  return {
    server,
    certificateAuthority,
    tlsServerName: cluster.tlsServerName,
    skipTlsVerify: cluster.skipTlsVerify,
    proxyUrl:
      checkedUrl(cluster.proxyUrl, "proxy-url", cluster.file) ?? proxyFor(server, surroundings.env),
    impersonate: impersonationOf(user),
    credentials: await credentialsOf(
      user,
      { ...cluster, server, certificateAuthority },
      surroundings,
    ),
  };
}

/** Reads a file that a kubeconfig refers to. */
export async function readNamedFile(
  path: string | undefined,
  field: string,
  kubeconfig: string,
): Promise<string | undefined> {
  if (path === undefined) return undefined;
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    return fail({
      code: "cluster.kubeconfig-incomplete",
      summary: `${path}, named as ${field} by ${kubeconfig}, ${errorCode(error) === "ENOENT" ? "does not exist" : `cannot be read (${errorCode(error)})`}`,
      cause: error,
    });
  }
}

function serverUrl(
  cluster: ClusterEntry & { readonly server: string },
  user: UserEntry | undefined,
): string {
  if (/^https?:\/\//i.test(cluster.server))
    return checkedUrl(cluster.server, "server", cluster.file) ?? "";
  // Without a scheme kubectl decides by whether anything speaks of TLS.
  const secure =
    cluster.certificateAuthorityData !== undefined ||
    cluster.certificateAuthorityFile !== undefined ||
    cluster.skipTlsVerify ||
    user?.clientCertificateData !== undefined ||
    user?.clientCertificateFile !== undefined;
  return (
    checkedUrl(`${secure ? "https" : "http"}://${cluster.server}`, "server", cluster.file) ?? ""
  );
}

function checkedUrl(url: string | undefined, field: string, file: string): string | undefined {
  if (url === undefined || URL.canParse(url)) return url;
  return fail({
    code: "cluster.kubeconfig-broken",
    summary: `the kubeconfig ${file} is broken: ${field} is not an address`,
  });
}

function impersonationOf(user: UserEntry | undefined): Impersonation | undefined {
  if (user?.impersonateUser === undefined) return undefined;
  return {
    user: user.impersonateUser,
    uid: user.impersonateUid,
    groups: user.impersonateGroups,
    extra: user.impersonateExtra,
  };
}

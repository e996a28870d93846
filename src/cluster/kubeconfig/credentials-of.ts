import { fail } from "../../diagnostics/index.ts";
import { fixedCredentials } from "../credentials/credentials.ts";
import type { ClientCertificate, Credentials } from "../credentials/credentials.ts";
import { tokenFileCredentials } from "../credentials/token-file.ts";
import { readNamedFile } from "./connection-settings.ts";
import type { Surroundings } from "./connection-settings.ts";
import type { ClusterEntry, UserEntry } from "./kubeconfig.ts";

export interface ReachedCluster extends ClusterEntry {
  readonly server: string;
  readonly certificateAuthority: string | undefined;
}

/** How a user of a kubeconfig proves who it is. A certificate may come with any of the others. */
export async function credentialsOf(
  user: UserEntry | undefined,
  cluster: ReachedCluster,
  surroundings: Surroundings,
): Promise<Credentials> {
  if (user === undefined) return fixedCredentials();
  const readCertificate = (): Promise<ClientCertificate | undefined> => certificateOf(user);
  // Read once here, so that a file that is missing is reported before anything is sent.
  const certificate = await readCertificate();
  const others = await otherCredentials(user, cluster, surroundings);
  if (certificate === undefined) return others;
  return {
    authorization: () => others.authorization(),
    // Files are read again for each connection: certificates are renewed in place.
    certificate: async () => (await others.certificate()) ?? readCertificate(),
    renew: () => others.renew(),
  };
}

async function otherCredentials(
  user: UserEntry,
  cluster: ReachedCluster,
  { env, interactive, timing }: Surroundings,
): Promise<Credentials> {
  if (user.tokenFile !== undefined) {
    await readNamedFile(user.tokenFile, "tokenFile", user.file);
    return tokenFileCredentials(user.tokenFile, timing);
  }
  if (user.token !== undefined) return fixedCredentials({ authorization: `Bearer ${user.token}` });
  if (user.username !== undefined) {
    const pair = Buffer.from(`${user.username}:${user.password ?? ""}`).toString("base64");
    return fixedCredentials({ authorization: `Basic ${pair}` });
  }
  if (user.exec !== undefined) {
    const { execPluginCredentials } = await import("../credentials/exec-plugin.ts");
    return execPluginCredentials(user.exec, cluster, { env, interactive, timing });
  }
  if (user.authProvider?.name === "oidc") {
    const { oidcCredentials } = await import("../credentials/oidc.ts");
    return oidcCredentials(user, user.authProvider.config, timing);
  }
  if (user.authProvider !== undefined) {
    fail({
      code: "cluster.kubeconfig-incomplete",
      summary: `the user ${user.name} of ${user.file} logs in by the auth provider ${user.authProvider.name}, which Kubernetes no longer has`,
      hint: "use the credential plugin of your cloud, such as gke-gcloud-auth-plugin or kubelogin",
    });
  }
  return fixedCredentials();
}

async function certificateOf(user: UserEntry): Promise<ClientCertificate | undefined> {
  const certificate =
    user.clientCertificateData ??
    (await readNamedFile(user.clientCertificateFile, "client-certificate", user.file));
  const key =
    user.clientKeyData ?? (await readNamedFile(user.clientKeyFile, "client-key", user.file));
  if (certificate === undefined && key === undefined) return undefined;
  if (certificate === undefined || key === undefined) {
    return fail({
      code: "cluster.kubeconfig-incomplete",
      summary: `the user ${user.name} of ${user.file} has a client ${certificate === undefined ? "key but no certificate" : "certificate but no key"}`,
    });
  }
  return { certificate, key };
}

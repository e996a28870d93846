import type { Cluster } from "../cluster/index.ts";
import { openSandbox } from "./create-sandbox.ts";
import { openPersistence, readIdentity, readServing } from "./data-folder.ts";

export interface SandboxCluster {
  readonly cluster: Cluster;
  /** Where it is served; undefined when it runs in this process. */
  readonly url: string | undefined;
}

/**
 * The API of the sandbox in a folder: the one that is being served if there is one, else one in this
 * process, which nobody else can open until it is closed.
 */
export async function openSandboxCluster(
  folder: string,
  options: { readonly namespace?: string | undefined } = {},
): Promise<SandboxCluster> {
  // A sandbox that only serves starts without a client: it is loaded where it is needed.
  const serving = readServing(folder);
  if (serving !== undefined) {
    const { connectTo: connect, fixedCredentials } = await import("../cluster/index.ts");
    const { token, certificates } = readIdentity(folder, Date.now());
    const url = `https://127.0.0.1:${serving.port}`;
    const settings = {
      server: url,
      certificateAuthority: certificates.authority,
      skipTlsVerify: false,
      credentials: fixedCredentials({ authorization: `Bearer ${token}` }),
    };
    return { cluster: connect(settings, options), url };
  }
  const { inProcessCluster } = await import("./in-process-cluster.ts");
  const { token } = readIdentity(folder, Date.now());
  const persistence = await openPersistence(folder);
  const sandbox = openSandbox({ persistence, token });
  return { cluster: inProcessCluster(sandbox, options), url: undefined };
}

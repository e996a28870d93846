import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { tokenFileCredentials } from "../credentials/token-file.ts";
import { systemTiming } from "../timing.ts";
import type { ClusterSelection, SelectionInput } from "./select-cluster.ts";

const defaultFolder = "/var/run/secrets/kubernetes.io/serviceaccount";

/** The cluster that this process runs in as a pod, as its service account. */
export async function inCluster(input: SelectionInput): Promise<ClusterSelection | undefined> {
  const host = input.env["KUBERNETES_SERVICE_HOST"];
  const port = input.env["KUBERNETES_SERVICE_PORT"];
  const folder = input.serviceAccountFolder ?? defaultFolder;
  const tokenFile = join(folder, "token");
  if (host === undefined || port === undefined || !existsSync(tokenFile)) return undefined;
  const server = `https://${host.includes(":") ? `[${host}]` : host}:${port}`;
  return {
    context: "in-cluster",
    server,
    namespace: input.namespace ?? (await readOptional(join(folder, "namespace"))) ?? "default",
    origin: { kind: "in-cluster" },
    settings: {
      server,
      certificateAuthority: await readOptional(join(folder, "ca.crt")),
      skipTlsVerify: false,
      credentials: tokenFileCredentials(tokenFile, input.timing ?? systemTiming),
    },
  };
}

async function readOptional(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch(() => "");
  return text.trim() === "" ? undefined : text.trim();
}

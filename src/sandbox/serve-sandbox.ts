import { type Diagnostic, fail } from "../diagnostics/index.ts";
import { openSandbox, type Sandbox, type SandboxOptions } from "./create-sandbox.ts";
import {
  openPersistence,
  readIdentity,
  readServing,
  rememberPort,
  setAside,
  writeServing,
} from "./data-folder.ts";
import { reportedPersistence } from "./store/reported-persistence.ts";
import { kubeconfigText } from "./kubeconfig-text.ts";
import { type Certificates, makeCertificates } from "./server/certificate.ts";
import type { RunningServer } from "./server/http-server.ts";

export interface ServeOptions extends Omit<SandboxOptions, "persistence" | "token"> {
  readonly folder: string;
  readonly port?: number;
  /** Begin with no objects; the old ones are set aside. */
  readonly fresh?: boolean;
  /** Hears of writes that could not be kept. */
  readonly onProblem?: (diagnostics: readonly Diagnostic[]) => void;
}

export interface ServedSandbox {
  readonly url: string;
  readonly port: number;
  readonly kubeconfig: string;
  readonly sandbox: Sandbox;
  /** Where the former objects were put, when it began afresh. */
  readonly setAside: string | undefined;
  readonly close: () => Promise<void>;
}

/** Serves the data of a folder until it is closed. */
export async function serveSandbox({
  folder,
  port,
  fresh = false,
  onProblem = () => {},
  ...options
}: ServeOptions): Promise<ServedSandbox> {
  const now = Date.now();
  const serving = readServing(folder);
  if (serving !== undefined) {
    fail({
      code: "sandbox.data-in-use",
      summary: `serving the sandbox's data ${folder}: process ${serving.pid} already serves it on port ${serving.port}`,
      hint: "use that one, stop it, or give another folder with --data",
    });
  }
  let hasStarted = false;
  // Nothing is set aside for a sandbox that cannot begin.
  const identity = readIdentity(folder, now);
  const aside = fresh ? setAside(folder, now) : undefined;
  const persistence = await openPersistence(folder);
  const sandbox = openSandbox({
    ...options,
    persistence: reportedPersistence(persistence, (diagnostics) => {
      // What keeps it from starting is thrown.
      if (hasStarted) onProblem(diagnostics);
    }),
    token: identity.token,
  });
  try {
    const server = await listen(sandbox, identity.certificates, port, identity.port);
    rememberPort(folder, identity, server.port);
    writeServing(folder, { pid: process.pid, port: server.port });
    const url = `https://127.0.0.1:${server.port}`;
    hasStarted = true;
    return {
      url,
      port: server.port,
      kubeconfig: kubeconfigText({
        url,
        authority: identity.certificates.authority,
        token: identity.token,
      }),
      sandbox,
      setAside: aside,
      close: async () => {
        writeServing(folder, undefined);
        await server.close();
        sandbox.close();
      },
    };
  } catch (error) {
    sandbox.close();
    throw error;
  }
}

/** Serves a sandbox that lives in memory only. */
export async function serveInMemory(
  options: Omit<SandboxOptions, "persistence"> & { readonly port?: number } = {},
): Promise<ServedSandbox> {
  const certificates = makeCertificates(Date.now());
  const sandbox = openSandbox(options);
  const server = await listen(sandbox, certificates, options.port, undefined);
  const url = `https://127.0.0.1:${server.port}`;
  return {
    url,
    port: server.port,
    kubeconfig: kubeconfigText({ url, authority: certificates.authority, token: sandbox.token }),
    sandbox,
    setAside: undefined,
    close: async () => {
      await server.close();
      sandbox.close();
    },
  };
}

/** The port that was asked for, else the one of last time if it is free, else any. */
async function listen(
  sandbox: Sandbox,
  certificates: Certificates,
  asked: number | undefined,
  lastTime: number | undefined,
): Promise<RunningServer> {
  const { startHttpServer } = await import("./server/http-server.ts");
  const start = (port: number): Promise<RunningServer> =>
    startHttpServer(sandbox.context, { certificates, authenticate: sandbox.authenticate, port });
  try {
    return await start(asked ?? lastTime ?? 0);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "EADDRINUSE" && code !== "EACCES") throw error;
    if (asked === undefined) return start(0);
    fail({
      code: "sandbox.port-taken",
      summary: `serving the sandbox on port ${asked}: ${code === "EACCES" ? "this user may not" : "another program listens there"}`,
      hint: "choose another port, or leave --port out",
      cause: error,
    });
  }
}

import { setTimeout as pause } from "node:timers/promises";
import type { JsonObject } from "../../src/json/index.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { startControlPlane } from "../cluster/control-plane.ts";
import {
  type SendOptions,
  type Target,
  connectKubeconfigFile,
  connectTarget,
} from "../conformance/target.ts";
import { patienceMs } from "../patience.ts";

/** A real API server and the sandbox, both without controllers: objects stay as they are written. */
export interface Servers {
  readonly real: Target;
  readonly sandbox: Target;
  readonly close: () => Promise<void>;
}

export async function startServers(report: (line: string) => void): Promise<Servers> {
  const controlPlane = await startControlPlane({ controllers: false, report });
  return besideSandbox(connectKubeconfigFile(controlPlane.kubeconfig), controlPlane.stop);
}

/** The sandbox beside something that answers as the real API server does, or did. */
export async function besideSandbox(real: Target, stop: () => Promise<void>): Promise<Servers> {
  const created = await createSandbox({ workloads: false });
  const sandbox = connectTarget(created.kubeconfig);
  return {
    real,
    sandbox,
    close: async () => {
      real.close();
      sandbox.close();
      await created.close();
      await stop();
    },
  };
}

export interface Reply {
  readonly status: number;
  readonly body: JsonObject;
}

/** Stands for the status of a request that the server answered with the end of the connection. */
export const noAnswer = 599;

export async function sendObject(
  target: Target,
  method: "GET" | "POST" | "PUT",
  path: string,
  object?: JsonObject,
): Promise<Reply> {
  const options: SendOptions = {
    method,
    path,
    headers: { accept: "application/json", "content-type": "application/json" },
    ...(object === undefined ? {} : { body: JSON.stringify(object) }),
  };
  try {
    // A connection that was kept may be closed by the server just when it is used again.
    const { status, text } = await target.send(options).catch(() => target.send(options));
    return { status, body: parsed(text) };
  } catch (error) {
    return { status: noAnswer, body: { message: String(error) } };
  }
}

/** A refusal by the machinery of HTTP is plain text. */
function parsed(text: string): JsonObject {
  try {
    return JSON.parse(text) as JsonObject;
  } catch {
    return { message: text };
  }
}

/** Waits until a path is served, as that of a new definition is after a while. */
export async function untilServed(target: Target, path: string): Promise<void> {
  const deadline = Date.now() + patienceMs;
  while ((await sendObject(target, "GET", path)).status !== 200) {
    if (Date.now() > deadline) throw new Error(`${path} is not served`);
    await pause(20);
  }
}

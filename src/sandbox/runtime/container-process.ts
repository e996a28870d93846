import { connect, type Socket } from "node:net";
import type { KubernetesObject } from "../../objects/index.ts";
import type { ApiContext } from "../api/api-context.ts";
import type { RunningCommand } from "../connections/pod-connection.ts";
import { localProcessesOf } from "./local-processes.ts";
import { asPod } from "./pod-state.ts";

/** What clients can do with the local process behind a container. */
export interface ContainerProcess {
  readonly exec: (
    command: readonly string[],
    streams: { readonly stdin: boolean },
  ) => RunningCommand;
  readonly attach: (streams: { readonly stdin: boolean }) => RunningCommand;
  readonly connect: (port: number) => Socket;
}

/** The name under which the process of a container is kept. */
export function processIdOf(podUid: string, container: string): string {
  return `${podUid}/${container}`;
}

/** The local process behind a container; undefined when that is simulated, or does not run. */
export function containerProcess(
  context: ApiContext,
  object: KubernetesObject,
  container: string,
): ContainerProcess | undefined {
  const processes = localProcessesOf(context);
  const id = processIdOf(object.metadata.uid ?? "", container);
  const running = processes.running(id);
  if (running === undefined) return undefined;
  const { ports = [] } = asPod(object).spec.containers.find(({ name }) => name === container) ?? {};
  const declared = ports.map(({ containerPort }) => containerPort);
  return {
    exec: (command, { stdin }) => processes.exec(id, command, stdin),
    attach: () => running.attach(),
    connect: (port) => connectTo(port, declared, running.environment),
  };
}

/**
 * Only what the container declares can be reached: the machine has other servers on its loopback.
 * The first port is the one that the process was told by `PORT`.
 */
function connectTo(
  port: number,
  declared: readonly number[],
  environment: Readonly<Record<string, string>>,
): Socket {
  if (!declared.includes(port)) {
    const known = declared.length === 0 ? "none" : declared.join(", ");
    throw new Error(`the container declares no port ${port} (it declares ${known})`);
  }
  const told = Number(environment["PORT"]);
  const target = port === declared[0] && told > 0 ? told : port;
  return connect({ host: "localhost", port: target, autoSelectFamily: true, allowHalfOpen: true });
}

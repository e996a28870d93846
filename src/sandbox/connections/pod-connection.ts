import type { Readable, Writable } from "node:stream";
import type { Socket } from "node:net";

/** What exec, attach and port-forward give once a pod is found: something to talk to. */
export type PodConnection = CommandConnection | PortConnection;

/** A command that runs beside a container's process, or that process itself. */
export interface CommandConnection {
  readonly kind: "command";
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
  readonly tty: boolean;
  /** Called when the client is there to listen. */
  readonly start: () => RunningCommand;
}

export interface RunningCommand {
  readonly stdin: Writable | undefined;
  readonly stdout: Readable;
  readonly stderr: Readable | undefined;
  readonly exit: Promise<number>;
  /** The client has gone. */
  readonly stop: () => void;
}

export interface PortConnection {
  readonly kind: "ports";
  /** Those that the request names; tunnelled streams name theirs themselves. */
  readonly ports: readonly number[];
  /** A new connection to a port; it fails by the socket's error, or throws when refused. */
  readonly connect: (port: number) => Socket;
}

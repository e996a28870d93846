import { fail } from "../../diagnostics/index.ts";
import { parseJson } from "../../json/index.ts";
import type { ClientContext } from "../api/client-context.ts";
import type { ApiStatus } from "../api/status.ts";
import type { MessageSocket } from "../transport/transport.ts";
import { openPodSocket } from "./open-pod-socket.ts";
import type { PodReference } from "./pod-logs.ts";

export interface ExecOptions {
  readonly command: readonly string[];
  readonly container?: string | undefined;
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  /** A terminal: standard error arrives with standard output. */
  readonly tty?: boolean | undefined;
  readonly onStdout?: ((chunk: Uint8Array) => void) | undefined;
  readonly onStderr?: ((chunk: Uint8Array) => void) | undefined;
  /** The sizes of the terminal, as it changes. */
  readonly resizes?: AsyncIterable<TerminalSize> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface TerminalSize {
  readonly columns: number;
  readonly rows: number;
}

const channel = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const;
/** Only version 5 can say that standard input has ended. */
const closingProtocol = "v5.channel.k8s.io";
const protocols = [closingProtocol, "v4.channel.k8s.io"];

/** Runs a command in a container and gives its exit code. */
export async function podExec(
  context: ClientContext,
  pod: PodReference,
  options: ExecOptions,
): Promise<number> {
  const { command, container, stdin, tty = false, resizes, signal } = options;
  const socket = await openPodSocket(
    context,
    pod,
    "exec",
    { command, container, stdin: stdin !== undefined, stdout: true, stderr: !tty, tty },
    protocols,
    signal,
  );
  try {
    if (stdin !== undefined) detached(sendInput(socket, stdin));
    if (resizes !== undefined) detached(sendResizes(socket, resizes));
    return await receive(socket, pod, options);
  } finally {
    socket.close();
  }
}

async function receive(
  socket: MessageSocket,
  pod: PodReference,
  options: ExecOptions,
): Promise<number> {
  let status: ApiStatus | undefined;
  for await (const message of socket.messages) {
    const content = message.subarray(1);
    if (message[0] === channel.status && content.length > 0) {
      status = parseJson(new TextDecoder().decode(content)) as unknown as ApiStatus;
      break;
    }
    // Servers open each channel with an empty message.
    if (content.length === 0) continue;
    if (message[0] === channel.stdout) options.onStdout?.(content);
    if (message[0] === channel.stderr) options.onStderr?.(content);
  }
  return exitCode(status, pod, options.command);
}

function exitCode(
  status: ApiStatus | undefined,
  pod: PodReference,
  command: readonly string[],
): number {
  if ((status as { readonly status?: string } | undefined)?.status === "Success") return 0;
  const cause = status?.details?.causes?.find(({ reason }) => reason === "ExitCode");
  if (status?.reason === "NonZeroExitCode" && cause !== undefined) return Number(cause.message);
  return fail({
    code: "cluster.exec",
    summary: `cannot run ${command[0] ?? "a command"} in pod ${pod.name}`,
    detail: status?.message ?? "the connection ended before the command did",
    subject: `Pod ${pod.namespace === undefined ? pod.name : `${pod.namespace}/${pod.name}`}`,
  });
}

async function sendInput(socket: MessageSocket, stdin: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const chunk of stdin) await socket.send(framed(channel.stdin, chunk));
  if (socket.protocol === closingProtocol) {
    await socket.send(Uint8Array.of(channel.close, channel.stdin));
  }
}

async function sendResizes(
  socket: MessageSocket,
  sizes: AsyncIterable<TerminalSize>,
): Promise<void> {
  for await (const { columns, rows } of sizes) {
    const size = new TextEncoder().encode(JSON.stringify({ Width: columns, Height: rows }));
    await socket.send(framed(channel.resize, size));
  }
}

/** Input that can no longer be sent is of no interest: the end of the command is reported elsewhere. */
function detached(sending: Promise<void>): void {
  sending.catch(() => undefined);
}

function framed(to: number, content: Uint8Array): Uint8Array {
  const message = new Uint8Array(content.length + 1);
  message[0] = to;
  message.set(content, 1);
  return message;
}

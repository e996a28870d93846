import type { CommandConnection, RunningCommand } from "./pod-connection.ts";

/** One client's side of a command, whatever protocol carries it. */
export interface CommandStreams {
  readonly stdin: AsyncIterable<Uint8Array> | undefined;
  /** Resolve when there is room for more. */
  readonly stdout: (chunk: Uint8Array) => Promise<void>;
  readonly stderr: (chunk: Uint8Array) => Promise<void>;
  /** How it ended, as the client wants to read it. */
  readonly status: (text: string) => Promise<void>;
}

/** Runs a command for a client until it has ended, or the client has gone. */
export async function serveCommand(
  connection: CommandConnection,
  streams: CommandStreams,
  gone: AbortSignal,
): Promise<void> {
  const running = connection.start();
  gone.addEventListener("abort", running.stop, { once: true });
  if (gone.aborted) running.stop();
  try {
    if (streams.stdin !== undefined) detached(sendInput(running, streams.stdin));
    const { tty } = connection;
    const output = [copy(running.stdout, streams.stdout)];
    if (running.stderr !== undefined)
      output.push(copy(running.stderr, tty ? streams.stdout : streams.stderr));
    await Promise.all(output);
    await streams.status(JSON.stringify(exitStatus(await running.exit)));
  } finally {
    gone.removeEventListener("abort", running.stop);
    running.stop();
  }
}

async function copy(
  source: AsyncIterable<Uint8Array>,
  write: (chunk: Uint8Array) => Promise<void>,
): Promise<void> {
  for await (const chunk of source) await write(chunk);
}

async function sendInput(
  { stdin }: RunningCommand,
  source: AsyncIterable<Uint8Array>,
): Promise<void> {
  for await (const chunk of source) {
    if (stdin === undefined || stdin.destroyed) continue;
    if (!stdin.write(chunk)) await new Promise<void>((resolve) => stdin.once("drain", resolve));
  }
  stdin?.end();
}

/** Input that nobody reads any more is of no interest: how the command ended is told elsewhere. */
function detached(sending: Promise<void>): void {
  sending.catch(() => undefined);
}

/** The status that ends a command, as the kubelet sends it. */
function exitStatus(code: number): object {
  if (code === 0) return { metadata: {}, status: "Success" };
  return {
    metadata: {},
    status: "Failure",
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: "NonZeroExitCode",
    details: { causes: [{ reason: "ExitCode", message: String(code) }] },
  };
}

import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { connect } from "node:net";
import type { LocalCommand, LocalProbe, ProbeAction } from "../../sources/tiltfile/index.ts";
import { startLocalProcess } from "./local-process.ts";

export interface ProbeOptions {
  /** Where commands of probes run. */
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Told when the verdict changes, and of each failure before the first success. */
  readonly onVerdict: (isReady: boolean, message: string) => void;
  readonly signal: AbortSignal;
}

/** Asks again and again whether a server is ready, until the signal ends it. */
export async function runProbe(probe: LocalProbe, options: ProbeOptions): Promise<void> {
  const { signal, onVerdict } = options;
  let successes = 0;
  let failures = 0;
  let isReady: boolean | undefined;
  await pause(probe.initialDelaySeconds * 1_000, signal);
  while (!signal.aborted) {
    const problem = await attempt(probe.action, probe.timeoutSeconds * 1_000, options);
    if (signal.aborted) return;
    successes = problem === undefined ? successes + 1 : 0;
    failures = problem === undefined ? 0 : failures + 1;
    if (problem === undefined && successes >= probe.successThreshold && isReady !== true) {
      isReady = true;
      onVerdict(true, "its readiness probe succeeds");
    } else if (problem !== undefined && (isReady !== true || failures >= probe.failureThreshold)) {
      isReady = false;
      onVerdict(false, `its readiness probe fails: ${problem}`);
    }
    await pause(probe.periodSeconds * 1_000, signal);
  }
}

/** Undefined when it succeeds, else what is wrong. */
async function attempt(
  action: ProbeAction,
  timeoutMs: number,
  options: ProbeOptions,
): Promise<string | undefined> {
  switch (action.kind) {
    case "exec":
      return runCommand(
        { command: action.command, directory: options.directory, environment: {} },
        timeoutMs,
        options,
      );
    case "tcp-socket":
      return openSocket(action.host, action.port, timeoutMs);
    case "http-get":
      return get(action, timeoutMs);
  }
}

async function runCommand(
  command: LocalCommand,
  timeoutMs: number,
  { environment, signal }: ProbeOptions,
): Promise<string | undefined> {
  let lastLine = "";
  const child = startLocalProcess(command, environment, (line) => {
    lastLine = line;
  });
  const stop = (): void => void child.stop();
  const timer = setTimeout(stop, timeoutMs);
  signal.addEventListener("abort", stop, { once: true });
  const { code, message } = await child.ended;
  clearTimeout(timer);
  signal.removeEventListener("abort", stop);
  return code === 0 ? undefined : `${message}${lastLine === "" ? "" : `: ${lastLine}`}`;
}

function openSocket(host: string, port: number, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (problem: string | undefined): void => {
      socket.destroy();
      resolve(problem);
    };
    socket.once("connect", () => {
      end(undefined);
    });
    socket.once("timeout", () => {
      end(`${host}:${port} does not answer`);
    });
    socket.once("error", ({ message }) => {
      end(message);
    });
  });
}

function get(
  { scheme, host, port, path }: Extract<ProbeAction, { readonly kind: "http-get" }>,
  timeoutMs: number,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const send = scheme === "https" ? httpsRequest : httpRequest;
    // As in a kubelet: a probe asks whether somebody answers, not who.
    const request = send(
      { host, port, path, timeout: timeoutMs, rejectUnauthorized: false, agent: false },
      (answer) => {
        const { statusCode = 0 } = answer;
        answer.resume();
        resolve(
          statusCode >= 200 && statusCode < 400 ? undefined : `${path} answers ${statusCode}`,
        );
      },
    );
    request.once("timeout", () => {
      request.destroy(new Error(`${path} does not answer in time`));
    });
    request.once("error", ({ message }) => {
      resolve(message);
    });
    request.end();
  });
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener("abort", end, { once: true });
  });
}

import { type ChildProcess, signalGroup, splitLines, startChild } from "../../processes/index.ts";
import { setTimeout as pause } from "node:timers/promises";
import { stringifyJson } from "../../json/index.ts";
import { BackendLost } from "../run/backend.ts";
import { shortLine } from "../run/bounded-log.ts";
import { readRpcMessage } from "./rpc-message.ts";

export interface RpcCommand {
  readonly command: readonly string[];
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** How long a call that was cancelled may take to answer before the process is given up. */
  readonly cancelMs: number;
}

export interface RpcRequest {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
  /** Told of what is sent while the call runs. */
  readonly onLine?: ((line: unknown) => void) | undefined;
}

interface Waiting extends Pick<RpcRequest, "log" | "onLine"> {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

const longestAnswer = 16 * 1024 * 1024;
const mostLastLines = 20;
const closeAfterExitMs = 1_000;
const endGraceMs = 1_500;
/** For one that did not obey a cancellation, or cannot answer any more. */
const shortGraceMs = 500;

/** One running process that speaks JSON-RPC 2.0, a message on each line of its standard streams. */
export class RpcProcess {
  readonly #command: RpcCommand;
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, Waiting>();
  readonly #lastLines: string[] = [];
  readonly #closed = Promise.withResolvers<void>();
  #nextId = 1;
  #lost: BackendLost | undefined;
  #isGivenUp = false;
  #isClosed = false;
  /** Calls that were asked to stop. */
  readonly #cancelled = new Set<number>();

  constructor(command: RpcCommand) {
    this.#command = command;
    this.#child = startChild(command.command, {
      cwd: command.folder,
      env: command.environment,
      stdio: ["pipe", "pipe", "pipe"],
    });
    this.#listen();
  }

  /** False once it has ended or does not obey: the next call needs another one. */
  get isUsable(): boolean {
    return this.#lost === undefined && !this.#isGivenUp;
  }

  get hasEnded(): boolean {
    return this.#isClosed;
  }

  request(request: RpcRequest): Promise<unknown> {
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    const id = this.#nextId++;
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#waiting.set(id, { resolve, reject, log: request.log, onLine: request.onLine });
    this.#send({ id, method: request.method, params: request.params });
    const onAbort = (): void => {
      void this.#cancel(id);
    };
    request.signal.addEventListener("abort", onAbort);
    return promise.finally(() => {
      request.signal.removeEventListener("abort", onAbort);
      if (this.#isGivenUp && this.#waiting.size === 0) void this.end();
    });
  }

  /** Closes its input, and ends it with everything it started if that is not enough. */
  async end(): Promise<void> {
    this.#isGivenUp = true;
    this.#child.stdin?.end();
    const isHopeless =
      this.#lost !== undefined || [...this.#cancelled].some((id) => this.#waiting.has(id));
    if (!isHopeless) await this.#closedWithin(endGraceMs);
    if (!this.#isClosed) {
      signalGroup(this.#child.pid, "SIGTERM");
      await this.#closedWithin(isHopeless ? shortGraceMs : endGraceMs);
    }
    signalGroup(this.#child.pid, "SIGKILL");
    await this.#closed.promise;
  }

  async #closedWithin(ms: number): Promise<void> {
    const timer = new AbortController();
    const late = pause(ms, undefined, { signal: timer.signal }).catch(() => {});
    await Promise.race([this.#closed.promise, late]);
    timer.abort();
  }

  async #cancel(id: number): Promise<void> {
    this.#cancelled.add(id);
    this.#send({ method: "$/cancel", params: { id } });
    await pause(this.#command.cancelMs, undefined, { ref: false });
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) return;
    this.#waiting.delete(id);
    this.#cancelled.delete(id);
    this.#isGivenUp = true;
    waiting.reject(this.#lostBecause("ended", "did not obey a cancellation"));
  }

  #listen(): void {
    const child = this.#child;
    child.stdin?.on("error", () => {
      // It does not read any more; its end tells why.
    });
    if (child.stdout !== null) {
      splitLines(child.stdout, {
        longest: longestAnswer,
        onLine: (line) => {
          this.#receive(line);
        },
        onTooLong: () => {
          const most = `${longestAnswer / 1024 / 1024} MiB`;
          this.#lose(this.#lostBecause("too-much", `printed a line of more than ${most}`));
          signalGroup(child.pid, "SIGKILL");
        },
      });
    }
    if (child.stderr !== null) {
      splitLines(child.stderr, {
        longest: longestAnswer,
        onLine: (line) => {
          this.#note(line);
        },
        onTooLong: () => {},
      });
    }
    child.stdout?.once("close", () => {
      // One that ends closes it, too, and says more by its exit code.
      if (child.exitCode !== null || child.signalCode !== null) return;
      const timer = setTimeout(() => {
        this.#lose(this.#lostBecause("ended", "closed its standard output"));
        void this.end();
      }, closeAfterExitMs);
      timer.unref();
      child.once("exit", () => {
        clearTimeout(timer);
      });
    });
    child.once("error", (error) => {
      const [program = ""] = this.#command.command;
      const message = `could not be started: ${program}: ${error.message}`;
      this.#lose(this.#lostBecause("not-started", message));
      this.#close();
    });
    child.once("exit", (code, signal) => {
      const how = code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
      const lose = (): void => {
        clearTimeout(timer);
        this.#lose(this.#lostBecause("ended", how));
        this.#close();
      };
      // What it printed last is read first, unless something it left behind holds the pipe.
      const timer = setTimeout(lose, closeAfterExitMs);
      child.once("close", lose);
    });
  }

  #close(): void {
    this.#isClosed = true;
    this.#closed.resolve();
  }

  #receive(line: string): void {
    const message = readRpcMessage(line);
    switch (message.kind) {
      case "text":
        this.#note(message.text);
        return;
      case "notification":
        this.#notified(message.method, message.params);
        return;
      case "result":
        this.#take(message.id)?.resolve(message.result);
        return;
      case "error":
        this.#take(message.id)?.reject(new Error(message.message));
    }
  }

  #notified(method: string, params: Readonly<Record<string, unknown>>): void {
    const { call, text } = params;
    const waiting = typeof call === "number" ? this.#waiting.get(call) : this.#oldest();
    if (method === "log" && typeof text === "string") waiting?.log(text);
    if (method === "line") waiting?.onLine?.(params);
  }

  /** What was printed beside the protocol goes to whoever waits the longest. */
  #note(text: string): void {
    if (text.trim() === "") return;
    this.#lastLines.push(shortLine(text));
    if (this.#lastLines.length > mostLastLines) this.#lastLines.shift();
    this.#oldest()?.log(text);
  }

  #oldest(): Waiting | undefined {
    return this.#waiting.values().next().value;
  }

  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    this.#cancelled.delete(id);
    return waiting;
  }

  #send(message: Readonly<Record<string, unknown>>): void {
    if (this.#child.stdin?.writable !== true) return;
    this.#child.stdin.write(`${stringifyJson({ jsonrpc: "2.0", ...message })}\n`);
  }

  #lostBecause(kind: BackendLost["kind"], message: string): BackendLost {
    return new BackendLost(kind, message, [...this.#lastLines]);
  }

  #lose(reason: BackendLost): void {
    if (this.#lost !== undefined) return;
    this.#lost = reason;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}

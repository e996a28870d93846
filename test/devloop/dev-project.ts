import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { ComponentEvent, TimedEvent } from "../../src/events/index.ts";
import { type Ran, runKeelson } from "../cli/run-keelson.ts";
import { type StartedKeelson, startKeelson } from "../cli/start-keelson.ts";
import { Terminal } from "./terminal.ts";

type AnyEvent = TimedEvent | { readonly type: "snapshot" };

/** A folder with a project, a home of its own, and what runs in it. */
export class DevProject {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "keelson-dev-")));
  readonly home = realpathSync(mkdtempSync(join(tmpdir(), "keelson-home-")));
  readonly #runs: DevRun[] = [];
  readonly #more: Readonly<Record<string, string>>;

  constructor(
    files: Readonly<Record<string, string>> = {},
    environment: (home: string) => Readonly<Record<string, string>> = () => ({}),
  ) {
    this.#more = environment(this.home);
    this.write("keelson.json", '{"project": "demo"}');
    for (const [file, text] of Object.entries(files)) this.write(file, text);
  }

  path(file: string): string {
    return join(this.folder, file);
  }

  write(file: string, text: string): void {
    mkdirSync(dirname(this.path(file)), { recursive: true });
    writeFileSync(this.path(file), text);
  }

  writeHome(file: string, text: string): void {
    writeFileSync(join(this.home, file), text);
  }

  /** A command in a process of its own that tells its events. */
  start(...args: readonly string[]): DevRun {
    const run = new DevRun(startKeelson([...args, "--output", "json"], this.#env(), this.folder));
    this.#runs.push(run);
    return run;
  }

  /** A command in a process of its own that shows what a user sees; whoever starts it ends it. */
  startPlain(...args: readonly string[]): StartedKeelson {
    return startKeelson(args, this.#env(), this.folder);
  }

  /** A command on a terminal; whoever starts it ends it. */
  terminal(
    args: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    size: { readonly rows?: number; readonly columns?: number } = {},
  ): Terminal {
    const env = { ...this.#env(), ...environment };
    return new Terminal(args, { env, folder: this.folder, ...size });
  }

  /** A command to its end, in this process. */
  run(line: string, options: { readonly stdin?: string } = {}): Promise<Ran> {
    const words = line.split(" ");
    return runKeelson(words, { env: this.#env(), workingDirectory: this.folder, ...options });
  }

  async close(): Promise<void> {
    for (const run of this.#runs) await run.stop();
    rmSync(this.folder, { recursive: true, force: true });
    rmSync(this.home, { recursive: true, force: true });
  }

  #env(): Readonly<Record<string, string>> {
    const { PATH = "" } = process.env;
    return { HOME: this.home, KUBECONFIG: "", XDG_STATE_HOME: "", PATH, ...this.#more };
  }
}

/** A command that runs on, read event by event. */
export class DevRun {
  readonly events: AnyEvent[] = [];
  readonly #started: StartedKeelson;

  constructor(started: StartedKeelson) {
    this.#started = started;
  }

  /** The next event that is as asked for; what comes before it is over. */
  async until(isWanted: (event: AnyEvent) => boolean, what: string): Promise<AnyEvent> {
    for (;;) {
      const line = await this.#started.nextLine();
      if (line === undefined) {
        const told = this.events.slice(-20).map((event) => JSON.stringify(event));
        throw new Error(`it ended before ${what}:\n${told.join("\n")}\n${this.#started.errors()}`);
      }
      const event = JSON.parse(line) as AnyEvent;
      this.events.push(event);
      if (isWanted(event)) return event;
    }
  }

  /** Until a component is in a state, such as `updated ok` or `runtime ok: Ready`. */
  async component(name: string, state: string): Promise<ComponentEvent> {
    const event = await this.until(
      (each) => each.type === "component" && each.component === name && matches(each, state),
      `${name} ${state}`,
    );
    return event as ComponentEvent;
  }

  /** Until a component is in a state, which it may be in already. */
  async is(name: string, state: string): Promise<ComponentEvent> {
    const last = this.events.findLast(
      (event) => event.type === "component" && event.component === name,
    ) as ComponentEvent | undefined;
    return last !== undefined && matches(last, state) ? last : this.component(name, state);
  }

  async log(component: string, text: string): Promise<void> {
    await this.until(isLine(component, text), `${component} logs ${text}`);
  }

  /** Until a component logs something, which it may have done already. */
  async logged(component: string, text: string): Promise<void> {
    if (!this.events.some(isLine(component, text))) await this.log(component, text);
  }

  async load(status: "started" | "successful" | "failed"): Promise<void> {
    await this.until((event) => event.type === "load" && event.status === status, `load ${status}`);
  }

  /** All that it reads from standard input. */
  input(text: string): void {
    this.#started.child.stdin?.end(text);
  }

  /** Ends it as Ctrl-C does, and gives its exit code. */
  async stop(): Promise<number | null> {
    this.#started.child.kill("SIGINT");
    return this.exit();
  }

  /** Stops it where it is, as Ctrl-Z does. */
  stopThere(): void {
    this.#started.child.kill("SIGSTOP");
  }

  /** Ends it as `kill -9` does. */
  async kill(): Promise<void> {
    this.#started.child.kill("SIGKILL");
    await this.#started.exited;
  }

  /** Reads to the end. */
  async exit(): Promise<number | null> {
    for (let line = await this.#started.nextLine(); line !== undefined;) {
      this.events.push(JSON.parse(line) as AnyEvent);
      line = await this.#started.nextLine();
    }
    return this.#started.exited;
  }

  errors(): string {
    return this.#started.errors();
  }

  /** What was written to the cluster: `configured Deployment web`. */
  writes(): readonly string[] {
    return this.events.flatMap((event) => {
      if (event.type === "apply" && event.change !== undefined)
        return [`${event.change} ${event.object.kind} ${event.object.name}`];
      return event.type === "prune" && event.status === "successful"
        ? [`pruned ${event.object.kind} ${event.object.name}`]
        : [];
    });
  }
}

function isLine(component: string, text: string): (event: AnyEvent) => boolean {
  return (event) =>
    event.type === "log" && event.component === component && event.message.includes(text);
}

/** `update ok`, `runtime error`, `update pending: ManualTrigger`. */
function matches({ update, runtime }: ComponentEvent, state: string): boolean {
  const [wanted = "", reason] = state.split(": ");
  const [axis, status] = wanted.split(" ");
  const found = axis === "update" ? update : runtime;
  return found.status === status && (reason === undefined || found.reason === reason);
}

/** Whether a process is there, and not only its number because nobody has waited for it yet. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

/** A port that is free at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer();
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });
}

export function configMap(name: string, value: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\ndata:\n  value: ${value}\n`;
}

/** A Deployment whose container is a process of this machine. */
export function deployment(
  name: string,
  {
    run,
    port,
    image = "none",
    readyAfterSeconds,
    trouble,
    dependsOn,
  }: {
    readonly run?: string;
    readonly port?: number;
    readonly image?: string;
    /** So that what ends at once is never taken for ready. */
    readonly readyAfterSeconds?: number;
    /** How its pods fare in the sandbox. */
    readonly trouble?: string;
    /** What must be ready before it is written. */
    readonly dependsOn?: string;
  } = {},
): string {
  const container = {
    name,
    image,
    ...(readyAfterSeconds === undefined
      ? {}
      : {
          readinessProbe: { exec: { command: ["true"] }, initialDelaySeconds: readyAfterSeconds },
        }),
    ...(port === undefined ? {} : { ports: [{ containerPort: port }] }),
  };
  const annotations = {
    ...(run === undefined ? {} : { "sandbox.keelson.dev/run": run }),
    ...(trouble === undefined ? {} : { "sandbox.keelson.dev/trouble": trouble }),
  };
  const own =
    dependsOn === undefined
      ? {}
      : { annotations: { "config.kubernetes.io/depends-on": dependsOn } };
  return JSON.stringify({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name, ...own },
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name }, annotations },
        spec: { containers: [container] },
      },
    },
  });
}

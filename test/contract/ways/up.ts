/** The dev loop of `keelson up`, without its views, on a directory of YAML. */
import { Readable } from "node:stream";
import { createContext } from "../../../src/cli/context.ts";
import {
  openDevLoop,
  type OpenedDevLoop,
} from "../../../src/cli/commands/devloop/open-dev-loop.ts";
import type { ComponentSnapshot } from "../../../src/devloop/index.ts";
import type { KubernetesObject } from "../../../src/objects/index.ts";
import { runKeelson } from "../../cli/run-keelson.ts";
import type { CellSettings, OpenWay } from "../cell.ts";
import { type Call, isWrite } from "../line.ts";
import { map, type Part } from "../parts.ts";
import type { ApplyOptions, Outcome, WayIn } from "../way-in.ts";
import { historyOf, Home } from "./command.ts";
import { settles } from "./controllers.ts";
import { yamlText } from "./languages.ts";

const inventory = "contract-dev";
/** Changes with every state: the component that it is in tells when the state has been applied. */
const marker = "state-of-the-files";

export const up: OpenWay = (settings) => new UpWay(settings);

class UpWay implements WayIn {
  readonly line: CellSettings["line"];
  readonly lease: WayIn["lease"];
  readonly #settings: CellSettings;
  readonly #home: Home;
  #opened: OpenedDevLoop | undefined;
  #revision = 0;
  #loads = 0;
  #text = "";

  constructor(settings: CellSettings) {
    this.#settings = settings;
    this.line = settings.line;
    this.lease = { namespace: settings.namespace, name: inventory };
    this.#home = new Home(settings);
  }

  async apply(parts: readonly Part[], options: ApplyOptions = {}): Promise<Outcome> {
    const { namespace } = this.#settings;
    const loads = this.#loads;
    const since = new Date().toISOString();
    this.#home.write({
      "keelson.json": JSON.stringify({ project: "contract" }),
      "app/objects.yaml": yamlText(
        [...parts, map(marker, { revision: String(++this.#revision) })],
        namespace,
      ),
    });
    if (this.#opened === undefined) return this.#start(options);
    return this.#rest(
      options,
      () => this.#loads > loads,
      ({ update }) => update.since >= since,
    );
  }

  /** Files that stay as they are, are looked at again when it is started again. */
  async again(options: ApplyOptions = {}): Promise<Outcome> {
    await this.#stop();
    return this.#start(options);
  }

  async destroy(): Promise<Outcome> {
    await this.#stop();
    const { env, folder } = this.#home;
    const ran = await runKeelson(["down", "app"], { env, workingDirectory: folder });
    this.#text += ran.stdout + ran.stderr;
    return { isFine: ran.code === 0, text: this.#text };
  }

  reported(): Promise<string> {
    return Promise.resolve(this.#text);
  }

  history(): Promise<string> {
    return historyOf(this.#settings, inventory);
  }

  owns({ metadata }: KubernetesObject): boolean {
    return metadata.annotations?.["config.k8s.io/owning-inventory"] !== undefined;
  }

  isOwnWrite(call: Call): boolean {
    return (
      isWrite(call) &&
      !/\/(?:resourcegroups|customresourcedefinitions)/.test(call.path) &&
      !call.path.endsWith(marker)
    );
  }

  async close(): Promise<void> {
    await this.#stop();
    this.#home.remove();
  }

  async #start(options: ApplyOptions): Promise<Outcome> {
    const { env, folder } = this.#home;
    const say = (text: string): void => {
      this.#text += text;
    };
    const stream = { isTTY: false, write: say };
    const context = createContext({
      stdout: stream,
      stderr: stream,
      stdin: Object.assign(Readable.from([]), { isTTY: false }),
      env,
      workingDirectory: folder,
      version: "0.0.0-test",
      color: false,
    });
    const flags = { allowProcesses: false, sandbox: false, output: "text" } as const;
    const loads = this.#loads;
    const given = { input: "app", components: [], args: [] };
    const opened = await openDevLoop(context, flags, given, "up");
    this.#opened = opened;
    opened.loop.state.subscribe((event) => {
      say(`${JSON.stringify(event)}\n`);
      if (event.type === "load" && event.status !== "started") this.#loads++;
    });
    // It reads, and goes on by itself; what goes wrong it tells as an event.
    opened.loop.start().catch((error: unknown) => {
      say(String(error));
    });
    return this.#rest(
      options,
      () => this.#loads > loads,
      () => true,
    );
  }

  /** Waits until the source was read and all components are updated and ready, or one is in error. */
  async #rest(
    { readyWithinMs }: ApplyOptions,
    isLoaded: () => boolean,
    isNew: (component: ComponentSnapshot) => boolean,
  ): Promise<Outcome> {
    const look = (): "waiting" | "fine" | "wrong" => {
      const snapshot = this.#opened?.loop.state.snapshot();
      if (snapshot === undefined || !isLoaded()) return "waiting";
      if (snapshot.source.status === "error") return "wrong";
      const { components } = snapshot;
      const isUpdated = components.some(
        (each) => each.name === "uncategorized" && isNew(each) && isDone(each.update.status),
      );
      if (!isUpdated || !components.every(({ update }) => isDone(update.status))) return "waiting";
      if (components.some(({ update }) => update.status === "error")) return "wrong";
      if (components.some(({ runtime }) => runtime.status === "error")) return "wrong";
      return components.every(({ runtime }) => isDone(runtime.status)) ? "fine" : "waiting";
    };
    await settles(
      () => Promise.resolve(look() !== "waiting"),
      readyWithinMs ?? this.#settings.patienceMs,
    );
    return { isFine: look() === "fine", text: this.#text };
  }

  async #stop(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    await opened?.close();
  }
}

function isDone(status: string): boolean {
  return status === "ok" || status === "error" || status === "not_applicable";
}

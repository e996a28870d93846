import type {
  ComponentAction,
  DashboardActions,
  DashboardSource,
  PodLogLine,
  ActionOptions,
  SourceComponent,
  WorldComponent,
} from "../../dashboard/index.ts";
import type { DiagnosticJson } from "../../diagnostics/index.ts";
import type { ComponentSnapshot, DevLoop, TimedLog } from "../../devloop/index.ts";
import { identityKey } from "../../objects/index.ts";
import type { CliContext } from "../context.ts";
import type { ClusterActions } from "./cluster-actions.ts";
import { RunProgress } from "./run-progress.ts";

const mostProblems = 20;

/** What a dev loop tells a dashboard. */
export class DevDashboardSource implements DashboardSource {
  readonly #loop: DevLoop;
  readonly #name: string;
  /** What was wrong when the source was last read. */
  #problems: readonly DiagnosticJson[] = [];
  readonly #stop: () => void;

  constructor(loop: DevLoop, name: string) {
    this.#loop = loop;
    this.#name = name;
    let problems: readonly DiagnosticJson[] = [];
    this.#stop = loop.state.subscribe((event) => {
      if (event.type === "error") {
        const { type: _type, timestamp: _timestamp, ...problem } = event;
        problems = [...problems, problem].slice(-mostProblems);
      }
      if (event.type !== "load") return;
      if (event.status === "started") problems = [];
      this.#problems = event.status === "failed" ? problems : [];
    });
  }

  readonly state: DashboardSource["state"] = () => ({
    name: this.#name,
    ...this.#loop.state.snapshot().source,
    diagnostics: this.#problems,
  });

  readonly group: DashboardSource["group"] = () => this.#loop.group;

  readonly components: DashboardSource["components"] = () =>
    this.#loop.state.snapshot().components.map((component) => this.#componentOf(component));

  /** Everything else that happens shows in these two, or is a line of a log. */
  readonly subscribe: DashboardSource["subscribe"] = (onChange) =>
    this.#loop.state.subscribe(({ type }) => {
      if (type === "component" || type === "load") onChange();
    });

  readonly followLogs: DashboardSource["followLogs"] = (component, onLines) => {
    const isMine = (line: TimedLog): boolean => line.component === component;
    const before = this.#loop.state.logs().filter(isMine);
    if (before.length > 0) onLines(before.map(logLine));
    return this.#loop.state.subscribe((event) => {
      if (event.type === "log" && isMine(event)) onLines([logLine(event)]);
    });
  };

  close(): void {
    this.#stop();
  }

  #componentOf(snapshot: ComponentSnapshot): SourceComponent {
    const { name, labels, update, runtime, endpoints, changedFiles, lastUpdate } = snapshot;
    const updated = lastUpdate?.at ?? "";
    const facts = this.#loop.facts(name);
    const { objects = [], workload, deployed = [], isLocal = false, waitsFor = [] } = facts ?? {};
    return {
      name,
      objects: new Set(objects.map(identityKey)),
      ...(workload === undefined ? {} : { workload: identityKey(workload) }),
      deployed,
      waitsFor,
      view: { labels, update, runtime, endpoints, changedFiles, isLocal, updated },
    };
  }
}

function logLine({
  origin = "pod",
  message,
  timestamp,
}: {
  readonly origin?: string | undefined;
  readonly message: string;
  readonly timestamp: string;
}): PodLogLine {
  return { pod: origin, container: "", time: timestamp, text: message };
}

/** What can be done with the components of a dev loop, and beside it with what else is in the cluster. */
export class DevActions implements DashboardActions {
  readonly #context: CliContext;
  readonly #loop: DevLoop;
  readonly #others: ClusterActions;

  constructor(context: CliContext, loop: DevLoop, others: ClusterActions) {
    this.#context = context;
    this.#loop = loop;
    this.#others = others;
  }

  readonly offersFor = (component: WorldComponent): readonly ComponentAction[] => {
    const others = this.#others.offersFor(component);
    if (component.dev === undefined) return this.#isOwn(component.inventory.key) ? [] : others;
    const facts = this.#loop.facts(component.name);
    if (facts === undefined) return [];
    if (facts.isDisabled) return ["enable"];
    const offers: ComponentAction[] = ["trigger"];
    if (facts.hasServer || others.includes("restart")) offers.push("restart");
    if (facts.canBeDisabled) offers.push("disable");
    return offers;
  };

  /** What the loop keeps running would only come again; `keelson down` takes it away. */
  readonly canDestroy: DashboardActions["canDestroy"] = ({ key }) => !this.#isOwn(key);

  readonly perform: DashboardActions["perform"] = async (task, options) => {
    if (task.kind === "destroy" || task.kind === "delete")
      return this.#others.perform(task, options);
    const { component } = task;
    if (component.dev === undefined) return this.#others.perform(task, options);
    const { name } = component;
    switch (task.kind) {
      case "trigger":
      case "enable":
        this.#loop.trigger(name);
        return `${name} was ${task.kind === "enable" ? "enabled" : "triggered"}`;
      case "restart":
        if (await this.#loop.restartServer(name)) return `the server of ${name} was restarted`;
        return this.#others.restart(component, options);
      case "disable":
        return this.#disable(name, options);
    }
  };

  async #disable(name: string, { report, signal }: ActionOptions): Promise<string> {
    const progress = new RunProgress(this.#context, report);
    report("what runs of it ends, and its objects are deleted");
    const stop = this.#loop.state.subscribe((event) => {
      if (event.type === "prune") progress.emit(event);
    });
    try {
      // Who quits does not wait for objects to go.
      await Promise.race([this.#loop.disable(name), givenUp(signal)]);
    } finally {
      stop();
    }
    progress.end(name);
    return `${name} is disabled`;
  }

  #isOwn(inventory: string): boolean {
    const { namespace = "", id = "" } = this.#loop.group ?? {};
    return inventory === `${namespace}/${id}`;
  }
}

function givenUp(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => {
      resolve();
    });
  });
}

import type {
  ComponentAction,
  DashboardActions,
  DashboardSource,
  LogLine,
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

  /** Lines that are logged change nothing that the page is told here. */
  readonly subscribe: DashboardSource["subscribe"] = (onChange) =>
    this.#loop.state.subscribe(({ type }) => {
      if (type !== "log") onChange();
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
    const { name, update, runtime, endpoints, changedFiles, lastUpdate } = snapshot;
    const { objects = [], workload, isLocal = false } = this.#loop.facts(name) ?? {};
    return {
      name,
      objects: new Set(objects.map(identityKey)),
      ...(workload === undefined ? {} : { workload: identityKey(workload) }),
      view: { update, runtime, endpoints, changedFiles, isLocal, updated: lastUpdate?.at ?? "" },
    };
  }
}

function logLine({ origin = "pod", message }: TimedLog): LogLine {
  return { pod: origin, container: "", text: message };
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
    const { isDisabled = false, hasServer = false } = this.#loop.facts(component.name) ?? {};
    if (isDisabled) return ["enable"];
    const canRestart = hasServer || others.includes("restart");
    return ["trigger", ...(canRestart ? (["restart"] as const) : []), "disable"];
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
        return this.#disable(name, options.report);
    }
  };

  async #disable(name: string, report: (message: string) => void): Promise<string> {
    const progress = new RunProgress(this.#context, report);
    report("what runs of it ends, and its objects are deleted");
    const stop = this.#loop.state.subscribe((event) => {
      if (event.type === "prune") progress.emit(event);
    });
    try {
      await this.#loop.disable(name);
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

import { causeDetails } from "../../causes/index.ts";
import type { ComponentEvent, RunEvent } from "../../events/index.ts";
import type { CliContext } from "../context.ts";
import { indentRest, linesOfEvent } from "./lines-view.ts";
import type { RunView } from "./run-view.ts";
import { textWidth } from "./text-width.ts";

/** Plain lines of a dev loop: what was read and done, how components are, and what they log. */
export function devLinesView(context: CliContext): RunView {
  const { stdout } = context.process;
  const lines = new DevLines(context);
  return {
    show: (event) => {
      for (const line of lines.of(event)) stdout.write(`${line}\n`);
    },
    close: () => {},
  };
}

/** The lines that an event of a dev loop is worth. */
export class DevLines {
  readonly #context: CliContext;
  readonly #shown = new Map<string, string>();
  readonly #colors = new Map<string, number>();
  #width = 0;
  #hasRead = false;

  constructor(context: CliContext) {
    this.#context = context;
  }

  of(event: RunEvent): readonly string[] {
    return this.#linesOf(event).map(indentRest);
  }

  #linesOf(event: RunEvent): readonly string[] {
    if (event.type === "load") return this.#load(event);
    if (event.type === "component") return this.#component(event);
    if (event.type === "log")
      return [
        `${this.prefix(event.component ?? event.resource)} ${this.#context.style.stdout.log(event.message)}`,
      ];
    // What a builder says comes as lines of the component, too.
    if (event.type === "build" && event.status === "log") return [];
    return linesOfEvent(event, this.#context, { verbose: false });
  }

  /** The name of a component in its colour, as wide as the widest so far. */
  prefix(name: string): string {
    const { cyan, magenta, green, yellow, blue, dim } = this.#context.style.stdout;
    const palette = [cyan, magenta, green, yellow, blue];
    const index = this.#colors.get(name) ?? this.#colors.size;
    this.#colors.set(name, index);
    const width = textWidth(name);
    this.#width = Math.min(widestPrefix, Math.max(this.#width, width));
    const color = palette[index % palette.length] ?? dim;
    const fill = " ".repeat(Math.max(0, this.#width - width));
    return `${color(name)}${fill} ${dim("│")}`;
  }

  #load({
    status,
    files,
    message,
  }: Extract<RunEvent, { readonly type: "load" }>): readonly string[] {
    const { dim, green, red } = this.#context.style.stdout;
    if (status === "started")
      return files.length === 0 ? [] : [dim(`… ${filesText(files)} changed: reading again`)];
    if (status === "failed") return [`${red("✗")} ${message ?? ""}`];
    const isFirst = !this.#hasRead;
    this.#hasRead = true;
    return isFirst ? [`${green("✓")} ${message ?? ""}`] : [];
  }

  #component({ component, update, runtime, endpoints, isGone }: ComponentEvent): readonly string[] {
    const { dim, green, red, yellow } = this.#context.style.stdout;
    const key = `${component}/`;
    if (isGone === true)
      return [`${this.prefix(component)} ${dim("is no longer part of the project")}`];
    const marks = { ok: green("✓"), error: red("✗"), pending: yellow("…"), in_progress: dim("…") };
    const lines: string[] = [];
    const show = (axis: string, text: string): void => {
      if (this.#shown.get(`${key}${axis}`) === text) return;
      this.#shown.set(`${key}${axis}`, text);
      if (text !== "") lines.push(`${this.prefix(component)} ${text}`);
    };
    const mark = (status: string): string => marks[status as keyof typeof marks] ?? dim("-");
    if (update.status !== "none")
      show("update", `${mark(update.status)} ${updateWords[update.status]}: ${update.message}`);
    const isTold = runtime.status === "ok" || runtime.status === "error";
    if (isTold) {
      show(
        "runtime",
        `${mark(runtime.status)} ${runtimeWords[runtime.status]}: ${runtime.message}`,
      );
      const details = runtime.cause === undefined ? [] : causeDetails(runtime.cause);
      for (const [index, line] of details.entries()) show(`detail ${index}`, `  ${dim(line)}`);
    } else if (runtime.status === "pending")
      show("runtime", `${mark("in_progress")} ${runtime.message}`);
    if (endpoints.length > 0) show("endpoints", dim(endpoints.map(({ url }) => url).join(" ")));
    return lines;
  }
}

const widestPrefix = 24;

const updateWords = {
  pending: "waiting",
  in_progress: "updating",
  ok: "updated",
  error: "update failed",
  not_applicable: "no update",
};

const runtimeWords = { ok: "ready", error: "not running" };

const mostFiles = 3;

function filesText(files: readonly string[]): string {
  const shown = files.slice(0, mostFiles).join(", ");
  return files.length > mostFiles ? `${shown} and ${files.length - mostFiles} more` : shown;
}

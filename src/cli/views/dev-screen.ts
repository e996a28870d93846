import type { ComponentSnapshot, DevSnapshot, TimedLog } from "../../devloop/index.ts";
import { plainLog } from "../../diagnostics/index.ts";
import { createStyle, type Style } from "../style.ts";
import { componentRows, isFine } from "./component-rows.ts";
import { cutLine } from "./cut-line.ts";
import { fitText, textWidth } from "./text-width.ts";
import { type LogWindow, logWindow, shownLines } from "./dev-log-window.ts";

/** What the user has done to the screen. */
export interface ScreenState {
  /** The row that the keys are about. */
  readonly selected: number;
  /** Whether all that is known of the selected component is shown, and of the logs only its own. */
  readonly isAlone: boolean;
  /** Only logs that hold this text. */
  readonly filter: string;
  /** Whether the filter is being typed. */
  readonly isTyping: boolean;
  /** The last line of the log to show; undefined as long as it follows what is new. */
  readonly lastShown: TimedLog | undefined;
  readonly notice: string;
  /** Where the dashboard is; none when it is not served. */
  readonly link: string | undefined;
}

/** The screen before any key was pressed. */
export function firstScreen(link: string | undefined): ScreenState {
  return {
    selected: 0,
    isAlone: false,
    filter: "",
    isTyping: false,
    lastShown: undefined,
    notice: "",
    link,
  };
}

export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
}

const widestName = 28;
const fewestLogLines = 3;
/** Colours take no room. */
const plain = createStyle({ colors: false, logColors: false });

/** The whole screen: the rows of each component, their logs below, and the keys. */
export function screenLines(
  snapshot: DevSnapshot,
  logs: readonly TimedLog[],
  state: ScreenState,
  size: ScreenSize,
  style: Style,
  now: number,
): readonly string[] {
  const { bold, dim, red } = style;
  const { components, source } = snapshot;
  const { columns } = size;
  // On a line of its own a terminal makes it something to click on.
  const links = state.link === undefined ? [] : [dim(state.link)];
  const title =
    source.status === "error"
      ? `${bold("keelson up")} ${red(`✗ ${source.message}`)}`
      : `${bold("keelson up")} ${dim(summary(components))}`;
  const nameWidth = nameWidthOf(components);
  const only = chosenAlone(components, state);
  const window = screenWindow(components, logs, state, size);
  const newer = window.lines.length - window.end;
  const body = shownLines(window).map(
    (line) => `${prefixOf(line, components, nameWidth, style)} ${colored(line, style)}`,
  );
  const filling = Array.from({ length: window.space - body.length }, () => "");
  const about = `── ${only ?? "all components"}${state.filter === "" ? "" : `, with “${state.filter}”`}${newer === 0 ? "" : `, ${newer} more below`} `;
  const rule = dim(`${about}${"─".repeat(Math.max(0, columns - 2 - textWidth(about)))}`);
  const table = tableLines(components, state, size, style, now);
  return [title, ...links, ...table, rule, ...body, ...filling, footer(state, style)].map((line) =>
    cutLine(line, columns),
  );
}

/** The rows of the components, or as many as there is room for around the selected one. */
function tableLines(
  components: readonly ComponentSnapshot[],
  state: ScreenState,
  { columns, rows }: ScreenSize,
  style: Style,
  now: number,
): readonly string[] {
  const nameWidth = nameWidthOf(components);
  const most = mostTableRows(state, rows);
  const blocks = components.map((component, index) =>
    componentRows(
      component,
      {
        isSelected: index === state.selected,
        isExpanded: index === state.selected && state.isAlone,
        nameWidth,
        columns,
        now,
      },
      style,
    ),
  );
  const endOfSelected = blocks.slice(0, state.selected + 1).flat().length;
  const lines = blocks.flat();
  const startOfSelected = endOfSelected - (blocks[state.selected]?.length ?? 0);
  // Where not all of it fits, it is its beginning that counts.
  const first = Math.min(startOfSelected, Math.max(0, endOfSelected - most));
  return lines.slice(first, first + most);
}

function nameWidthOf(components: readonly ComponentSnapshot[]): number {
  return Math.min(
    widestName,
    Math.max(...["keelson", ...components.map(({ name }) => name)].map(textWidth)),
  );
}

/** What of the log such a screen shows. */
export function screenWindow(
  components: readonly ComponentSnapshot[],
  logs: readonly TimedLog[],
  state: ScreenState,
  size: ScreenSize,
): LogWindow {
  const only = chosenAlone(components, state);
  const filter = state.filter.toLowerCase();
  const lines = logs.filter(
    ({ component, message }) =>
      (only === undefined || component === only) && message.toLowerCase().includes(filter),
  );
  const { length: tableRows } = tableLines(components, state, size, plain, 0);
  return logWindow(lines, Math.max(0, size.rows - tableRows - otherRows(state)), state.lastShown);
}

function chosenAlone(
  components: readonly ComponentSnapshot[],
  { isAlone, selected }: ScreenState,
): string | undefined {
  return isAlone ? components[selected]?.name : undefined;
}

/** Title, link, rule and footer. */
function otherRows({ link }: ScreenState): number {
  return link === undefined ? 3 : 4;
}

function mostTableRows(state: ScreenState, rows: number): number {
  return Math.max(1, rows - fewestLogLines - otherRows(state));
}

function summary(components: readonly ComponentSnapshot[]): string {
  const ready = components.filter(
    ({ update, runtime }) => isFine(update.status) && isFine(runtime.status),
  );
  const failed = components.filter(
    ({ update, runtime }) => update.status === "error" || runtime.status === "error",
  );
  return `${ready.length}/${components.length} ready${failed.length === 0 ? "" : `, ${failed.length} failed`}`;
}

function prefixOf(
  { component, resource }: TimedLog,
  components: readonly ComponentSnapshot[],
  width: number,
  { cyan, magenta, green, yellow, blue, dim }: Style,
): string {
  const name = component ?? resource;
  const palette = [cyan, magenta, green, yellow, blue];
  const index = components.findIndex((each) => each.name === name);
  const color = palette[Math.max(0, index) % palette.length] ?? dim;
  return `${color(fitText(name, width))} ${dim("│")}`;
}

function colored({ message, level }: TimedLog, { red, yellow, dim }: Style): string {
  const text = plainLog(message).replaceAll("\t", "    ");
  return level === "error"
    ? red(text)
    : level === "warn"
      ? yellow(text)
      : level === "debug"
        ? dim(text)
        : text;
}

function footer(state: ScreenState, { dim, bold }: Style): string {
  const { isTyping, filter, notice, link, lastShown } = state;
  if (lastShown !== undefined && !isTyping)
    return dim("↑↓ PgUp PgDn scroll  Home oldest  End newest  / filter  q quit");
  if (isTyping) return `${bold("filter:")} ${filter}▏ ${dim("Enter keeps it, Escape clears it")}`;
  return dim(
    `${notice === "" ? "" : `${notice}   `}↑↓ choose  Enter details  PgUp back  t trigger  / filter  ${link === undefined ? "" : "o page  "}q quit`,
  );
}

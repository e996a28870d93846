import type { ComponentSnapshot, DevSnapshot, TimedLog } from "../../devloop/index.ts";
import { plainLog } from "../../diagnostics/index.ts";
import type { Style } from "../style.ts";
import { cutLine } from "./cut-line.ts";
import { fitText, textWidth } from "./text-width.ts";
import { type LogWindow, logWindow, shownLines } from "./dev-log-window.ts";

/** What the user has done to the screen. */
export interface ScreenState {
  /** The row that the keys are about. */
  readonly selected: number;
  /** Whether only the selected component's logs are shown. */
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

/** The whole screen: a row for each component, their logs below, and the keys. */
export function screenLines(
  snapshot: DevSnapshot,
  logs: readonly TimedLog[],
  state: ScreenState,
  { columns, rows }: ScreenSize,
  style: Style,
  now: number,
): readonly string[] {
  const { bold, dim, red } = style;
  const { components, source } = snapshot;
  // On a line of its own a terminal makes it something to click on.
  const links = state.link === undefined ? [] : [dim(state.link)];
  const mostRows = mostTableRows(state, rows);
  const first = Math.max(0, Math.min(state.selected - mostRows + 1, components.length - mostRows));
  const shown = components.slice(first, first + mostRows);
  const names = ["keelson", ...components.map(({ name }) => name)];
  const nameWidth = Math.min(widestName, Math.max(...names.map(textWidth)));
  const title =
    source.status === "error"
      ? `${bold("keelson up")} ${red(`✗ ${source.message}`)}`
      : `${bold("keelson up")} ${dim(summary(components))}`;
  const table = shown.map((component, index) =>
    rowOf(component, first + index === state.selected, nameWidth, style, now),
  );
  const only = chosenAlone(components, state);
  const window = screenWindow(components, logs, state, rows);
  const newer = window.lines.length - window.end;
  const body = shownLines(window).map(
    (line) => `${prefixOf(line, components, nameWidth, style)} ${colored(line, style)}`,
  );
  const filling = Array.from({ length: window.space - body.length }, () => "");
  const about = `── ${only ?? "all components"}${state.filter === "" ? "" : `, with “${state.filter}”`}${newer === 0 ? "" : `, ${newer} more below`} `;
  const rule = dim(`${about}${"─".repeat(Math.max(0, columns - 2 - textWidth(about)))}`);
  return [title, ...links, ...table, rule, ...body, ...filling, footer(state, style)].map((line) =>
    cutLine(line, columns),
  );
}

/** What of the log such a screen shows. */
export function screenWindow(
  components: readonly ComponentSnapshot[],
  logs: readonly TimedLog[],
  state: ScreenState,
  rows: number,
): LogWindow {
  const only = chosenAlone(components, state);
  const filter = state.filter.toLowerCase();
  const lines = logs.filter(
    ({ component, message }) =>
      (only === undefined || component === only) && message.toLowerCase().includes(filter),
  );
  const tableRows = Math.min(components.length, mostTableRows(state, rows));
  return logWindow(lines, Math.max(0, rows - tableRows - otherRows(state)), state.lastShown);
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

function isFine(status: string): boolean {
  return status === "ok" || status === "not_applicable";
}

function rowOf(
  { name: fullName, update, runtime, endpoints }: ComponentSnapshot,
  isSelected: boolean,
  nameWidth: number,
  { bold, dim, inverse, green, red, yellow }: Style,
  now: number,
): string {
  const worst =
    update.status === "error"
      ? update
      : runtime.status === "error"
        ? runtime
        : isFine(update.status)
          ? runtime
          : update;
  const isWaiting = worst.status === "pending" || worst.status === "in_progress";
  const color =
    worst.status === "error" ? red : isFine(worst.status) ? green : isWaiting ? yellow : dim;
  const mark = worst.status === "error" ? "✗" : isFine(worst.status) ? "✓" : isWaiting ? "…" : "-";
  const text = fitText(fullName, nameWidth);
  const age = ageText(now - Date.parse(worst.since)).padStart(4);
  const urls = endpoints.map(({ url }) => url).join(" ");
  const words = `${updateWords[update.status].padEnd(8)} ${runtimeWords[runtime.status].padEnd(8)}`;
  // Where to reach it comes first only as long as all is well.
  const rest = isFine(worst.status) ? [urls, dim(worst.message)] : [worst.message, urls];
  const name = isSelected ? inverse(text) : bold(text);
  return `${color(mark)} ${name} ${color(words)} ${dim(age)} ${rest.filter((each) => each !== "").join(" ")}`;
}

const updateWords = {
  none: "–",
  pending: "waiting",
  in_progress: "updating",
  ok: "updated",
  error: "failed",
  not_applicable: "–",
};

const runtimeWords = {
  none: "–",
  unknown: "unknown",
  pending: "starting",
  ok: "ready",
  error: "broken",
  not_applicable: "–",
};

function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`;
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
    `${notice === "" ? "" : `${notice}   `}↑↓ choose  Enter its logs  PgUp back  t trigger  / filter  ${link === undefined ? "" : "o page  "}q quit`,
  );
}

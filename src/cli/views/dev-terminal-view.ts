import type { DevLoop } from "../../devloop/index.ts";
import type { CliContext } from "../context.ts";
import { controlSequence } from "../terminal.ts";
import { openPage } from "../dashboard/open-page.ts";
import { type LogWindow, scrolledBy } from "./dev-log-window.ts";
import {
  firstScreen,
  type ScreenSize,
  type ScreenState,
  screenLines,
  screenWindow,
} from "./dev-screen.ts";
import type { RunView } from "./run-view.ts";

const redrawMs = 50;
const ageMs = 1_000;
const defaultSize = { columns: 80, rows: 24 };

type RawInput = CliContext["stdin"] & { readonly setRawMode?: (isRaw: boolean) => unknown };

/** The whole terminal as a table of components with their logs below, steered by keys. */
export function devTerminalView(
  context: CliContext,
  loop: DevLoop,
  { link, onQuit }: { readonly link: string | undefined; readonly onQuit: () => void },
): RunView {
  const { stdout } = context.process;
  const input = context.stdin as RawInput;
  let state = firstScreen(link);
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  const draw = (): void => {
    timer = undefined;
    if (isClosed) return;
    const { state: dev } = loop;
    const lines = screenLines(
      dev.snapshot(),
      dev.logs(),
      state,
      sizeOf(stdout),
      context.style.stdout,
      Date.now(),
    );
    // Every line is written over the old one and the rest of it erased, so that nothing flickers.
    const [home, restOfLine] = [controlSequence("\u001B[H"), controlSequence("\u001B[K")];
    stdout.write(
      `${home}${lines.map((line) => `${line}${restOfLine}`).join(controlSequence("\r\n"))}`,
    );
  };
  const drawSoon = (): void => {
    timer ??= setTimeout(draw, redrawMs);
  };
  const ages = setInterval(drawSoon, ageMs);
  const onKey = (key: string): void => {
    const components = loop.state.snapshot().components;
    if (key === "\u0003" || (key === "q" && !state.isTyping)) {
      onQuit();
      return;
    }
    if (key === "t" && !state.isTyping) {
      const name = components[state.selected]?.name;
      if (name !== undefined) loop.trigger(name);
      state = { ...state, notice: name === undefined ? "" : `${name} was triggered` };
    } else if (key === "o" && !state.isTyping && link !== undefined) {
      void openPage(link, context.process.env).then((isOpen) => {
        const notice = isOpen ? "the page was opened" : "no browser: open the link above";
        state = { ...state, notice };
        drawSoon();
      });
    } else {
      const window = screenWindow(components, loop.state.logs(), state, sizeOf(stdout));
      state = afterKey(state, key, components.length, window);
    }
    drawSoon();
  };

  const onInput = (chunk: Buffer | string): void => {
    for (const key of keystrokesOf(String(chunk))) onKey(key);
  };

  stdout.write(controlSequence("\u001B[?1049h\u001B[?25l\u001B[2J"));
  input.setRawMode?.(true);
  input.on("data", onInput);
  input.resume();
  draw();
  return {
    show: drawSoon,
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      clearInterval(ages);
      input.off("data", onInput);
      input.setRawMode?.(false);
      input.pause();
      stdout.write(controlSequence("\u001B[?25h\u001B[?1049l"));
    },
  };
}

function sizeOf({ columns, rows }: CliContext["process"]["stdout"]): ScreenSize {
  return { columns: columns ?? defaultSize.columns, rows: rows ?? defaultSize.rows };
}

/** Keys that are pressed fast come together; each arrow is several characters. */
export function keystrokesOf(text: string): readonly string[] {
  // oxlint-disable-next-line no-control-regex -- arrows begin with the escape character
  return text.match(/\u001B\[[\d;]*[A-Za-z~]|\u001BO[A-Z]|[^]/gu) ?? [];
}

/** What a key makes of the screen. */
export function afterKey(
  state: ScreenState,
  key: string,
  count: number,
  window: LogWindow,
): ScreenState {
  if (state.isTyping) {
    if (key === "\r" || key === "\n") return { ...state, isTyping: false };
    if (key === "\u001B") return { ...state, isTyping: false, filter: "" };
    if (key === "\u007F" || key === "\b") return { ...state, filter: state.filter.slice(0, -1) };
    // oxlint-disable-next-line no-control-regex -- other keys send control characters
    return /[\u0000-\u001F]/.test(key) ? state : { ...state, filter: `${state.filter}${key}` };
  }
  const scrolled = scrollingOf(key, window.space, state.lastShown !== undefined);
  if (scrolled !== undefined) return { ...state, lastShown: scrolledBy(window, scrolled) };
  const last = Math.max(0, count - 1);
  switch (key) {
    case "\u001B[A":
    case "k":
      return { ...state, selected: Math.max(0, state.selected - 1), notice: "" };
    case "\u001B[B":
    case "j":
      return { ...state, selected: Math.min(last, state.selected + 1), notice: "" };
    case "\r":
    case "\n":
    case " ":
      return { ...state, isAlone: !state.isAlone };
    case "/":
      return { ...state, isTyping: true };
    case "\u001B":
      return { ...state, isAlone: false, filter: "", lastShown: undefined };
    default:
      return state;
  }
}

/**
 * How many lines a key scrolls down; undefined for keys that do not scroll. Arrows choose components
 * until somebody has scrolled back by a page.
 */
function scrollingOf(key: string, space: number, isBack: boolean): number | undefined {
  const page = Math.max(1, space - 1);
  switch (key) {
    case "\u001B[5~":
      return -page;
    case "\u001B[6~":
      return page;
    case "\u001B[H":
    case "\u001BOH":
    case "\u001B[1~":
      return -Infinity;
    case "\u001B[F":
    case "\u001BOF":
    case "\u001B[4~":
      return Infinity;
    case "\u001B[A":
      return isBack ? -1 : undefined;
    case "\u001B[B":
      return isBack ? 1 : undefined;
    default:
      return undefined;
  }
}

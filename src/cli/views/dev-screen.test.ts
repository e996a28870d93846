import { describe, expect, it } from "vitest";
import type { ComponentSnapshot, DevSnapshot, TimedLog } from "../../devloop/index.ts";
import { createStyle } from "../style.ts";
import { throughBoundary } from "../terminal.ts";
import { shownLines } from "./dev-log-window.ts";
import { firstScreen, screenLines, screenWindow } from "./dev-screen.ts";
import { afterKey, keystrokesOf } from "./dev-terminal-view.ts";

const since = "2026-01-01T00:00:00Z";
const now = Date.parse("2026-01-01T00:02:00Z");

function component(
  name: string,
  update: ComponentSnapshot["update"]["status"],
  runtime: ComponentSnapshot["runtime"]["status"],
  message: string,
  url?: string,
): ComponentSnapshot {
  return {
    name,
    kind: "workload",
    labels: [],
    triggerMode: "auto",
    dependsOn: [],
    update: { status: update, reason: "", message, since },
    runtime: { status: runtime, reason: "", message, since },
    endpoints: url === undefined ? [] : [{ url }],
    changedFiles: [],
  };
}

const snapshot: DevSnapshot = {
  revision: 1,
  source: { status: "ok", message: "" },
  components: [
    component("web", "ok", "ok", "is available", "http://localhost:8080/"),
    component("migrate", "error", "none", "it ended with code 1", "http://localhost:1/"),
  ],
};
const log = (name: string, message: string): TimedLog => ({
  type: "log",
  resource: name,
  component: name,
  message,
  timestamp: since,
});
const logs = [log("web", "hello"), log("migrate", "no \u001B[2Jtable"), log("web", "bye")];
const plain = createStyle({ colors: false, logColors: false });

function screen(
  keys: string,
  size = { columns: 60, rows: 8 },
  link?: string,
  shown: readonly TimedLog[] = logs,
): string {
  let state = firstScreen(link);
  for (const key of keystrokesOf(keys))
    state = afterKey(state, key, 2, screenWindow(snapshot.components, shown, state, size));
  return screenLines(snapshot, shown, state, size, plain, now)
    .map((line) => throughBoundary(line).trimEnd())
    .join("\n");
}

const table = `keelson up 1/2 ready, 1 failed
✓ web     updated  ready      2m http://localhost:8080/ is …\u001B[0m
✗ migrate failed: it ended with code 1                   2m`;

describe("the screen of a dev loop", () => {
  it("has a row for each component and their logs below, without their control characters", () => {
    expect(screen("")).toBe(`${table}
── all components ────────────────────────────────────────
web     │ hello
migrate │ no table
web     │ bye
↑↓ choose  Enter details  PgUp back  t trigger  / filter  q…\u001B[0m`);
  });

  it.each([
    ["the logs of the chosen one", "j\r", "── migrate", "migrate │ no table"],
    ["arrows that come together", "\u001B[B\u001B[B\u001B[A\r", "── web", "web     │ hello"],
    ["a filter", "/BYX\u007Fe\r", "── all components, with “BYe”", "web     │ bye"],
    ["no filter after Escape", "/nothing\u001B", "── all components ─", "web     │ hello"],
  ])("shows %s", (_name, keys, rule, first) => {
    const lines = screen(keys).split("\n");
    expect(lines[3]?.startsWith(rule)).toBe(true);
    expect(lines[4]).toBe(first);
  });

  const many = Array.from({ length: 20 }, (_, index) => log("web", `line ${index + 1}`));
  const up = "\u001B[5~";
  const down = "\u001B[6~";
  it.each([
    ["the newest lines", "", ["18", "19", "20"], ""],
    ["a page back, with one line in common", up, ["16", "17", "18"], "2 more below"],
    ["one line back after a page", `${up}\u001B[A`, ["15", "16", "17"], "3 more below"],
    ["one line on", `${up}${up}\u001B[B`, ["15", "16", "17"], "3 more below"],
    ["the oldest lines, and not beyond", "\u001B[H\u001B[A", ["1", "2", "3"], "17 more below"],
    ["what is new again at the end", `${up}${down}`, ["18", "19", "20"], ""],
    ["what is new again at once", `${up}${up}\u001BOF`, ["18", "19", "20"], ""],
    [
      "lines with a word before those that were shown",
      `${up}/line 1\r`,
      ["16", "17", "18"],
      "with “line 1”, 1 more below",
    ],
  ])("scrolls to %s", (_name, keys, numbers, rule) => {
    const lines = screen(keys, undefined, undefined, many).split("\n");
    expect(lines.slice(4, 7)).toEqual(numbers.map((number) => `web     │ line ${number}`));
    expect(lines[3]).toContain(rule);
    expect(lines[3]?.includes("more below")).toBe(rule !== "");
  });

  it("stays where it was scrolled to while lines come, and when the oldest go", () => {
    const state = { ...firstScreen(undefined), lastShown: many[9] };
    const linesOf = (shown: readonly TimedLog[]): string =>
      shownLines(screenWindow(snapshot.components, shown, state, { columns: 60, rows: 8 }))
        .map(({ message }) => message)
        .join();
    expect(linesOf(many)).toBe("line 8,line 9,line 10");
    expect(linesOf([...many, log("web", "new")])).toBe("line 8,line 9,line 10");
    const later = { ...log("web", "later"), timestamp: "2026-01-01T00:01:00Z" };
    expect(linesOf([later, later, later, later])).toBe("later,later,later");
  });

  it("shows where the dashboard is, and the key that opens it", () => {
    const link = "http://127.0.0.1:8437/?token=secret";
    const lines = screen("", { columns: 80, rows: 9 }, link).split("\n");
    expect(lines[1]).toBe(link);
    expect(lines.length).toBe(9);
    expect(lines.at(-1)).toContain("o page  q quit");
  });

  const failing: DevSnapshot = {
    ...snapshot,
    components: [
      {
        ...component("checkout", "ok", "error", "out of memory: limit 64Mi, killed 3 times"),
        runtime: {
          status: "error",
          reason: "CrashLoopBackOff",
          message: "out of memory: limit 64Mi, killed 3 times; 1 of 2 ready",
          since,
          cause: {
            reason: "CrashLoopBackOff",
            summary: "out of memory: limit 64Mi, killed 3 times; 1 of 2 ready",
            evidence: "RangeError: Invalid typed array length: 4294967296",
            action: "kubectl logs -n shop pod/checkout-5f96d5cc7b-abcde -c main --previous",
            about: "pod checkout-5f96d5cc7b-abcde, container main",
            isFinal: true,
          },
        },
      },
      component("web", "ok", "ok", "is available"),
    ],
  };
  const failingScreen = (columns: number, isAlone: boolean): string =>
    screenLines(
      failing,
      [],
      { ...firstScreen(undefined), isAlone },
      { columns, rows: 16 },
      plain,
      now,
    )
      .map((line) => throughBoundary(line).trimEnd())
      .join("\n");

  it("has the cause of a failure first, whole, and what shows it", () => {
    expect(failingScreen(80, false)).toContain(`
✗ checkout out of memory: limit 64Mi, killed 3 times; 1 of 2 ready           2m
           │ RangeError: Invalid typed array length: 4294967296
✓ web      updated  ready      2m is available
──`);
  });

  it("wraps a cause where it does not fit", () => {
    expect(failingScreen(44, false)).toContain(`
✗ checkout out of memory: limit 64Mi,    2m
           killed 3 times; 1 of 2
           ready
           │ RangeError: Invalid typed
           array length: 4294967296
`);
  });

  it("has all that is known of the chosen one after Enter", () => {
    expect(failingScreen(80, true)).toContain(`
           │ RangeError: Invalid typed array length: 4294967296
           → kubectl logs -n shop pod/checkout-5f96d5cc7b-abcde -c main
           --previous
           pod checkout-5f96d5cc7b-abcde, container main
           since 2026-01-01T00:00:00Z
✓ web `);
  });

  it("is as large as the terminal, whatever there is to show", () => {
    for (const rows of [5, 8, 30]) {
      const lines = screen("", { columns: 20, rows }).split("\n");
      expect(lines.length).toBe(rows);
    }
  });
});

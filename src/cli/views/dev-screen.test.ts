import picocolors from "picocolors";
import { describe, expect, it } from "vitest";
import type { ComponentSnapshot, DevSnapshot, TimedLog } from "../../devloop/index.ts";
import { firstScreen, screenLines } from "./dev-screen.ts";
import { afterKey, keysOf } from "./dev-terminal-view.ts";

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
const logs = [log("web", "hello"), log("migrate", "no \u001B[2Jtable\u0007"), log("web", "bye")];
const plain = picocolors.createColors(false);

function screen(keys: string, size = { columns: 60, rows: 8 }, link?: string): string {
  let state = firstScreen(link);
  for (const key of keysOf(keys)) state = afterKey(state, key, 2);
  return screenLines(snapshot, logs, state, size, plain, now)
    .map((line) => line.trimEnd())
    .join("\n");
}

const table = `keelson up 1/2 ready, 1 failed
✓ web     updated  ready      2m http://localhost:8080/ is …\u001B[0m
✗ migrate failed   –          2m it ended with code 1 http:…\u001B[0m`;

describe("the screen of a dev loop", () => {
  it("has a row for each component and their logs below, without their control characters", () => {
    expect(screen("")).toBe(`${table}
── all components ────────────────────────────────────────
web     │ hello
migrate │ no table
web     │ bye
↑↓ choose  Enter its logs  t trigger  / filter  q quit`);
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

  it("shows where the dashboard is, and the key that opens it", () => {
    const link = "http://127.0.0.1:8437/?token=secret";
    const lines = screen("", { columns: 80, rows: 9 }, link).split("\n");
    expect(lines[1]).toBe(link);
    expect(lines.length).toBe(9);
    expect(lines.at(-1)).toContain("o page  q quit");
  });

  it("is as large as the terminal, whatever there is to show", () => {
    for (const rows of [5, 8, 30]) {
      const lines = screen("", { columns: 20, rows }).split("\n");
      expect(lines.length).toBe(rows);
    }
  });
});

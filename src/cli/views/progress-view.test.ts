import { Readable } from "node:stream";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createContext } from "../context.ts";
import { openView } from "./open-view.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A view on a terminal, and all that was written to it. */
function onTerminal() {
  const written: string[] = [];
  const stream = { isTTY: true, columns: 80, write: (text: string) => written.push(text) };
  const context = createContext({
    stdout: stream,
    stderr: stream,
    stdin: Readable.from([]),
    env: { NO_COLOR: "1" },
    workingDirectory: "/",
    version: "0.0.0-test",
    color: true,
  });
  return { written, view: openView(context, { output: "events", verbose: false }) };
}

const erasedLine = "\r\u001B[1A\u001B[J";

it("draws below what others write", () => {
  const { written, view } = onTerminal();
  vi.advanceTimersByTime(100);
  view.context.process.stderr.write("a warning\n");
  vi.advanceTimersByTime(100);
  view.close();
  expect(written).toEqual(["0.1 s\n", erasedLine, "a warning\n", "0.2 s\n", erasedLine]);
});

it("leaves a question alone until something happens", () => {
  const { written, view } = onTerminal();
  vi.advanceTimersByTime(100);
  view.context.process.stdout.write("Apply this? [y/N] ");
  vi.advanceTimersByTime(1000);
  expect(written).toEqual(["0.1 s\n", erasedLine, "Apply this? [y/N] "]);
  view.emit({ type: "group", action: "plan", status: "started", message: "stage 1" });
  expect(written.slice(3)).toEqual(["stage 1\n", "0.1 s\n"]);
  view.close();
});

it("keeps what it knows of the terminal", () => {
  const { view } = onTerminal();
  expect(view.context.process.stdout).toMatchObject({ isTTY: true, columns: 80 });
  view.close();
});

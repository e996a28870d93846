import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { hasEnded, processMark } from "./process-mark.ts";

const marks = process.platform === "linux";

it("tells that a process goes on, and that it has ended", async () => {
  const mark = processMark();
  if (!marks || mark === undefined) {
    expect(hasEnded("")).toBe(false);
    return;
  }
  expect(hasEnded(mark)).toBe(false);
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  await once(child, "spawn");
  const start = (): string => {
    const text = readFileSync(`/proc/${child.pid ?? 0}/stat`, "utf8");
    return text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "";
  };
  const ofChild = mark.replace(/ \d+ \d+$/, ` ${child.pid ?? 0} ${start()}`);
  expect(hasEnded(ofChild)).toBe(false);
  // A process that has its number now, and was started at another time, is another one.
  expect(hasEnded(ofChild.replace(/\d+$/, "1"))).toBe(true);
  child.kill("SIGSTOP");
  expect(hasEnded(ofChild)).toBe(false);
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(hasEnded(ofChild)).toBe(true);
});

it("claims nothing of processes of other machines and containers", () => {
  const mark = processMark() ?? "boot pid:[1] 1 1";
  expect(hasEnded(`other ${mark.replace(/\d+ \d+$/, "999999 1")}`)).toBe(false);
  expect(hasEnded("")).toBe(false);
  expect(hasEnded("anything")).toBe(false);
});

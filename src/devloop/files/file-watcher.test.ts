import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FileWatcher } from "./file-watcher.ts";

describe("a file that becomes empty", () => {
  let folder: string;
  const watchers: FileWatcher[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "keelson-watcher-"));
  });
  afterEach(() => {
    for (const watcher of watchers.splice(0)) watcher.close();
    rmSync(folder, { recursive: true });
  });

  /** Watches a file; each change is what stands in it then. */
  function seen(file: string, emptyMs: number): readonly string[] {
    const contents: string[] = [];
    const onChange = (): void => void contents.push(readFileSync(file, "utf8"));
    const onTrouble = (_path: string, error: unknown): void => {
      throw error;
    };
    const watcher = new FileWatcher({ onChange, onTrouble, emptyMs });
    watchers.push(watcher);
    watcher.watch([file]);
    return contents;
  }

  it("is waited for, because somebody is about to write it", async () => {
    const file = join(folder, "a.yaml");
    writeFileSync(file, "one");
    const contents = seen(file, 600_000);
    const impatient = seen(file, 1);
    writeFileSync(file, "");
    // One write may be several events: how often it is told is not what this is about.
    await expect.poll(() => impatient.at(-1)).toBe("");
    expect(contents).toEqual([]);
    writeFileSync(file, "two");
    await expect.poll(() => contents.at(-1)).toBe("two");
    expect(contents).not.toContain("");
  });

  it("is believed to be empty after a while", async () => {
    const file = join(folder, "a.yaml");
    writeFileSync(file, "one");
    const contents = seen(file, 1);
    writeFileSync(file, "");
    await expect.poll(() => contents.at(-1)).toBe("");
  });
});

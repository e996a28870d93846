import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { discoveryCacheFile } from "./discovery-cache.ts";

const discovered = {
  parts: { "/api": [], "/apis": [] },
  etags: { "/apis": '"1"' },
  unavailable: { "/api": [], "/apis": ["example.com"] },
};

describe("the cache of discovery", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "keelson-cache-"));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const open = () => discoveryCacheFile(folder, "https://server", undefined);
  const file = async (): Promise<string> => {
    const [name = ""] = await readdir(join(folder, "discovery"));
    return join(folder, "discovery", name);
  };

  it("is read as it was written", async () => {
    await open().write(discovered, 7);
    expect(await open().read()).toEqual({ discovered, storedAtMs: 7 });
  });

  it("is as good as none when it was cut anywhere, or any part of it changed", async () => {
    await open().write(discovered, 7);
    const path = await file();
    const whole = await readFile(path, "utf8");
    for (let at = 0; at < whole.length; at++) {
      await writeFile(path, whole.slice(0, at));
      expect({ at, found: await open().read() }).toEqual({ at, found: undefined });
      const other = whole[at] === "1" ? "2" : "1";
      await writeFile(path, whole.slice(0, at) + other + whole.slice(at + 1));
      expect({ at, found: await open().read() }).toEqual({ at, found: undefined });
    }
  });

  it.each(["{}", "null", "[]", '{"format":3}', "\0\0\0"])(
    "is none when it holds %j",
    async (text) => {
      await open().write(discovered, 7);
      await writeFile(await file(), text);
      expect(await open().read()).toBeUndefined();
    },
  );

  it("does without where nothing can be written", async () => {
    const nowhere = discoveryCacheFile("/dev/null/cache", "https://server", undefined);
    await nowhere.write(discovered, 7);
    expect(await nowhere.read()).toBeUndefined();
  });
});

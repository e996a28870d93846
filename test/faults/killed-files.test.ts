import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runKeelson } from "../cli/run-keelson.ts";
import { startKeelson } from "../cli/start-keelson.ts";
import { patienceMs } from "../patience.ts";

const folder = mkdtempSync(join(tmpdir(), "keelson-killed-files-"));
const files = join(folder, "files");
const file = join(files, "a.txt");
const env = { HOME: folder };
const newContent = "new ".repeat(2_000_000);

beforeAll(() => {
  mkdirSync(files);
  writeFileSync(join(folder, "keelson.json"), '{ "project": "files" }');
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Begins an apply and kills it as soon as anything happens among the files. */
async function applyAndKill(): Promise<void> {
  const keelson = startKeelson(["apply", "main.ts", "--yes", "--sandbox"], env, folder);
  const watcher = watch(files, () => keelson.child.kill("SIGKILL"));
  await keelson.exited;
  watcher.close();
}

/** Writes the file in a process that dies at one step; how many steps there were if it came to the end. */
async function writeAndDie(step: number, ...oldContent: readonly string[]): Promise<number> {
  const script = join(import.meta.dirname, "die-at-step.ts");
  const child = spawn(process.execPath, [script, file, String(step), ...oldContent], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit") as Promise<[number | null, string | null]>;
  const steps = await text(child.stdout);
  expect(await ended).toEqual(steps === "" ? [null, "SIGKILL"] : [0, null]);
  return Number(steps);
}

it.each([
  ["created", []],
  ["changed", ["old"]],
])(
  "a file that is %s is whole or as it was, whichever step was the last",
  async (_, old) => {
    let steps = 0;
    for (let step = 0; steps === 0; step++) {
      rmSync(file, { force: true });
      for (const content of old) writeFileSync(file, content);
      // oxlint-disable-next-line no-await-in-loop -- one after the other: they write the same file
      steps = await writeAndDie(step, ...old);
      const isThere = existsSync(file);
      expect(readdirSync(files), `step ${step}`).toEqual(isThere ? ["a.txt"] : []);
      if (isThere) expect([...old, newContent]).toContain(readFileSync(file, "utf8"));
      else expect(old).toEqual([]);
    }
    expect(readFileSync(file, "utf8")).toBe(newContent);
    expect(steps).toBeGreaterThan(10);
    rmSync(file);
  },
  patienceMs,
);

it("a file whose run was killed leaves nothing behind", { timeout: patienceMs }, async () => {
  for (const content of ["one", "two", "three"]) {
    writeFileSync(
      join(folder, "main.ts"),
      `import { local } from "keelson";\nnew local.File("a", { path: "files/a.txt", content: "${content}".repeat(100_000) });\n`,
    );
    await applyAndKill();
    expect(["", "a.txt"]).toContain(readdirSync(files).join());
    const { code, stdout, stderr } = await runKeelson(["apply", "main.ts", "--yes", "--sandbox"], {
      env,
      workingDirectory: folder,
    });
    expect(code, stdout + stderr).toBe(0);
    expect(readdirSync(files)).toEqual(["a.txt"]);
  }
});

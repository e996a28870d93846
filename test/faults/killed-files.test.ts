import { mkdirSync, mkdtempSync, readdirSync, rmSync, watch, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runKeelson } from "../cli/run-keelson.ts";
import { startKeelson } from "../cli/start-keelson.ts";
import { patienceMs } from "../patience.ts";

const folder = mkdtempSync(join(tmpdir(), "keelson-killed-files-"));
const files = join(folder, "files");
const env = { HOME: folder };

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

it("a file whose run was killed leaves nothing behind", { timeout: patienceMs }, async () => {
  for (const content of ["one", "two", "three"]) {
    writeFileSync(
      join(folder, "main.ts"),
      `import { local } from "keelson";\nnew local.File("a", { path: "files/a.txt", content: "${content}".repeat(100_000) });\n`,
    );
    await applyAndKill();
    const { code, stderr } = await runKeelson(["apply", "main.ts", "--yes", "--sandbox"], {
      env,
      workingDirectory: folder,
    });
    expect(code, stderr).toBe(0);
    expect(readdirSync(files)).toEqual(["a.txt"]);
  }
});

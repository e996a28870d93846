import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { keelsonScript } from "../built-package.ts";
import { runKeelson } from "./run-keelson.ts";

it("completes in a real bash", async () => {
  const folder = mkdtempSync(join(tmpdir(), "keelson-completion-"));
  try {
    const { stdout: script } = await runKeelson(["completion", "bash"]);
    const keelson = `"${process.execPath}" "${keelsonScript}"`;
    writeFileSync(join(folder, "keelson"), `#!/bin/sh\nexec ${keelson} "$@"\n`, { mode: 0o755 });
    const ask = `${script}\nCOMP_WORDS=(keelson sand); COMP_CWORD=1; _keelson; echo "\${COMPREPLY[@]}"\nCOMP_WORDS=(keelson check --out); COMP_CWORD=2; _keelson; echo "\${COMPREPLY[@]}"`;
    const answer = execFileSync("bash", ["-c", ask], {
      env: { ...process.env, NODE_OPTIONS: "", PATH: `${folder}:${process.env["PATH"] ?? ""}` },
      encoding: "utf8",
    });
    expect(answer).toBe("sandbox\n--output\n");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

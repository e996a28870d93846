import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planLiveUpdate } from "./plan-live-update.ts";
import { tarOf } from "./tar.ts";

describe("an archive", () => {
  it.each([
    ["a.txt", "one"],
    ["deep/er/b.sh", ""],
    [`${"long/".repeat(30)}name.txt`, "x".repeat(1_025)],
    ["ünïcode/é.txt", "é"],
  ])("holds %s for tar", (path, text) => {
    const folder = mkdtempSync(join(tmpdir(), "keelson-tar-"));
    try {
      const archive = tarOf([{ path, content: Buffer.from(text), mode: 0o755 }]);
      const { status, stderr } = spawnSync("tar", ["-x", "-f", "-", "-C", folder], {
        input: archive,
      });
      expect({ status, stderr: stderr.toString() }).toEqual({ status: 0, stderr: "" });
      expect(readFileSync(join(folder, path), "utf8")).toBe(text);
      expect(statSync(join(folder, path)).mode & 0o777).toBe(0o755);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe("a live update", () => {
  const steps = [
    { kind: "fall-back-on", paths: ["/src/package.json"] },
    { kind: "sync", localPath: "/src/app", containerPath: "/app" },
    { kind: "sync", localPath: "/src/one.txt", containerPath: "/etc/" },
    { kind: "run", command: ["make"], triggers: ["/src/app/Makefile"], isEchoOff: false },
  ] as const;
  const build = {
    kind: "custom",
    reference: "web",
    ignore: [],
    liveUpdate: steps,
    command: [],
    directory: "/",
    environment: {},
    dependencies: ["/src"],
    pushesItself: false,
    skipsLocalStore: true,
    imageDependencies: [],
  } as const;
  it.each([
    [["/src/app/a.js"], "/app/a.js"],
    [["/src/app/Makefile", "/src/app/b/c.js"], "/app/Makefile /app/b/c.js, make"],
    [["/src/one.txt"], "/etc/one.txt"],
    [["/src/app/a.js", "/src/package.json"], "/src/package.json changed, which asks for a new web"],
    [["/src/other.js"], "/src/other.js is in no sync of web"],
    [["/src/application/a.js"], "/src/application/a.js is in no sync of web"],
  ])("of %j", (changed, expected) => {
    const plan = planLiveUpdate(build.liveUpdate, build.reference, changed);
    const text =
      plan.kind === "full"
        ? plan.message
        : [
            plan.files.map(({ container }) => container).join(" "),
            ...plan.runs.map(({ command }) => command.join(" ")),
          ].join(", ");
    expect(text).toBe(expected);
  });
});

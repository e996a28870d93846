/** A command ends soon when it is asked to, whatever its providers do. */
import { spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keelsonScript } from "../built-package.ts";
import { patienceMs } from "../patience.ts";
import { StoppedProcess } from "./stopped-process.ts";

/** Documented are 5 s; a busy machine may need longer, but never as long as a provider may take for a call. */
const longestStopMs = 20_000;

describe("SIGTERM ends an apply", () => {
  let world: StoppedProcess;
  beforeAll(async () => {
    world = await StoppedProcess.open(/^kpt\.dev\//);
    const cloud = "app/node_modules/cloud";
    write("app/keelson.json", '{ "project": "silent" }');
    // In the same process, with something that would keep it alive.
    write(
      `${cloud}/module.mjs`,
      `import { writeFileSync } from "node:fs";
setInterval(() => {}, 1_000);
const silence = () => {
  writeFileSync(process.env.REACHED, "");
  return new Promise(() => {});
};
export default { create: silence, read: silence, update: silence, delete: silence, find: () => null };
`,
    );
    write(
      `${cloud}/index.js`,
      'import { provisioned, Resource } from "keelson";\nexport class Thing extends Resource {\n  echo = provisioned();\n}\n',
    );
    write("app/main.ts", 'import { Thing } from "cloud";\nnew Thing("a", { value: "1" });\n');
    copyFileSync(
      new URL("./silent-provider.mjs", import.meta.url),
      join(world.folder, cloud, "provider.mjs"),
    );
  });
  afterAll(async () => {
    await world.close();
  });
  const declare = (provider: object | string): void => {
    const manifest = {
      name: "cloud",
      type: "module",
      exports: "./index.js",
      keelson: { provider },
    };
    write("app/node_modules/cloud/package.json", JSON.stringify(manifest));
  };
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(world.folder, file)), { recursive: true });
    writeFileSync(join(world.folder, file), text);
  };

  it.each(["operations:hangs", "create:hangs", "operations:closes", "create:closes", "module"])(
    "%s",
    async (fault) => {
      declare(
        fault === "module" ? "./module.mjs" : { command: [process.execPath, "provider.mjs"] },
      );
      const reached = join(world.folder, "reached");
      rmSync(reached, { force: true });
      const words = [keelsonScript, "apply", "app", "--kubeconfig", world.kubeconfig];
      const child = spawn(process.execPath, words, {
        cwd: world.folder,
        env: {
          ...process.env,
          NODE_OPTIONS: "",
          HOME: world.folder,
          FAULT: fault,
          REACHED: reached,
        },
        stdio: ["ignore", "pipe", "pipe"],
      });
      let said = "";
      child.stdout.on("data", (chunk) => (said += String(chunk)));
      child.stderr.on("data", (chunk) => (said += String(chunk)));
      const ended = new Promise<number | null>((resolve) => {
        child.on("close", resolve);
      });
      await expect.poll(() => existsSync(reached), { timeout: patienceMs }).toBe(true);
      const begun = performance.now();
      child.kill("SIGTERM");
      const ending = await ended;
      const tookMs = performance.now() - begun;
      expect(tookMs).toBeLessThan(longestStopMs);
      expect({ ending, said }).toMatchObject({ ending: 130 });
      const provider = Number(readFileSync(reached, "utf8"));
      if (fault === "module") return;
      expect(() => process.kill(provider, 0)).toThrow("ESRCH");
    },
  );
});

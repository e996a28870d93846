/** A sandbox with what a program of files and ConfigMaps has made, applied by the command line. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { openProviders } from "../../src/providers/index.ts";
import { connectTo } from "../../src/cluster/index.ts";
import { type DashboardServer, serveDashboard } from "../../src/dashboard/index.ts";
import { createSandbox } from "../../src/sandbox/index.ts";
import { runKeelson } from "../cli/run-keelson.ts";
import { settingsOf } from "../cluster/test-settings.ts";

export interface ProgramShop {
  readonly server: DashboardServer;
  /** Writes the program. */
  readonly write: (text: string) => Promise<void>;
  /** Runs a command in the folder of the program. */
  readonly keelson: (...args: readonly string[]) => Promise<string>;
  readonly close: () => Promise<void>;
}

export async function programShop(page: URL): Promise<ProgramShop> {
  const folder = await mkdtemp(join(tmpdir(), "keelson-program-"));
  const sandbox = await createSandbox();
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, sandbox.kubeconfig, { mode: 0o600 });
  await mkdir(join(folder, "app"));
  await writeFile(join(folder, "app", "keelson.json"), '{ "project": "shop" }');
  const cluster = connectTo(await settingsOf(kubeconfig), { namespace: "default" });
  const providers = openProviders({
    projectFolder: join(folder, "app"),
    environment: { HOME: folder },
  });
  const server = await serveDashboard({
    cluster,
    description: "the program",
    port: 0,
    page,
    providers,
  });
  return {
    server,
    write: (text) =>
      writeFile(
        join(folder, "app", "main.ts"),
        `import { k8s, local, random } from "keelson";\n${text}`,
      ),
    keelson: async (...args) => {
      const ran = await runKeelson([...args, "--kubeconfig", kubeconfig], {
        env: { HOME: folder },
        workingDirectory: join(folder, "app"),
      });
      expect(ran.stderr + ran.stdout).not.toContain("error[");
      return ran.stdout;
    },
    close: async () => {
      await server.close();
      await providers.close();
      await cluster.close();
      await sandbox.close();
      await rm(folder, { recursive: true });
    },
  };
}

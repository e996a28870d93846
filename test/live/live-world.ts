import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type Ran, runKeelson } from "../cli/run-keelson.ts";
import { defaultDataFolder, openSandboxCluster } from "../../src/sandbox/index.ts";
import { type Cluster, isUnserved } from "../../src/cluster/index.ts";

/** A home with a sandbox of its own, and a folder of packages, for one test. */
export class LiveWorld {
  readonly home = mkdtempSync(join(tmpdir(), "keelson-live-"));
  readonly #kubeconfig: string | undefined;

  /** With a kubeconfig the same commands run on that cluster. */
  constructor(kubeconfig?: string) {
    this.#kubeconfig = kubeconfig;
  }

  write(path: string, text: string): string {
    const file = join(this.home, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  erase(path: string): void {
    rmSync(join(this.home, path));
  }

  read(path: string): string {
    return readFileSync(join(this.home, path), "utf8");
  }

  /** Runs `keelson live …`; `{home}` stands for the folder. */
  live(line: string, stdin?: string): Promise<Ran> {
    const words = line.split(" ").map((word) => word.replace("{home}", this.home));
    return this.keelson(["live", ...words], stdin);
  }

  /** Runs any command, on the cluster of this world. */
  keelson(args: readonly string[], stdin?: string): Promise<Ran> {
    const isLocal = args.slice(0, 2).includes("init");
    const cluster =
      this.#kubeconfig === undefined || isLocal ? [] : ["--kubeconfig", this.#kubeconfig];
    return runKeelson([...args, ...cluster], {
      env: { HOME: this.home },
      workingDirectory: this.home,
      ...(stdin === undefined ? {} : { stdin }),
    });
  }

  /** Looks at the cluster, between two commands. */
  async look<T>(work: (cluster: Cluster) => Promise<T>): Promise<T> {
    const cluster = await this.#open();
    try {
      return await work(cluster);
    } finally {
      await cluster.close();
    }
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  async #open(): Promise<Cluster> {
    if (this.#kubeconfig === undefined) {
      return (await openSandboxCluster(defaultDataFolder({ HOME: this.home }))).cluster;
    }
    const { connectTo: connect, selectCluster } = await import("../../src/cluster/index.ts");
    const selection = await selectCluster({
      kubeconfig: this.#kubeconfig,
      env: {},
      home: this.home,
    });
    if (selection === undefined) throw new Error("there is no such cluster");
    return connect(selection.settings);
  }
}

/** Somebody else changes an inventory, for a long while. */
export async function holdLease(cluster: Cluster, name: string, holder: string): Promise<void> {
  const now = new Date().toISOString().replace("Z", "000Z");
  const times = { acquireTime: now, renewTime: now, leaseDurationSeconds: 3600 };
  const lease = {
    apiVersion: "coordination.k8s.io/v1",
    kind: "Lease",
    metadata: { name, namespace: "default" },
    spec: { holderIdentity: holder, ...times },
  };
  await cluster.apply(lease, { fieldManager: "other", force: true });
}

/** Resolves when a cluster tells of a kind: a while after its definition is established. */
export async function served(
  cluster: Cluster,
  kind: { readonly apiVersion: string; readonly kind: string },
): Promise<void> {
  for (let isServed = false; !isServed;) {
    // Each look is a request; what never comes ends with the test.
    isServed = await cluster.resource(kind).then(
      () => true,
      (error: unknown) => {
        if (isUnserved(error)) return false;
        throw error;
      },
    );
  }
}

export function configMap(
  name: string,
  data: Readonly<Record<string, string>> = {},
  annotations: Readonly<Record<string, string>> = {},
  namespace = "default",
): string {
  const lines = Object.entries(annotations).map(
    ([key, value]) => `    ${key}: ${JSON.stringify(value)}\n`,
  );
  const values = Object.entries(data).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}\n`);
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\n${lines.length === 0 ? "" : `  annotations:\n${lines.join("")}`}${values.length === 0 ? "" : `data:\n${values.join("")}`}---\n`;
}

export const group = (name: string, id?: string, namespace = "default"): string =>
  `apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\n${id === undefined ? "" : `  labels:\n    cli-utils.sigs.k8s.io/inventory-id: ${id}\n`}---\n`;

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { execute } from "./npm.ts";

/** How compilers of users find types, and the kind of modules that goes with it. */
const resolutions = { node16: "node16", nodenext: "nodenext", bundler: "preserve" };

/** Programs are checked without the types of Node, which their projects need not have. */
const program = `import { k8s, Resource } from "keelson";
import { option, supplyChain } from "keelson/blueprints";

class Web extends Resource {
  readonly address: string;
  constructor(args: { readonly replicas: number }) {
    super(args);
    const service = new k8s.Service("web", { spec: { ports: [{ port: 80 }] } });
    this.address = service.spec.clusterIP;
    // @ts-expect-error The types are there: a number is no text.
    new k8s.ConfigMap("settings", { data: { replicas: args.replicas } });
  }
}
export const web = new Web({ replicas: 2 });
export const functions = [option, supplyChain];
`;

/** Each export has its own copy of the types, and what comes from one must do for another. */
const library = `import { connectToCluster, runControllers, silentLog } from "keelson/controller";
import { type WriteOutputOptions, writeOutput } from "keelson/outputs";
import { createSandbox, openSandboxCluster } from "keelson/sandbox";

export async function useTogether(options: WriteOutputOptions): Promise<void> {
  const { kubeconfig } = await createSandbox();
  const { cluster } = await openSandboxCluster(kubeconfig);
  await writeOutput({ ...options, cluster });
  await writeOutput({ ...options, cluster: await connectToCluster() });
  const { signal } = new AbortController();
  await runControllers({ cluster, reconcilers: [], signal, holder: "me", log: silentLog });
  // @ts-expect-error The types are there: a text is no cluster.
  await writeOutput({ ...options, cluster: "" });
}
`;

/** Checks the types of all exports as users' compilers do, also inside of the declaration files. */
export async function checkTypes(
  folder: string,
  exports: readonly string[],
  compiler: string,
): Promise<void> {
  const imports = exports.map((name, index) => `export * as e${index} from "${name}";\n`);
  await writeFile(join(folder, "program.ts"), program);
  await writeFile(join(folder, "library.ts"), library);
  await writeFile(join(folder, "exports.ts"), imports.join(""));
  for (const [moduleResolution, module] of Object.entries(resolutions)) {
    const common = {
      module,
      moduleResolution,
      target: "es2024",
      lib: ["es2024"],
      strict: true,
      skipLibCheck: false,
      noEmit: true,
    };
    const configs = {
      program: { compilerOptions: { ...common, types: [] }, files: ["program.ts"] },
      library: {
        compilerOptions: { ...common, types: ["node"] },
        files: ["library.ts", "exports.ts"],
      },
    };
    for (const [name, config] of Object.entries(configs)) {
      const file = `tsconfig.${name}.json`;
      await writeFile(join(folder, file), JSON.stringify(config));
      await execute(compiler, ["-p", file], folder);
    }
  }
}

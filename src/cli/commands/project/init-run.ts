import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { fail, shellWord } from "../../../diagnostics/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import type { InitFlags } from "./init.ts";

const program = `import { k8s, Resource } from "keelson";

/** A web server with its configuration. Everything that it allocates is part of the plan. */
class Web extends Resource {
  readonly address: string;

  constructor(args: { readonly replicas: number; readonly greeting: string }) {
    super(args);
    const labels = { app: "web" };
    const settings = new k8s.ConfigMap("settings", { data: { GREETING: args.greeting } });
    new k8s.Deployment("web", {
      spec: {
        replicas: args.replicas,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [
              {
                name: "web",
                image: "nginx:1.29",
                envFrom: [{ configMapRef: { name: settings.metadata.name } }],
                ports: [{ containerPort: 80 }],
              },
            ],
          },
        },
      },
    });
    const service = new k8s.Service("web", { spec: { selector: labels, ports: [{ port: 80 }] } });
    // Only the cluster knows this address; it is filled in when the Service is there.
    this.address = \`http://\${service.spec.clusterIP}\`;
  }
}

const web = new Web({ replicas: 2, greeting: "hello" });
new k8s.ConfigMap("endpoints", { data: { WEB: web.address } });
`;

/** A name that the inventory of the project can have. */
function nameFrom(folder: string): string {
  const name = folder
    .normalize("NFKD")
    .replaceAll(/\p{Mark}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  return name === "" ? "project" : name;
}

export const runInit: CommandHandler<InitFlags, [string]> = (context, flags, directory) => {
  const folder = resolve(context.workingDirectory, directory);
  const name = flags.name ?? nameFrom(basename(folder));
  const files: Readonly<Record<string, string>> = {
    "keelson.json": json({
      $schema: "./node_modules/keelson/schema/keelson.schema.json",
      project: name,
      env: "dev",
      main: "main.ts",
    }),
    "main.ts": program,
    "package.json": json({
      name,
      private: true,
      type: "module",
      devDependencies: { keelson: `^${context.version}`, typescript: "^7.0.0" },
    }),
    "tsconfig.json": json({
      compilerOptions: {
        target: "esnext",
        module: "nodenext",
        strict: true,
        noEmit: true,
        types: [],
        skipLibCheck: true,
      },
      include: ["**/*.ts"],
    }),
  };
  const taken = Object.keys(files).filter((file) => existsSync(join(folder, file)));
  if (taken.length > 0 && !flags.force) {
    fail({
      code: "cli.file-exists",
      summary: `${taken.join(", ")} ${taken.length === 1 ? "exists" : "exist"} already in ${directory}`,
      hint: "choose another directory, or overwrite with --force",
    });
  }
  mkdirSync(folder, { recursive: true });
  for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text);
  const place = relative(context.workingDirectory, folder);
  const { stdout } = context.process;
  const { green } = context.style.stdout;
  stdout.write(`${green("✓")} ${Object.keys(files).join(", ")}\n`);
  // Whoever typed npx has no `keelson` on the PATH.
  const keelson = context.process.env["npm_command"] === "exec" ? "npx keelson" : "keelson";
  stdout.write(`next: ${place === "" ? "" : `cd ${shellWord(place)} && `}${keelson} plan\n`);
  return exitCode.success;
};

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** The ways in that are one run of a command. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { stringify } from "yaml";
import { historyOfGroup } from "../../../src/inventory/index.ts";
import type { KubernetesObject } from "../../../src/objects/index.ts";
import { runKeelson } from "../../cli/run-keelson.ts";
import { group } from "../../live/live-world.ts";
import type { CellSettings, OpenWay } from "../cell.ts";
import { type Call, isWrite } from "../line.ts";
import type { Part } from "../parts.ts";
import type { ApplyOptions, Outcome, WayIn } from "../way-in.ts";
import { bundleObject, programText, yamlText } from "./languages.ts";

/** How a command gets its desired state. */
interface Language {
  /** The words of the command, without `apply` or `destroy`. */
  readonly command: (verb: "apply" | "destroy") => readonly string[];
  readonly files: (parts: readonly Part[], namespace: string) => Readonly<Record<string, string>>;
  readonly stdin?: (parts: readonly Part[], namespace: string) => string;
  /** The name of the inventory and of its Lease. */
  readonly inventory: string;
}

const project = { "app/keelson.json": JSON.stringify({ project: "contract" }) };
const projectInventory = "contract-dev";
const packageInventory = "contract";

const languages = {
  yaml: {
    command: (verb) => ["live", verb, "app"],
    files: (parts, namespace) => ({
      "app/resourcegroup.yaml": group(packageInventory, undefined, namespace),
      "app/objects.yaml": yamlText(parts, namespace),
    }),
    inventory: packageInventory,
  },
  stdin: {
    command: (verb) => ["live", verb, "-"],
    files: () => ({}),
    stdin: (parts, namespace) =>
      group(packageInventory, undefined, namespace) + yamlText(parts, namespace),
    inventory: packageInventory,
  },
  program: {
    command: (verb) => [verb, "app"],
    files: (parts) => ({ ...project, "app/main.ts": programText(parts) }),
    inventory: projectInventory,
  },
  tiltfile: {
    command: (verb) => [verb, "app/Tiltfile"],
    files: (parts, namespace) => ({
      ...project,
      "app/Tiltfile": "k8s_yaml('objects.yaml', allow_duplicates=False)\n",
      "app/objects.yaml": yamlText(parts, namespace),
    }),
    inventory: projectInventory,
  },
  "bundle by command": {
    command: (verb) => [verb, "app/bundle.yaml"],
    files: (parts) => ({ ...project, "app/bundle.yaml": stringify(bundleObject("shop", parts)) }),
    inventory: projectInventory,
  },
} as const satisfies Readonly<Record<string, Language>>;

export function commandWay(name: keyof typeof languages): OpenWay {
  return (settings) => new CommandWay(settings, languages[name]);
}

class CommandWay implements WayIn {
  readonly line: CellSettings["line"];
  readonly lease: WayIn["lease"];
  readonly #settings: CellSettings;
  readonly #language: Language;
  readonly #home: Home;
  #parts: readonly Part[] = [];
  #text = "";

  constructor(settings: CellSettings, language: Language) {
    this.#settings = settings;
    this.#language = language;
    this.line = settings.line;
    this.lease = { namespace: settings.namespace, name: language.inventory };
    this.#home = new Home(settings);
  }

  apply(parts: readonly Part[], options: ApplyOptions = {}): Promise<Outcome> {
    this.#parts = parts;
    return this.again(options);
  }

  again({ adopts, forces, readyWithinMs }: ApplyOptions = {}): Promise<Outcome> {
    return this.#run("apply", [
      ...(adopts === true ? ["--inventory-policy", "adopt"] : []),
      ...(forces === true ? ["--force-conflicts"] : []),
      ...(readyWithinMs === undefined ? [] : ["--reconcile-timeout", `${readyWithinMs}ms`]),
    ]);
  }

  destroy(): Promise<Outcome> {
    return this.#run("destroy", []);
  }

  reported(): Promise<string> {
    return Promise.resolve(this.#text);
  }

  async history(): Promise<string> {
    return historyOf(this.#settings, this.#language.inventory);
  }

  owns({ metadata }: KubernetesObject): boolean {
    return metadata.annotations?.["config.k8s.io/owning-inventory"] !== undefined;
  }

  isOwnWrite(call: Call): boolean {
    return isWrite(call) && !/\/(?:resourcegroups|customresourcedefinitions)/.test(call.path);
  }

  close(): Promise<void> {
    this.#home.remove();
    return Promise.resolve();
  }

  async #run(verb: "apply" | "destroy", flags: readonly string[]): Promise<Outcome> {
    const { command, files, stdin } = this.#language;
    const { namespace } = this.#settings;
    this.#home.write(files(this.#parts, namespace));
    const ran = await runKeelson([...command(verb), ...flags], {
      env: this.#home.env,
      workingDirectory: this.#home.folder,
      ...(stdin === undefined ? {} : { stdin: stdin(this.#parts, namespace) }),
      onStdout: (text) => {
        this.#text += text;
      },
    });
    this.#text += ran.stderr;
    return { isFine: ran.code === 0, text: this.#text };
  }
}

/** A folder with a kubeconfig that leads to the line of a cell. */
export class Home {
  readonly folder = mkdtempSync(join(tmpdir(), "keelson-contract-"));
  readonly env: Readonly<Record<string, string>>;

  constructor({ namespace, line }: CellSettings) {
    const kubeconfig = join(this.folder, "kubeconfig");
    this.env = { HOME: this.folder, KUBECONFIG: kubeconfig, PATH: process.env["PATH"] ?? "" };
    this.write({
      kubeconfig: stringify({
        apiVersion: "v1",
        kind: "Config",
        // A name of a cluster for development.
        "current-context": "kind-contract",
        clusters: [{ name: "contract", cluster: { server: line.url } }],
        contexts: [
          { name: "kind-contract", context: { cluster: "contract", user: "admin", namespace } },
        ],
        users: [{ name: "admin", user: {} }],
      }),
    });
  }

  write(files: Readonly<Record<string, string>>): void {
    for (const [path, text] of Object.entries(files)) {
      const file = join(this.folder, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
    }
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What an inventory keeps of former runs. */
export async function historyOf(
  { cluster, namespace }: CellSettings,
  name: string,
): Promise<string> {
  const kind = { apiVersion: "kpt.dev/v1alpha1", kind: "ResourceGroup" };
  const found = await cluster.find({ ...kind, namespace, name });
  return (found === undefined ? undefined : historyOfGroup(found)) ?? "";
}

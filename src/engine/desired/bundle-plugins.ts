import { type BundlePlugin, isBundlePlugin } from "../../bundles/index.ts";
import { type Diagnostic, DiagnosticError } from "../../diagnostics/index.ts";
import { findModule } from "../../providers/index.ts";

const lookAgainMs = 60_000;

/** Plugins by name, each loaded once; one that is missing is looked for again after a while. */
export class BundlePlugins {
  readonly #folder: string;
  readonly #loaded = new Map<string, BundlePlugin>();
  readonly #missing = new Map<string, number>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  readonly get = (name: string): BundlePlugin | undefined => this.#loaded.get(name);

  /** Loads those that are not there yet; returns what is wrong with them. */
  async load(names: Iterable<string>): Promise<readonly Diagnostic[]> {
    const problems = await Promise.all([...new Set(names)].map((name) => this.#load(name)));
    return problems.flat();
  }

  async #load(name: string): Promise<readonly Diagnostic[]> {
    const missingSince = this.#missing.get(name);
    if (this.#loaded.has(name)) return [];
    if (missingSince !== undefined && Date.now() - missingSince < lookAgainMs) return [];
    const problem = await this.#find(name);
    if (problem !== undefined) this.#missing.set(name, Date.now());
    return problem === undefined ? [] : [problem];
  }

  async #find(name: string): Promise<Diagnostic | undefined> {
    const refuse = (message: string, detail?: string): Diagnostic => ({
      code: "bundle.unknown-plugin",
      severity: "error",
      summary: `the plugin ${name} of a bundle cannot be used: ${message}`,
      detail,
      hint: `npm install ${name}; its package.json names the module: "keelson": { "bundlePlugin": "./plugin.js" }`,
    });
    try {
      const found = await findModule(name, "bundlePlugin", this.#folder);
      if (found.kind === "missing") return refuse(found.message, found.places.join("\n"));
      if (!isBundlePlugin(found.value))
        return refuse(`the default export of ${found.file} has no describe and process`);
      this.#loaded.set(name, found.value);
      return undefined;
    } catch (error) {
      if (error instanceof DiagnosticError)
        return refuse(error.diagnostics[0]?.summary ?? error.message);
      throw error;
    }
  }
}

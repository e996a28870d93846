import { readFileSync, realpathSync } from "node:fs";
import { isBuiltin, registerHooks } from "node:module";
import { dirname, isAbsolute, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { instrument, isLoadingTools, type RewriteCache } from "./instrument/index.ts";
import { noteFailedImport } from "./import-problem.ts";
import { completePath, moduleToken } from "./module-packages.ts";
import type { ModulePackage, ModulePackages } from "./module-packages.ts";
import type { LoadedModules } from "./loaded-modules.ts";

export interface HookSettings {
  /** The module that `keelson` means: this very program, whatever the project has installed. */
  readonly library: string;
  readonly packages: ModulePackages;
  readonly modules: LoadedModules;
  /** Where rewritten modules are kept. */
  readonly cache?: RewriteCache | undefined;
}

/**
 * Has the modules of the program, and of packages that declare keelson, read and rewritten as they
 * are loaded; other packages are loaded as always.
 */
export function hookModules({ library, packages, modules, cache }: HookSettings): void {
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      if (specifier === "keelson") return { url: library, shortCircuit: true };
      if (isBuiltin(specifier) || isLoadingTools()) return nextResolve(specifier, context);
      const path = pathOf(specifier, context.parentURL);
      const complete = path === undefined ? undefined : completePath(path);
      if (complete !== undefined) {
        const url = pathToFileURL(realpathSync(complete)).href;
        // As editors take it: the type of a file with that extension need not be said.
        const isData = complete.endsWith(".json") && context.conditions.includes("import");
        return {
          url,
          shortCircuit: true,
          ...(isData ? { importAttributes: { ...context.importAttributes, type: "json" } } : {}),
        };
      }
      try {
        return nextResolve(specifier, context);
      } catch (error) {
        noteFailedImport(error, { specifier, importer: context.parentURL });
        throw error;
      }
    },
    load: (url, context, nextLoad) => {
      if (isLoadingTools()) return nextLoad(url, context);
      if (!url.startsWith("file:") || !/\.[cm]?[jt]s$/.test(new URL(url).pathname)) {
        return nextLoad(url, context);
      }
      const file = fileURLToPath(url);
      if (modules.isOwn(file)) return nextLoad(url, context);
      const owner = packages.of(file);
      if (!owner.isRead) return nextLoad(url, context);
      const source = readFileSync(file, "utf8");
      const shown = modules.add(file, source);
      const format = isCommonJs(file, source, owner) ? "commonjs" : "module";
      const rewritten = instrument(source, shown, moduleToken(file, owner), {
        format,
        ...(cache === undefined ? {} : { cache }),
      });
      modules.addCode(file, rewritten);
      return { format, source: rewritten.code, shortCircuit: true };
    },
  });
}

/** Decides as Node does, by extension, package and syntax; a module with neither syntax is no CommonJS. */
function isCommonJs(file: string, source: string, { isModule }: ModulePackage): boolean {
  if (/\.[cm][jt]s$/.test(file)) return /\.c[jt]s$/.test(file);
  if (isModule || /^\s*(?:import\b(?!\s*\()|export\b)/m.test(source)) return false;
  return /\b(?:require\s*\(|module\.exports|exports\.)/.test(source);
}

/** The path that a relative or absolute import means; undefined for packages. */
function pathOf(specifier: string, parent: string | undefined): string | undefined {
  if (specifier.startsWith("file:")) return fileURLToPath(specifier);
  if (isAbsolute(specifier)) return specifier;
  if (!/^\.\.?(?:\/|$)/.test(specifier) || parent?.startsWith("file:") !== true) return undefined;
  return resolve(dirname(fileURLToPath(parent)), specifier);
}

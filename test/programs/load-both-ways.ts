/** Loads modules with all that they import, as they are and rewritten, side by side in one process. */
import { readFileSync } from "node:fs";
import { createRequire, registerHooks } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { transformSync } from "rolldown/utils";
import { installRuntime } from "../../src/resources/provisioned/index.ts";
import { instrument } from "../../src/sources/program/instrument/index.ts";

export type Way = "plain" | "rewritten";
export type Exports = Readonly<Record<string, unknown>>;

const ways = /\?way=(plain|rewritten)$/;

/** Takes part in loading from now on; the result ends it. */
export function takePartInLoading(): () => void {
  installRuntime();
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      const way = ways.exec(context.parentURL ?? "")?.[0];
      const found = next(specifier, context);
      if (way === undefined || !found.url.startsWith("file:") || ways.test(found.url)) return found;
      return { ...found, url: `${found.url}${way}`, format: found.format ?? null };
    },
    load(url, context, next) {
      const way = ways.exec(url)?.[1];
      if (way === undefined || /\.(?:json|node|wasm)\?/.test(url)) return next(url, context);
      const file = fileURLToPath(url.replace(ways, ""));
      if (context.format?.startsWith("commonjs") === true) return next(url, context);
      const source = codeOf(file, way as Way);
      return { format: "module", source, shortCircuit: true };
    },
  });
  return () => hooks.deregister();
}

/** Imports a file one way. Node itself does it: the runner of these tests would rewrite it again. */
export async function loadFile(file: string, way: Way): Promise<Exports> {
  const url = `${pathToFileURL(file).href}?way=${way}`;
  const bridge = `export const loaded = await import(${JSON.stringify(url)});`;
  const imported: unknown = await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(bridge)}`
  );
  return (imported as { readonly loaded: Exports }).loaded;
}

function codeOf(file: string, way: Way): string {
  const source = readFileSync(file, "utf8");
  if (way === "rewritten") return instrument(source, file, `corpus:${file}`).code;
  if (!file.endsWith(".ts")) return source;
  const options = {
    lang: "ts",
    typescript: { removeClassFieldsWithoutInitializer: true },
  } as const;
  return transformSync(file, source, options).code;
}

/** Loads a CommonJS module with what it requires by relative paths. */
export function requireFile(file: string, way: Way): unknown {
  installRuntime();
  const loaded = new Map<string, { exports: unknown }>();
  const load = (path: string): unknown => {
    const known = loaded.get(path);
    if (known !== undefined) return known.exports;
    const module = { exports: {} };
    loaded.set(path, module);
    const source = readFileSync(path, "utf8");
    const code =
      way === "plain" ? source : instrument(source, path, "corpus:x", { format: "commonjs" }).code;
    const native = createRequire(path);
    const require = (name: string): unknown =>
      name.startsWith(".") ? load(native.resolve(name)) : native(name);
    // oxlint-disable-next-line no-new-func, typescript/no-implied-eval -- this is how Node runs such modules, too
    new Function("module", "exports", "require", code)(module, module.exports, require);
    return module.exports;
  };
  return load(file);
}

import { createHash } from "node:crypto";
import { type ModuleInfo, rememberSource } from "../../../resources/provisioned/index.ts";
import { addRuntime } from "./add-runtime.ts";
import { loadCompiler } from "./load-tools.ts";
import { ModuleText } from "./module-text.ts";
import { failOnSyntax, failOnTransform } from "./syntax-problem.ts";
import type { RewriteCache } from "./rewrite-cache.ts";
import { rewriteModule } from "./rewrite-module.ts";

/** A module ready to be run. Its map leads from the code back to the source, and is made when read. */
export interface Instrumented {
  readonly code: string;
  readonly map: SourceMap | undefined;
}

export interface SourceMap {
  readonly mappings: string;
  readonly sources: readonly string[];
}

export interface InstrumentOptions {
  /** How the module is run; ECMAScript modules unless told. */
  readonly format?: "module" | "commonjs";
  /** Where rewritten code is kept for the next time. */
  readonly cache?: RewriteCache | undefined;
}

/**
 * Rewrites a module of a program. `moduleToken` is `<package>:<path>` and names it in the names of
 * resources; `file` names it in messages.
 */
export function instrument(
  source: string,
  file: string,
  moduleToken: string,
  options: InstrumentOptions = {},
): Instrumented {
  const { cache, format = "module" } = options;
  const module: RewrittenModule = {
    source,
    sourceKey: rememberSource(file, source),
    info: { file, token: moduleToken },
    format,
  };
  if (cache === undefined) return rewrite(module);
  const key = createHash("sha256")
    .update(JSON.stringify([file, moduleToken, format, source]))
    .digest("hex");
  const known = cache.read(key);
  if (known === undefined) {
    const rewritten = rewrite(module);
    cache.write(key, rewritten.code);
    return rewritten;
  }
  return {
    code: known,
    get map() {
      return rewrite(module).map;
    },
  };
}

interface RewrittenModule {
  readonly source: string;
  readonly sourceKey: string;
  readonly info: ModuleInfo;
  readonly format: "module" | "commonjs";
}

function rewrite({ source, sourceKey, info, format }: RewrittenModule): Instrumented {
  const { file } = info;
  const { parseSync, transformSync } = loadCompiler();
  const isTypeScript = /\.[cm]?tsx?$/.test(file);
  const parsed = parseSync(file, source, {
    lang: isTypeScript ? "ts" : "js",
    // Types are not looked at, and leaving them out makes the tree much smaller.
    astType: "js",
    sourceType: format === "module" ? "module" : "commonjs",
    // What the engine would refuse later, without the place in the source: a name declared twice.
    showSemanticErrors: true,
  });
  const [problem] = parsed.errors;
  if (problem !== undefined) failOnSyntax(problem, file, source);
  const text = new ModuleText(source, sourceKey);
  rewriteModule(text, parsed.program, file);
  addRuntime(text, parsed.program, info, format);
  const code = text.edits.toString();
  if (!isTypeScript) {
    return {
      code,
      get map() {
        return text.edits.toMap(file);
      },
    };
  }
  const transformed = transformSync(file, code, typeScriptOptions);
  // The code is empty then, and a program of which nothing is left would have everything deleted.
  const [refused] = transformed.errors;
  if (refused !== undefined) failOnTransform(refused, file);
  return {
    code: transformed.code,
    get map() {
      const inputMap = text.edits.toMap(file);
      const options = { ...typeScriptOptions, sourcemap: true, inputMap: inputMap as never };
      return transformSync(file, code, options).map;
    },
  };
}

/** Fields that are declared without a value must not erase what the parent has put there. */
const typeScriptOptions = {
  lang: "ts",
  typescript: { removeClassFieldsWithoutInitializer: true },
  tsconfig: false,
} as const;

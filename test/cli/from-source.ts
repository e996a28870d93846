/** Loaded with --import: whoever imports keelson, as an example does, gets the source of this checkout. */
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const source = join(import.meta.dirname, "../../src");

registerHooks({
  resolve: (specifier, context, next) => {
    const [, part] = /^keelson(?:\/(\w+))?$/.exec(specifier) ?? [];
    if (specifier !== "keelson" && part === undefined) return next(specifier, context);
    const url = pathToFileURL(join(source, part ?? "", "index.ts")).href;
    return { url, shortCircuit: true };
  },
});

/** Loaded with --import: whoever imports keelson, as an example does, gets the built package of this checkout. */
import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const dist = join(import.meta.dirname, "../../dist");

registerHooks({
  resolve: (specifier, context, next) => {
    const [isOurs, part = "index"] = /^keelson(?:\/(\w+))?$/.exec(specifier) ?? [];
    if (isOurs === undefined) return next(specifier, context);
    return { url: pathToFileURL(join(dist, `${part}.js`)).href, shortCircuit: true };
  },
});

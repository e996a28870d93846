import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { fail } from "../../diagnostics/index.ts";
import { prepareForForeignCode } from "../../processes/foreign-code.ts";
import { durationText } from "../timeouts.ts";

export interface LoadModuleOptions {
  readonly packageName: string;
  readonly folder: string;
  readonly path: string;
  readonly loadMs: number;
}

/** The default export of a provider's module, and the file that it is in. */
export async function loadModule({
  packageName,
  folder,
  path,
  loadMs,
}: LoadModuleOptions): Promise<{ readonly value: unknown; readonly file: string }> {
  const provider = `the provider of the package ${JSON.stringify(packageName)}`;
  const file = resolve(folder, path);
  const isFile = await stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
  if (!isFile) {
    fail({
      code: "provider.not-loaded",
      summary: `${provider} is missing`,
      detail: `looked for ${file}, which ${resolve(folder, "package.json")} names`,
    });
  }
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new Error(`it was not loaded within ${durationText(loadMs)}`));
  }, loadMs);
  try {
    await prepareForForeignCode();
    const loading = import(pathToFileURL(file).href) as Promise<{ readonly default?: unknown }>;
    const module = await Promise.race([loading, late.promise]);
    return { value: module.default, file };
  } catch (error) {
    return fail({
      code: "provider.not-loaded",
      summary: `loading ${provider} failed: ${error instanceof Error ? error.message : String(error)}`,
      detail: file,
      ...(/\.[cm]?[jt]s$/.test(file)
        ? {}
        : {
            hint: `If it is no module but a program, say how it is started: "provider": { "command": ["…", ${JSON.stringify(path)}] }`,
          }),
      cause: error,
    });
  } finally {
    clearTimeout(timer);
  }
}

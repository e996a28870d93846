import type { Diagnostic } from "../../src/diagnostics/index.ts";
import {
  installRuntime,
  makeProvisioned,
  takeRejections,
} from "../../src/resources/provisioned/index.ts";
import { instrument } from "../../src/sources/program/instrument/index.ts";

/** What a module exports. */
export type Exports = Readonly<Record<string, unknown>>;

export interface ModuleRun {
  readonly exports: Exports;
  readonly error: unknown;
  readonly rejections: readonly Diagnostic[];
}

let runs = 0;

/** Runs the text of a module as it is. A module of the same text is run anew each time. */
export async function runPlain(code: string): Promise<Exports> {
  const url = `data:text/javascript,${encodeURIComponent(`${code}\n// ${runs++}`)}`;
  return (await import(/* @vite-ignore */ url)) as Exports;
}

/** Rewrites and runs a module; `bucket` stands for a resource that is not applied yet. */
export async function runInstrumented(source: string, file = "main.js"): Promise<ModuleRun> {
  installRuntime();
  const { code } = instrument(source, file, "shop:main");
  takeRejections();
  try {
    return { exports: await runPlain(code), error: undefined, rejections: takeRejections() };
  } catch (error) {
    return { exports: {}, error, rejections: takeRejections() };
  }
}

/** Makes global what the modules of these tests share. */
export function provideGlobals(values: Exports): void {
  for (const [name, value] of Object.entries(values)) Reflect.set(globalThis, name, value);
}

export const bucket = {
  arn: makeProvisioned({
    resource: { name: "dev:shop:main:aws:s3/Bucket#logs", label: 'Bucket "logs"' },
    path: ["arn"],
  }),
  tags: makeProvisioned({
    resource: { name: "dev:shop:main:aws:s3/Bucket#logs", label: 'Bucket "logs"' },
    path: ["tags"],
  }),
};

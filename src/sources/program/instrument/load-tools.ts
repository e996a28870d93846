import { createRequire } from "node:module";
import type * as MagicString from "magic-string";
import type * as Rolldown from "rolldown/utils";

let compiler: typeof Rolldown | undefined;
let editor: typeof MagicString | undefined;
let isLoading = false;

/** The parser of modules, loaded with the first that is rewritten: what is in the cache needs none. */
export function loadCompiler(): typeof Rolldown {
  compiler ??= load("rolldown/utils") as typeof Rolldown;
  return compiler;
}

/** What makes maps, loaded with the first that somebody asks for. */
export function loadEditor(): typeof MagicString {
  editor ??= load("magic-string") as typeof MagicString;
  return editor;
}

/** Whether what is loaded now is for the rewriting, and no part of the program. */
export function isLoadingTools(): boolean {
  return isLoading;
}

function load(name: string): unknown {
  isLoading = true;
  try {
    return createRequire(import.meta.url)(name);
  } finally {
    isLoading = false;
  }
}

import type { Library } from "../overload.ts";

/** Names as parts of a JSON pointer. */
export const jsonPatchLibrary: Library = {
  "jsonpatch.escapeKey(string) -> string": (name: string) =>
    name.replaceAll("~", "~0").replaceAll("/", "~1"),
};

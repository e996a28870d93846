import { unpackPositional } from "../arguments.ts";
import { BytesElements, type StarlarkBytes } from "../values/bytes.ts";
import { builtinTable } from "./method-table.ts";

export const bytesMethods = builtinTable({
  elems(_thread, args, keywords, name, receiver) {
    unpackPositional(name, args, keywords, []);
    return new BytesElements(receiver as StarlarkBytes);
  },
});

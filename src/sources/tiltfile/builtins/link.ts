import type { Link } from "../../../assembly/index.ts";
import {
  decodeText,
  EvaluationError,
  hostFunction,
  optionalOrNone,
  required,
  text,
  typeName,
  type Convert,
  type Value,
} from "../../starlark/index.ts";
import { itemsOf } from "../tiltfile-arguments.ts";
import { LinkValue } from "../values/tiltfile-values.ts";

/** `link(url, name)`. */
export const linkFunctions: Readonly<Record<string, Value>> = {
  link: hostFunction("link", (call) => {
    const { url, name = "" } = call.unpack({ url: required(text), name: optionalOrNone(text) });
    return new LinkValue(name === "" ? { url: address(url) } : { url: address(url), name });
  }),
};

/** Strings and links, one or several. */
export const links: Convert<readonly Link[]> = (value) =>
  itemsOf(value).map((item) => {
    if (item instanceof LinkValue) return item.data;
    if (typeof item === "string") return { url: address(decodeText(item)) };
    throw new EvaluationError(`got ${typeName(item)}, want string or link`);
  });

/** An address without a scheme is one of a web page. */
function address(given: string): string {
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(given) ? given : `http://${given}`;
  if (given !== "" && URL.canParse(url)) return url;
  throw new EvaluationError(`${JSON.stringify(given)} is no URL`);
}

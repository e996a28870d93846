import type { PortForward } from "../../../assembly/index.ts";
import {
  decodeText,
  EvaluationError,
  hostFunction,
  int,
  optionalOrNone,
  required,
  text,
  typeName,
  type Convert,
  type Value,
} from "../../starlark/index.ts";
import { itemsOf } from "../tiltfile-arguments.ts";
import { PortForwardValue } from "../values/tiltfile-values.ts";
import { present } from "./present.ts";

/** `port_forward(local_port, container_port, name, link_path, host)`. */
export const portForwardFunctions: Readonly<Record<string, Value>> = {
  port_forward: hostFunction("port_forward", (call) => {
    const given = call.unpack({
      local_port: required(localPort),
      container_port: optionalOrNone(port),
      name: optionalOrNone(text),
      link_path: optionalOrNone(linkPath),
      host: optionalOrNone(host),
    });
    return new PortForwardValue({
      localPort: given.local_port,
      ...present({
        containerPort: given.container_port,
        name: given.name === "" ? undefined : given.name,
        linkPath: given.link_path === "" ? undefined : given.link_path,
        host: given.host === "" ? undefined : given.host,
      }),
    });
  }),
};

/** `8000`, `"8000"`, `"8000:80"`, `"host:8000:80"`, a port forward, or several of these. */
export const portForwards: Convert<readonly PortForward[]> = (value) =>
  itemsOf(value).map(portForward);

function portForward(value: Value): PortForward {
  if (value instanceof PortForwardValue) return value.data;
  if (typeof value === "number" || typeof value === "bigint")
    return { localPort: localPort(value) };
  if (typeof value !== "string") {
    throw new EvaluationError(`got ${typeName(value)}, want int, string or port_forward`);
  }
  const given = decodeText(value);
  const parts = given.split(":");
  const [first = "", second = "", third = ""] = parts;
  switch (parts.length) {
    case 1:
      return { localPort: portIn(given, first) };
    case 2:
      return { localPort: localIn(given, first), containerPort: portIn(given, second) };
    case 3:
      return {
        host: host(value, first),
        localPort: localIn(given, second),
        containerPort: portIn(given, third),
      };
    default:
      throw new EvaluationError(`${JSON.stringify(given)} is no port forward: ${forms}`);
  }
}

const forms = 'write 8000, "8000:80" (local:container) or "host:8000:80"';

function portIn(whole: string, part: string): number {
  if (/^\d{1,5}$/.test(part) && isPort(Number(part))) return Number(part);
  throw new EvaluationError(`${JSON.stringify(whole)} is no port forward: ${forms}`);
}

/** 0 asks for a port that is free. */
function localIn(whole: string, part: string): number {
  return part === "0" ? 0 : portIn(whole, part);
}

const localPort: Convert<number> = (value) => (int(value) === 0 ? 0 : port(value));

const port: Convert<number> = (value) => {
  const number = int(value);
  if (isPort(number)) return number;
  throw new EvaluationError(`${number} is no port: ports are 1 to 65535`);
};

function isPort(number: number): boolean {
  return number >= 1 && number <= 65_535;
}

const linkPath: Convert<string> = (value) => {
  const path = text(value);
  // A colon before the first slash would make what comes before it a scheme.
  if (/^[^/?#]*:/.test(path) || /[\p{Cc} ]/u.test(path) || /%(?![0-9a-f]{2})/i.test(path))
    throw new EvaluationError(`${JSON.stringify(path)} is no path of a link`);
  return path === "" || path.startsWith("/") ? path : `/${path}`;
};

function host(value: Value, part = text(value)): string {
  if (part === "" || /^[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?$/.test(part)) return part;
  throw new EvaluationError(`${JSON.stringify(part)} is no host name or address`);
}

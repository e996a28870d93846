import { BlockList, isIP, isIPv6 } from "node:net";

type Environment = Readonly<Record<string, string | undefined>>;

/** The proxy that the environment asks for, by the rules that kubectl follows. */
export function proxyFor(server: string, env: Environment): string | undefined {
  const { protocol, hostname, port } = new URL(server);
  const host = hostname.replace(/^\[|\]$/g, "").toLowerCase();
  const name = protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const proxy = env[name] ?? env[name.toLowerCase()];
  if (proxy === undefined || proxy === "") return undefined;
  if (host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."))) {
    return undefined;
  }
  const effectivePort = port === "" ? (protocol === "https:" ? "443" : "80") : port;
  const exceptions = (env["NO_PROXY"] ?? env["no_proxy"] ?? "").split(",");
  if (
    exceptions.some((exception) => matches(exception.trim().toLowerCase(), host, effectivePort))
  ) {
    return undefined;
  }
  const url = proxy.includes("://") ? proxy : `http://${proxy}`;
  return URL.canParse(url) ? url : undefined;
}

/** `*`, an address, a network, a domain with or without its subdomains, each with a port or not. */
function matches(exception: string, host: string, port: string): boolean {
  if (exception === "") return false;
  if (exception === "*") return true;
  if (exception.includes("/")) return isInNetwork(exception, host);
  if (isIPv6(exception)) return exception === host;
  const [, name = exception, onlyPort] = /^\[?(.+?)\]?:(\d+)$/.exec(exception) ?? [];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  if (isIP(name) !== 0) return name === host;
  const domain = name.replace(/^\*?\./, "");
  const onlySubdomains = domain !== name;
  return host.endsWith(`.${domain}`) || (!onlySubdomains && host === domain);
}

function isInNetwork(network: string, host: string): boolean {
  const family = isIP(host);
  const [address = "", prefix = ""] = network.split("/");
  if (family === 0 || isIP(address) !== family || !/^\d+$/.test(prefix)) return false;
  if (Number(prefix) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  const type = family === 4 ? "ipv4" : "ipv6";
  list.addSubnet(address, Number(prefix), type);
  return list.check(host, type);
}

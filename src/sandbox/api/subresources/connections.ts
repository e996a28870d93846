import type { KubernetesObject } from "../../../objects/index.ts";
import { containerProcess } from "../../runtime/container-process.ts";
import type { ApiContext, ResourceRequest } from "../api-context.ts";
import { accessDenied } from "../authorization/require-access.ts";
import { chooseContainer } from "../pod-logs.ts";
import type { ApiResponse } from "../request.ts";
import { StatusError, badRequest, notFoundStatus } from "../status.ts";

const reasons: Readonly<Record<string, string>> = {
  exec: "there is nothing in them to execute",
  attach: "there is nothing in them to attach to",
  portforward: "nothing listens in them",
  proxy: "nothing listens in them",
};

/**
 * Connects to the local process behind a container. Nothing runs behind simulated ones; whoever wants
 * to connect to one is told so.
 */
export function connectToPod(context: ApiContext, request: ResourceRequest): ApiResponse {
  const { resource, path } = request;
  const { query } = request.request;
  const pod = context.store.get(resource.storageKey, path.namespace, path.name)?.object;
  if (pod === undefined) throw notFoundStatus(resource, path.name);
  if (resource.storageKey !== "/pods" || path.subresource === "proxy") throw refusal(request);
  requireCreate(context, request);
  const container = chooseContainer(pod, connectedContainer(pod, request));
  const process = containerProcess(context, pod, container);
  if (process === undefined) throw refusal(request);
  const flag = (name: string): boolean => ["true", "1"].includes(query.get(name) ?? "");
  const streams = {
    stdin: flag("stdin"),
    stdout: flag("stdout"),
    stderr: flag("stderr"),
    tty: flag("tty"),
  };
  switch (path.subresource) {
    case "portforward":
      return {
        kind: "connection",
        connection: { kind: "ports", ports: portsOf(query), connect: process.connect },
      };
    case "attach":
      requireStream(streams);
      return {
        kind: "connection",
        connection: { kind: "command", ...streams, start: () => process.attach(streams) },
      };
    default: {
      requireStream(streams);
      const command = query.getAll("command");
      if (command.length === 0) throw badRequest("you must specify a command");
      return {
        kind: "connection",
        connection: { kind: "command", ...streams, start: () => process.exec(command, streams) },
      };
    }
  }
}

/** Ports belong to the pod, so whichever container has the process is meant. */
function connectedContainer(
  pod: KubernetesObject,
  { request, path }: ResourceRequest,
): string | undefined {
  const asked = request.query.get("container") ?? "";
  if (asked !== "") return asked;
  const { containers } = pod["spec"] as { readonly containers: readonly { name: string }[] };
  return path.subresource === "portforward" ? containers[0]?.name : undefined;
}

/** Who opens a WebSocket does so by GET, and needs the right to create nevertheless. */
function requireCreate({ authorizer }: ApiContext, { request, path }: ResourceRequest): void {
  if (request.method !== "GET") return;
  const { group, resource, subresource, namespace, name } = path;
  const target = {
    kind: "resource",
    verb: "create",
    group,
    resource,
    subresource,
    namespace,
    name,
  } as const;
  const { allowed, reason } = authorizer.authorize(request.user, target);
  if (!allowed) throw accessDenied(request.user, target, reason);
}

function requireStream({ stdin, stdout, stderr }: Readonly<Record<string, boolean>>): void {
  if (stdin !== true && stdout !== true && stderr !== true) {
    throw badRequest("you must specify at least 1 of stdin, stdout, stderr");
  }
}

function portsOf(query: URLSearchParams): readonly number[] {
  return query
    .getAll("ports")
    .flatMap((text) => text.split(","))
    .filter((text) => text !== "")
    .map((text) => {
      const port = Number(text);
      if (!Number.isInteger(port) || port < 1 || port > 65_535) {
        throw badRequest(`Unable to parse ${JSON.stringify(text)} as a port`);
      }
      return port;
    });
}

function refusal({ path }: ResourceRequest): StatusError {
  const why = reasons[path.subresource] ?? "";
  return new StatusError(
    501,
    "NotImplemented",
    `the containers of the sandbox are simulated: ${why}, unless it was started with --allow-processes and a pod's annotation sandbox.keelson.dev/run names a command`,
  );
}

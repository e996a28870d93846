import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { Component, PortForward as DeclaredForward } from "../../assembly/index.ts";
import type { Cluster, OpenPortForward } from "../../cluster/index.ts";
import { type Diagnostic, DiagnosticError, fail } from "../../diagnostics/index.ts";
import type { Endpoint } from "../../events/index.ts";
import type { KubernetesObject, SourcedObject } from "../../objects/index.ts";
import { firstPort, isUsable, podPort } from "./pod-facts.ts";
import type { PodFeed } from "./pod-feed.ts";

export interface PortForwardsOptions {
  readonly cluster: Cluster;
  readonly pods: PodFeed;
  readonly onEndpoints: (component: string, endpoints: readonly Endpoint[]) => void;
  readonly onTrouble: (diagnostics: readonly Diagnostic[]) => void;
}

const pollMs = 50;
const longestWaitMs = 10_000;

/** A pod and one of its ports. */
interface Target {
  readonly pod: KubernetesObject;
  readonly port: number;
}

/**
 * Local ports that lead to the pods of components, or of their Services. A port is listened on as long
 * as it is declared; each connection goes to a pod that is there at that moment.
 */
export class PortForwards {
  readonly #options: PortForwardsOptions;
  readonly #listeners = new Map<string, Listeners>();
  readonly #toPods = new Map<string, Promise<OpenPortForward>>();
  readonly #connections = new Set<Socket>();

  constructor(options: PortForwardsOptions) {
    this.#options = options;
  }

  /** Listens on the ports that a component declares now, and on no others. */
  set(component: Component, objects: readonly SourcedObject[]): void {
    const { name, portForwards, links } = component;
    const service = component.workload === undefined ? serviceOf(objects) : undefined;
    const text = JSON.stringify([portForwards, service]);
    const known = this.#listeners.get(name);
    if (known?.text === text) {
      known.links = links;
      this.#tellEndpoints(name, known);
      return;
    }
    this.remove(name);
    const listeners: Listeners = { text, links, servers: new Map() };
    this.#listeners.set(name, listeners);
    for (const forward of portForwards)
      listeners.servers.set(forward, this.#listen(name, forward, service, listeners));
    this.#tellEndpoints(name, listeners);
  }

  /** Ports that are listened on, whichever they became, and links. */
  #tellEndpoints(name: string, listeners: Listeners): void {
    if (this.#listeners.get(name) !== listeners) return;
    const open = [...listeners.servers].flatMap(([forward, server]) => {
      const address = server.address();
      return address === null || typeof address === "string"
        ? []
        : [endpointOf(forward, address.port)];
    });
    this.#options.onEndpoints(name, [...open, ...listeners.links]);
  }

  remove(name: string): void {
    for (const server of this.#listeners.get(name)?.servers.values() ?? []) server.close();
    this.#listeners.delete(name);
  }

  async close(): Promise<void> {
    for (const name of this.#listeners.keys()) this.remove(name);
    for (const connection of this.#connections) connection.destroy();
    const forwards = await Promise.allSettled(this.#toPods.values());
    this.#toPods.clear();
    await Promise.all(
      forwards.map(async (each) => {
        if (each.status === "fulfilled") await each.value.close();
      }),
    );
  }

  #listen(
    name: string,
    forward: DeclaredForward,
    service: ServiceShape | undefined,
    listeners: Listeners,
  ): Server {
    const server = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (connection) => {
      this.#connections.add(connection);
      connection.on("error", () => undefined);
      connection.on("close", () => this.#connections.delete(connection));
      this.#connect(name, forward, service, connection).catch((error: unknown) => {
        connection.destroy();
        const diagnostics = error instanceof DiagnosticError ? error.diagnostics : [];
        this.#options.onTrouble(diagnostics);
      });
    });
    const { localPort, host = "127.0.0.1" } = forward;
    let taken: string | undefined;
    server.on("error", ({ code = "" }: NodeJS.ErrnoException) => {
      if (taken === undefined && (code === "EADDRINUSE" || code === "EACCES")) {
        taken = code === "EACCES" ? "may not be used" : "is in use";
        server.listen(0, host);
        return;
      }
      this.#warn(`port ${localPort} of ${host} cannot be used for ${name} (${code})`);
    });
    server.on("listening", () => {
      this.#tellEndpoints(name, listeners);
      const { port } = server.address() as AddressInfo;
      if (taken !== undefined)
        this.#warn(
          `port ${localPort} of ${host} ${taken}: ${name} is reached through port ${port} instead`,
        );
    });
    server.listen(localPort, host);
    return server;
  }

  #warn(summary: string): void {
    const hint = "end what uses it, or choose another local port";
    this.#options.onTrouble([{ code: "devloop.port", severity: "warning", summary, hint }]);
  }

  async #connect(
    component: string,
    forward: DeclaredForward,
    service: ServiceShape | undefined,
    connection: Socket,
  ): Promise<void> {
    const target = await this.#findTarget(component, forward, service);
    if (target === undefined || connection.destroyed) {
      connection.destroy();
      return;
    }
    const { localPort } = await this.#toPod(target);
    const inner = connect({ host: "127.0.0.1", port: localPort, allowHalfOpen: true });
    this.#connections.add(inner);
    inner.on("error", () => connection.destroy());
    inner.on("close", () => {
      this.#connections.delete(inner);
      connection.destroy();
    });
    connection.on("close", () => inner.destroy());
    connection.pipe(inner);
    inner.pipe(connection);
    connection.resume();
  }

  /** Waits a little for a pod that is about to be there. */
  async #findTarget(
    component: string,
    forward: DeclaredForward,
    service: ServiceShape | undefined,
  ): Promise<Target | undefined> {
    const { pods } = this.#options;
    const deadline = Date.now() + longestWaitMs;
    while (Date.now() < deadline && this.#listeners.has(component)) {
      const candidates =
        service === undefined
          ? pods.podsOf(component)
          : pods.selected(service.namespace, service.selector);
      const pod = candidates.find(isUsable);
      const port = pod === undefined ? undefined : portOf(pod, forward, service);
      if (port === 0)
        fail({
          code: "devloop.port",
          summary: `${component} declares no port that ${forward.name ?? "its forward"} could lead to`,
          hint: "name the port of the container, as in port_forward(0, 8080)",
        });
      if (pod !== undefined && port !== undefined) return { pod, port };
      await pause(pollMs);
    }
    return undefined;
  }

  /** Forwards to pods that were replaced lead nowhere. */
  #closeGone(): void {
    for (const [key, forward] of this.#toPods) {
      if (this.#options.pods.has(key.slice(0, key.lastIndexOf(":")))) continue;
      this.#toPods.delete(key);
      void forward.then((gone) => gone.close()).catch(() => undefined);
    }
  }

  #toPod({ pod, port }: Target): Promise<OpenPortForward> {
    const { uid = "", namespace, name = "" } = pod.metadata;
    const key = `${uid}:${port}`;
    const known = this.#toPods.get(key);
    if (known !== undefined) return known;
    this.#closeGone();
    const forward = this.#options.cluster.portForward({ namespace, name }, { podPort: port });
    this.#toPods.set(key, forward);
    forward.catch(() => this.#toPods.delete(key));
    return forward;
  }
}

/** What is listened on for one component. */
interface Listeners {
  /** What was declared when they were opened. */
  readonly text: string;
  links: readonly Endpoint[];
  readonly servers: Map<DeclaredForward, Server>;
}

interface ServiceShape {
  readonly namespace: string;
  readonly selector: Readonly<Record<string, string>>;
  readonly ports: readonly { readonly port: number; readonly targetPort?: number | string }[];
}

/** The Service of a component without a workload: its pods belong to somebody else. */
function serviceOf(objects: readonly SourcedObject[]): ServiceShape | undefined {
  const found = objects.find(
    ({ object }) => object.kind === "Service" && object.apiVersion === "v1",
  )?.object;
  const spec = found?.["spec"] as Partial<ServiceShape> | undefined;
  if (found === undefined || spec?.selector === undefined) return undefined;
  return {
    namespace: found.metadata.namespace ?? "",
    selector: spec.selector,
    ports: spec.ports ?? [],
  };
}

function portOf(
  pod: KubernetesObject,
  { localPort, containerPort }: DeclaredForward,
  service: ServiceShape | undefined,
): number {
  if (service === undefined) return containerPort ?? firstPort(pod) ?? localPort;
  const wanted = containerPort ?? localPort;
  const found = service.ports.find(({ port }) => port === wanted) ?? service.ports[0];
  const target = found?.targetPort ?? found?.port ?? wanted;
  return podPort(pod, target) ?? wanted;
}

function endpointOf(
  { host = "localhost", linkPath = "/", name }: DeclaredForward,
  port: number,
): Endpoint {
  return { url: `http://${host}:${port}${linkPath}`, ...(name === undefined ? {} : { name }) };
}

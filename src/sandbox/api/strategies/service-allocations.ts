import type { KubernetesObject } from "../../../objects/index.ts";
import type { Store } from "../../store/store.ts";
import { type ServicePort, specOf } from "./service-spec.ts";

const services = "/services";
const subnetSize = 65_534;
const firstNodePort = 30_000;
const lastNodePort = 32_767;

/** What services other than one have been given. */
export interface OthersAllocations {
  readonly hasAddress: (address: string) => boolean;
  readonly freeAddress: () => string;
  /** Ports with numbers for those that have none. */
  readonly withNodePorts: (ports: readonly ServicePort[]) => readonly ServicePort[];
}

const known = new WeakMap<Store, ServiceAllocations>();

/** What has been given to services, but for the one that is being written. */
export function othersAllocations(store: Store, service: KubernetesObject): OthersAllocations {
  const allocations = known.get(store) ?? new ServiceAllocations(store);
  known.set(store, allocations);
  return allocations.without(service);
}

/**
 * How many services have each address and node port. Brought up to date by what was written since it
 * was last asked: looking at all services for each new one takes a thousand times as long.
 */
class ServiceAllocations {
  readonly #store: Store;
  readonly #addresses = new Map<string, number>();
  readonly #ports = new Map<number, number>();
  #revision = -1;

  constructor(store: Store) {
    this.#store = store;
  }

  without({ metadata }: KubernetesObject): OthersAllocations {
    this.#update();
    const { namespace = "", name = "", uid } = metadata;
    const stored = this.#store.get(services, namespace, name)?.object;
    const own = stored?.metadata.uid === uid ? stored : undefined;
    const ownAddress = own === undefined ? undefined : specOf(own).clusterIP;
    const ownPorts = own === undefined ? new Set<number>() : portsOf(own);
    const hasAddress = (address: string): boolean =>
      (this.#addresses.get(address) ?? 0) > (address === ownAddress ? 1 : 0);
    const hasPort = (port: number): boolean =>
      (this.#ports.get(port) ?? 0) > (ownPorts.has(port) ? 1 : 0);
    const isOwnAlone = ownAddress !== undefined && !hasAddress(ownAddress);
    return {
      hasAddress,
      freeAddress: () => freeAddress(this.#addresses.size - (isOwnAlone ? 1 : 0), hasAddress),
      withNodePorts: (ports) => withNodePorts(ports, hasPort),
    };
  }

  #update(): void {
    const { history, revision } = this.#store;
    if (this.#revision < history.compactedRevision) {
      this.#addresses.clear();
      this.#ports.clear();
      for (const { object } of this.#store.list(services)) this.#count(object, 1);
    } else if (this.#revision < revision) {
      for (const { resource, type, stored, previous } of history.since(this.#revision)) {
        if (resource !== services) continue;
        if (previous !== undefined) this.#count(previous.object, -1);
        if (type !== "DELETED") this.#count(stored.object, 1);
      }
    }
    this.#revision = revision;
  }

  #count(service: KubernetesObject, by: number): void {
    const { clusterIP } = specOf(service);
    if (clusterIP !== undefined) add(this.#addresses, clusterIP, by);
    for (const port of portsOf(service)) add(this.#ports, port, by);
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

/** The node ports of a service, each once. */
function portsOf(service: KubernetesObject): ReadonlySet<number> {
  return new Set(
    (specOf(service).ports ?? []).flatMap(({ nodePort }) =>
      nodePort === undefined ? [] : [nodePort],
    ),
  );
}

/** The addresses of services. */
export const serviceRange = "10.96.0.0/16";

export function isInServiceRange(address: string): boolean {
  return address.startsWith("10.96.");
}

/** The next address after as many as there are; nearly always free at the first look. */
function freeAddress(count: number, isTaken: (address: string) => boolean): string {
  for (let step = 0; step < subnetSize; step++) {
    const number = ((count + 9 + step) % subnetSize) + 1;
    const address = `10.96.${number >>> 8}.${number & 0xff}`;
    if (!isTaken(address)) return address;
  }
  return "";
}

function withNodePorts(
  ports: readonly ServicePort[],
  isTaken: (port: number) => boolean,
): readonly ServicePort[] {
  let next = firstNodePort;
  return ports.map((port) => {
    if (port.nodePort !== undefined && port.nodePort !== 0) return port;
    while (isTaken(next) && next < lastNodePort) next++;
    const nodePort = next;
    if (next < lastNodePort) next++;
    return { ...port, nodePort };
  });
}

import type { Controller } from "./controller.ts";
import { nodeAddress } from "./first-objects.ts";
import { type Runtime, services } from "./runtime.ts";
import type { Service } from "./service-types.ts";
import { putStatus } from "./put-status.ts";

const firstAddress = 100;
const addresses = 65_000;

/** Gives services of type LoadBalancer an address from outside. */
export function loadBalancerController(runtime: Runtime): Controller {
  const events = runtime.recorder("service-controller");
  const used = new Map<string, string>();

  const addressOf = (service: Service): string => {
    const id = service.metadata.uid ?? "";
    const current = service.status?.loadBalancer?.ingress?.[0]?.ip ?? used.get(id);
    const taken = new Set(used.values());
    let address = current;
    for (let index = 0; address === undefined && index < addresses; index++) {
      const number = firstAddress + index;
      const candidate = `172.18.${number >>> 8}.${number & 0xff}`;
      if (!taken.has(candidate)) address = candidate;
    }
    used.set(id, address ?? nodeAddress);
    return address ?? nodeAddress;
  };

  const sync = (service: Service): void => {
    const { type, loadBalancerClass } = service.spec;
    const isBalanced = type === "LoadBalancer" && loadBalancerClass === undefined;
    const has = service.status?.loadBalancer?.ingress !== undefined;
    if (!isBalanced) {
      used.delete(service.metadata.uid ?? "");
      if (has && type !== "LoadBalancer") {
        putStatus(runtime.client, services, service, { ...service.status, loadBalancer: {} });
      }
      return;
    }
    const ip = addressOf(service);
    if (has) return;
    events.record(service, { reason: "EnsuringLoadBalancer", message: "Ensuring load balancer" });
    const loadBalancer = { ingress: [{ ip, ipMode: "VIP" }] };
    putStatus(runtime.client, services, service, { ...service.status, loadBalancer });
    events.record(service, { reason: "EnsuredLoadBalancer", message: "Ensured load balancer" });
  };

  return {
    name: "load-balancer",
    watches: [services],
    keysOf: ({ resource, type, stored }) => {
      if (resource !== services) return [];
      if (type !== "DELETED") return [stored];
      used.delete(stored.object.metadata.uid ?? "");
      return [];
    },
    reconcile: ({ namespace, name }) => {
      const service = runtime.client.get(services, namespace, name);
      if (service !== undefined && service.metadata.deletionTimestamp === undefined)
        sync(service as Service);
      return undefined;
    },
  };
}

import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { KubernetesObject } from "../../../objects/index.ts";
import { Store } from "../../store/store.ts";
import { othersAllocations } from "./service-allocations.ts";
import { specOf } from "./service-spec.ts";

const step = fc.record({
  name: fc.constantFrom("a", "b", "c", "d"),
  does: fc.constantFrom("write", "write", "write", "delete", "something else", "compact"),
  address: fc.constantFrom("", "None", "10.96.0.20"),
  isOpen: fc.boolean(),
});

test("what services have is known after any writes, as if all of them were looked at", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
      const store = new Store();
      for (const { name, does, address, isOpen } of steps) {
        const service: KubernetesObject = {
          apiVersion: "v1",
          kind: "Service",
          metadata: { namespace: "default", name, uid: name },
        };
        const others = store
          .list("/services")
          .filter((stored) => stored.name !== name)
          .map(({ object }) => specOf(object));
        const addresses = new Set(others.map(({ clusterIP }) => clusterIP ?? ""));
        const ports = new Set(others.flatMap((spec) => (spec.ports ?? []).map((p) => p.nodePort)));
        const allocations = othersAllocations(store, service);
        const free = allocations.freeAddress();
        const [first, second] = allocations.withNodePorts([{ port: 80 }, { port: 81 }]);
        expect(addresses.has(free)).toBe(false);
        expect(ports.has(first?.nodePort) || ports.has(second?.nodePort)).toBe(false);
        expect(first?.nodePort).not.toBe(second?.nodePort);
        for (const each of ["None", "10.96.0.20", free])
          expect(allocations.hasAddress(each)).toBe(addresses.has(each));
        if (does === "delete") store.delete("/services", "default", name);
        else if (does === "compact") store.history.compact(store.revision);
        else
          store.put(does === "write" ? "/services" : "/configmaps", {
            ...service,
            spec: {
              clusterIP: address === "" ? free : address,
              ports: isOpen && first !== undefined ? [first] : [{ port: 80 }],
            },
          });
      }
    }),
  );
});

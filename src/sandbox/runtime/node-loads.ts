import type { KubernetesObject } from "../../objects/index.ts";
import { type Amounts, amountsOf, podRequests } from "./pod-requests.ts";
import { isFinished } from "./pod-state.ts";
import type { Pod, PodSpec } from "./pod-types.ts";

interface Placed {
  readonly node: string;
  readonly requests: Amounts;
}

/** What a node lacks for a pod, in the scheduler's words. */
export interface Lack {
  readonly reasons: readonly string[];
  /** There would be room if other pods went. */
  readonly isTaken: boolean;
}

/** What the pods of each node take of it. */
export class NodeLoads {
  readonly #placed = new Map<string, Placed>();
  readonly #taken = new Map<string, Map<string, bigint>>();
  readonly #counts = new Map<string, number>();

  /** Takes note of a pod as it is now; true when it has made room. */
  take({ metadata, spec, status }: Pod, isDeleted: boolean): boolean {
    const { namespace = "", name = "" } = metadata;
    const id = `${namespace}/${name}`;
    const node = isDeleted || isFinished({ metadata, spec, status } as Pod) ? "" : spec.nodeName;
    const before = this.#placed.get(id);
    if ((before?.node ?? "") === (node ?? "")) return false;
    if (before !== undefined) this.#change(before, -1n);
    this.#placed.delete(id);
    if (node === undefined || node === "") return before !== undefined;
    const placed = { node, requests: podRequests(spec) };
    this.#placed.set(id, placed);
    this.#change(placed, 1n);
    return false;
  }

  podsOn(node: string): number {
    return this.#counts.get(node) ?? 0;
  }

  lack(spec: PodSpec, node: KubernetesObject): Lack | undefined {
    const { name = "" } = node.metadata;
    const { allocatable = {} } = (node["status"] ?? {}) as {
      readonly allocatable?: Readonly<Record<string, string>>;
    };
    const room = amountsOf(allocatable);
    const taken = this.#taken.get(name);
    const most = room.get("pods");
    const isFull = most !== undefined && BigInt(this.podsOn(name)) * 1000n >= most;
    const lacking = [...podRequests(spec)].filter(
      ([resource, amount]) =>
        amount > 0n && amount + (taken?.get(resource) ?? 0n) > (room.get(resource) ?? 0n),
    );
    if (lacking.length === 0 && !isFull) return undefined;
    return {
      reasons: [
        ...(isFull ? ["Too many pods"] : []),
        ...lacking.map(([resource]) => `Insufficient ${resource}`),
      ],
      isTaken: lacking.every(([resource, amount]) => amount <= (room.get(resource) ?? 0n)),
    };
  }

  #change({ node, requests }: Placed, by: bigint): void {
    this.#counts.set(node, this.podsOn(node) + Number(by));
    let taken = this.#taken.get(node);
    if (taken === undefined) {
      taken = new Map();
      this.#taken.set(node, taken);
    }
    for (const [resource, amount] of requests) {
      taken.set(resource, (taken.get(resource) ?? 0n) + amount * by);
    }
  }
}

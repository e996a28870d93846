import type { ResourceOptions } from "./resource-options.ts";
import { acceptProvisioned } from "./provisioned/index.ts";
import { allocate } from "./allocate.ts";

/**
 * Marks a class as a resource: whatever derives from it, at any depth, becomes a node of the graph
 * when it is allocated.
 *
 * ```ts
 * class Shop extends Resource {
 *   constructor(args: { replicas: number }) {
 *     super(args);
 *     new k8s.ConfigMap({ data: { replicas: String(args.replicas) } });
 *   }
 * }
 * ```
 */
// oxlint-disable-next-line typescript/no-extraneous-class -- deriving from it is its purpose
export class Resource {
  constructor(...args: ResourceParameters) {
    // The constructors of deriving classes see what is returned here as `this`.
    return allocate(this, new.target, args);
  }
}

// Resources store what they are given, whatever it is.
acceptProvisioned(Resource);

/** What the constructor of {@link Resource} takes, for classes that hand it on. */
export type ResourceParameters =
  | readonly [props?: object, options?: ResourceOptions | undefined]
  | readonly [
      id: string | undefined,
      props?: object | undefined,
      options?: ResourceOptions | undefined,
    ];

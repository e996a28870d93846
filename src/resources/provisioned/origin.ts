/** What stands for a resource in a value: enough to find it again and to name it to a person. */
export interface ResourceHandle {
  /** The full name, by which outputs are looked up. */
  readonly name: string;
  /** How a message calls it, such as `Bucket "logs"`. */
  readonly label: string;
}

/** Where a value comes from: a resource, and the steps from its outputs to the value. */
export interface Origin {
  readonly resource: ResourceHandle;
  readonly path: readonly (string | number)[];
}

/** Under this key a resource carries its handle, so that values can refer to the whole resource. */
export const resourceHandle: unique symbol = Symbol.for("keelson.resource-handle");

/** The handle of a resource, and undefined for everything else. */
export function handleOf(value: unknown): ResourceHandle | undefined {
  if (typeof value !== "object" || value === null || !(resourceHandle in value)) return undefined;
  return (value as { readonly [resourceHandle]?: ResourceHandle })[resourceHandle];
}

/** `spec.ports[0].name`, as a person writes it. */
export function propertyPath(path: readonly (string | number)[]): string {
  return path
    .map((step, index) =>
      /^\d+$/.test(String(step)) ? `[${step}]` : index === 0 ? String(step) : `.${step}`,
    )
    .join("");
}

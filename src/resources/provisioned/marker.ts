const markers = new WeakSet<object>();

/**
 * Initializes a field that the provider of a resource fills in:
 * `readonly arn: string = provisioned()`. The resource puts the value with its origin in its place.
 */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the type of the field decides
export function provisioned<T>(): T {
  const marker = Object.freeze({});
  markers.add(marker);
  return marker as T;
}

export function isProvisionedMarker(value: unknown): boolean {
  return typeof value === "object" && value !== null && markers.has(value);
}

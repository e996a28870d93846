import { at, type Fields, listAt, recordAt, textIn } from "./read-fields.ts";

/** Labels as `a=b,c=d`. */
export function formatLabels(labels: Fields): string {
  const text = Object.entries(labels)
    .map(([key, value]) => `${key}=${String(value)}`)
    .sort()
    .join(",");
  return text === "" ? "<none>" : text;
}

/** A label selector as kubectl takes it. */
export function formatSelector(selector: unknown): string {
  const text = selectorText(selector);
  return text === "" ? "<none>" : text;
}

export function selectorText(selector: unknown): string {
  const requirements = [
    ...Object.entries(recordAt(selector, "matchLabels")).map(
      ([key, value]) => [key, `${key}=${String(value)}`] as const,
    ),
    ...listAt(selector, "matchExpressions").map((each) => {
      const key = textIn(each, "key");
      return [key, requirementText(each, key)] as const;
    }),
  ];
  return requirements
    .sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0))
    .map(([, text]) => text)
    .join(",");
}

function requirementText(requirement: unknown, key: string): string {
  const values = listAt(requirement, "values").map(String).sort().join(",");
  switch (textIn(requirement, "operator")) {
    case "In":
      return `${key} in (${values})`;
    case "NotIn":
      return `${key} notin (${values})`;
    case "DoesNotExist":
      return `!${key}`;
    default:
      return key;
  }
}

/** The names and the images of containers. */
export function containerCells(template: unknown): readonly [names: string, images: string] {
  const containers = listAt(template, "spec.containers");
  return [
    containers.map((each) => textIn(each, "name")).join(","),
    containers.map((each) => textIn(each, "image")).join(","),
  ];
}

/** The first few of a list, and how many more there are. */
export function listWithMore(items: readonly string[], most: number, empty: string): string {
  if (items.length > most) {
    return `${items.slice(0, most).join(",")} + ${items.length - most} more...`;
  }
  const text = items.join(",");
  return text === "" ? empty : text;
}

/** The addresses at which a load balancer is reached. */
export function loadBalancerAddresses(object: unknown): string {
  const addresses = listAt(object, "status.loadBalancer.ingress")
    .map((each) => textIn(each, "ip") || textIn(each, "hostname"))
    .filter((each) => each !== "");
  return [...new Set(addresses)].sort().join(",");
}

export function booleanOr(object: unknown, path: string, otherwise: boolean): boolean {
  const value = at(object, path);
  return typeof value === "boolean" ? value : otherwise;
}

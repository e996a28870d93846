/** Splits `apps/v1` into group and version; the core group is the empty string. */
export function splitApiVersion(apiVersion: string): {
  readonly group: string;
  readonly version: string;
} {
  const slash = apiVersion.indexOf("/");
  return slash === -1
    ? { group: "", version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** Puts group and version together, as `splitApiVersion` takes them apart. */
export function apiVersionOf({
  group,
  version,
}: {
  readonly group: string;
  readonly version: string;
}): string {
  return group === "" ? version : `${group}/${version}`;
}

export function groupOf(apiVersion: string): string {
  return splitApiVersion(apiVersion).group;
}

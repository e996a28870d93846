import type { ResourceOptions } from "./resource-options.ts";

/** The options of a composite that apply to what it allocates; the others are about its own properties. */
export function handedOn({
  secret: _secret,
  naming: _naming,
  aliases: _aliases,
  ...options
}: ResourceOptions): ResourceOptions {
  return options;
}

/** The options of a resource with those of the composites around it: its own win, and it waits for both. */
export function withInherited(own: ResourceOptions, inherited: ResourceOptions): ResourceOptions {
  const options = { ...inherited, ...withoutUnset(own) };
  const { timeouts } = inherited;
  return {
    ...options,
    ...(timeouts === undefined ? {} : { timeouts: { ...timeouts, ...own.timeouts } }),
    ...(inherited.dependsOn === undefined
      ? {}
      : { dependsOn: [inherited.dependsOn, own.dependsOn ?? []].flat() }),
  };
}

function withoutUnset(options: ResourceOptions): ResourceOptions {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

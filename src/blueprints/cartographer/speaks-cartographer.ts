import { groupOf } from "../../objects/index.ts";

/**
 * Whether the status of an object is told as Cartographer tells it. Teams have tests on the conditions,
 * reasons and messages of `carto.run`; objects of `kontinue.io` are told in Keelson's own words.
 */
export function speaksCartographer({ apiVersion }: { readonly apiVersion: string }): boolean {
  return groupOf(apiVersion) === "carto.run";
}

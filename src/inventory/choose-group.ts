import { fail } from "../diagnostics/index.ts";
import type { GroupReference } from "./group-reference.ts";

const longestLabel = 63;
const labelValue = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;
const subdomain = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?(?:\.[a-z0-9](?:[-a-z0-9]*[a-z0-9])?)*$/;

/** Where a group may come from, in what was given to an apply. */
export interface GroupCandidates {
  /** ResourceGroups in the input and of --rg-file. */
  readonly groups: readonly GroupReference[];
  /** The inventory of the Kptfile beside the input. */
  readonly kptfile: GroupReference | undefined;
  /** Inventories of the old kind in the input; they must be moved before they can be used. */
  readonly configMaps?: readonly GroupReference[];
  /** From standard input a Kptfile does not count; it only decides what is suggested. */
  readonly fromStream: boolean;
}

/** The one inventory that an input names; everything else is an error that says what helps. */
export function chooseGroup({
  groups,
  kptfile,
  configMaps = [],
  fromStream,
}: GroupCandidates): GroupReference {
  const usable =
    fromStream || kptfile === undefined || groups.some((group) => sameGroup(group, kptfile))
      ? groups
      : [...groups, kptfile];
  if (usable.length === 0) return missing(kptfile, configMaps[0]);
  // What was moved and not yet removed is the same inventory.
  const candidates = [
    ...usable,
    ...configMaps.filter((each) => !usable.some((group) => sameGroup(group, each))),
  ];
  const [only, ...others] = candidates;
  if (only === undefined) return missing(kptfile, undefined);
  if (others.length > 0) {
    fail({
      code: "live.several-groups",
      summary: `${candidates.length} ResourceGroups were found; an apply has exactly one`,
      detail: candidates.map(describe).join("\n"),
      hint: "keep one of them",
    });
  }
  return checkGroup(only);
}

/** Refuses names that the API server would refuse, before anything is sent. */
export function checkGroup(group: GroupReference): GroupReference {
  const { name, namespace, id, source } = group;
  if (!subdomain.test(name) || name.length > 253) {
    fail({
      code: "live.invalid-group",
      summary: `${source}: ${JSON.stringify(name)} is no name for a ResourceGroup: lower-case letters, digits, - and . only (RFC 1123)`,
      hint: "choose another with --name",
    });
  }
  if (!subdomain.test(namespace) || namespace.length > longestLabel || namespace.includes(".")) {
    fail({
      code: "live.invalid-group",
      summary: `${source}: ${JSON.stringify(namespace)} is no name for a namespace`,
      hint: "choose another with --namespace",
    });
  }
  if (id.length > longestLabel) {
    const room = Math.max(1, longestLabel - namespace.length - 1);
    fail({
      code: "live.invalid-group",
      summary: `${source}: the inventory id ${JSON.stringify(id)} has ${id.length} characters; a label holds ${longestLabel}`,
      hint: `choose a shorter name: keelson live init --name ${name.slice(0, room).replace(/[-.]+$/, "")}`,
    });
  }
  if (!labelValue.test(id)) {
    fail({
      code: "live.invalid-group",
      summary: `${source}: ${JSON.stringify(id)} is no inventory id: letters, digits, -, _ and . only, with a letter or digit at both ends`,
      hint: "choose another with --inventory-id, or leave it out to have one made of name and namespace",
    });
  }
  return group;
}

function missing(
  kptfile: GroupReference | undefined,
  configMap: GroupReference | undefined,
): never {
  if (configMap !== undefined) {
    fail({
      code: "live.config-map-inventory",
      summary: `${configMap.source}: the inventory ${configMap.namespace}/${configMap.name} is a ConfigMap, the form that came before ResourceGroups`,
      hint: "move it to a ResourceGroup: keelson live migrate",
    });
  }
  if (kptfile !== undefined) {
    fail({
      code: "live.kptfile-inventory",
      summary: `the input has no ResourceGroup; the inventory ${kptfile.namespace}/${kptfile.name} is in the Kptfile, where an apply from standard input does not look for it`,
      hint: "move it to a file of its own: keelson live migrate",
    });
  }
  fail({
    code: "live.no-group",
    summary: "the input has no ResourceGroup, so nothing says which inventory it belongs to",
    hint: "make one with `keelson live init` and add it to the input, or give it with --rg-file",
  });
}

function sameGroup(left: GroupReference, right: GroupReference): boolean {
  return left.name === right.name && left.namespace === right.namespace && left.id === right.id;
}

function describe({ name, namespace, id, source }: GroupReference): string {
  return `${namespace}/${name}, id ${id}, read from ${source}`;
}

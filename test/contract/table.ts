/** The contract: every behaviour, every way in, and what is known to be wrong. */
import type { Behaviour } from "./behaviour.ts";
import { faults } from "./behaviours/faults.ts";
import { keeping } from "./behaviours/keeping.ts";
import { order } from "./behaviours/order.ts";
import { ownership } from "./behaviours/ownership.ts";
import { pruning } from "./behaviours/pruning.ts";
import { readiness } from "./behaviours/readiness.ts";
import { steadiness } from "./behaviours/steadiness.ts";
import { reporting } from "./behaviours/reporting.ts";
import type { OpenWay } from "./cell.ts";
import type { Way } from "./way-in.ts";
import { bundleByController } from "./ways/bundle-controller.ts";
import { commandWay } from "./ways/command.ts";
import { supplyChainByController } from "./ways/supply-chain.ts";
import { up } from "./ways/up.ts";

export const behaviours: readonly Behaviour[] = [
  ...keeping,
  ...ownership,
  ...pruning,
  ...order,
  ...readiness,
  ...reporting,
  ...faults,
  ...steadiness,
];

/** How each way is opened, and which API groups its cluster is not to have. */
export const openWays: Readonly<
  Record<Way, { readonly way: OpenWay; readonly hides: readonly string[] }>
> = {
  yaml: { way: commandWay("yaml"), hides: [] },
  stdin: { way: commandWay("stdin"), hides: [] },
  program: { way: commandWay("program"), hides: [] },
  tiltfile: { way: commandWay("tiltfile"), hides: [] },
  // The command carries a bundle out where nobody else does.
  "bundle by command": { way: commandWay("bundle by command"), hides: ["smith.atlassian.com"] },
  "bundle by controller": { way: bundleByController, hides: [] },
  // Half as many watches: all chains here are of the other group.
  "supply chain by controller": { way: supplyChainByController, hides: ["carto.run"] },
  up: { way: up, hides: [] },
};

import type { CauseFacts } from "../causes/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import type { RulesLookup } from "./rules/rule-book.ts";

/** What a verdict may need besides the object itself; some states are failures only after a while. */
export interface ReadinessContext extends CauseFacts {
  /** Whether somebody waits for the end of a Job, not only for its start. */
  readonly jobsMustComplete?: boolean | undefined;
  /** What the definitions of custom kinds say of their instances. */
  readonly rulesOf?: RulesLookup | undefined;
  /** Whether a claim's class binds only when a pod uses it, and none does. */
  readonly waitsForConsumer?: ((claim: KubernetesObject) => boolean) | undefined;
}

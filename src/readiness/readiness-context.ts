import type { KubernetesObject } from "../objects/index.ts";
import type { RulesLookup } from "./rules/rule-book.ts";

/** What a verdict may need besides the object itself. */
export interface ReadinessContext {
  /** Milliseconds since 1970: some states are failures only after a while. */
  readonly now: number;
  /** Whether somebody waits for the end of a Job, not only for its start. */
  readonly jobsMustComplete?: boolean | undefined;
  /** Objects that this one owns, as far as they are known. */
  readonly childrenOf?: ((owner: KubernetesObject) => readonly KubernetesObject[]) | undefined;
  /** What the definitions of custom kinds say of their instances. */
  readonly rulesOf?: RulesLookup | undefined;
  /** The last line that a container logged before it ended, if somebody fetched it. */
  readonly lastLogLine?:
    | ((pod: KubernetesObject, container: string) => string | undefined)
    | undefined;
  /** Whether a claim's class binds only when a pod uses it, and none does. */
  readonly waitsForConsumer?: ((claim: KubernetesObject) => boolean) | undefined;
}

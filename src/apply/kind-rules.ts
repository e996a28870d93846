import type { Cluster } from "../cluster/index.ts";
import { type KubernetesObject, scopeLookup } from "../objects/index.ts";
import { customDefinitions } from "../observe/index.ts";
import { type ReadinessRules, ruleBook, type RulesLookup } from "../readiness/index.ts";
import type { Emit } from "../events/index.ts";

interface Kind {
  readonly group: string;
  readonly kind: string;
}

const isBuiltIn = scopeLookup({});

/** What definitions say of custom kinds: given with the plan, or read when a kind first comes up. */
export class KindRules {
  readonly #cluster: Cluster;
  readonly #emit: Emit;
  readonly #given: RulesLookup;
  readonly #learning = new Map<string, Promise<void>>();
  readonly #learned = new Map<string, ReadinessRules>();
  #isForbidden = false;

  constructor(cluster: Cluster, emit: Emit, definitions: readonly KubernetesObject[] = []) {
    this.#cluster = cluster;
    this.#emit = emit;
    this.#given = ruleBook(definitions);
  }

  readonly rulesOf: RulesLookup = (group, kind) =>
    this.#given(group, kind) ?? this.#learned.get(`${group}/${kind}`);

  /** Reads the definitions of custom kinds that have not been asked for yet. */
  async learn(kinds: Iterable<Kind>): Promise<void> {
    const wanted = new Set<string>();
    const pending: Promise<void>[] = [];
    for (const { group, kind } of kinds) {
      if (isBuiltIn(group, kind) !== undefined || this.#given(group, kind) !== undefined) continue;
      const running = this.#learning.get(`${group}/${kind}`);
      if (running === undefined) wanted.add(`${group}/${kind}`);
      else pending.push(running);
    }
    if (wanted.size > 0) {
      const reading = this.#read(wanted);
      for (const kind of wanted) this.#learning.set(kind, reading);
      pending.push(reading);
    }
    await Promise.all(pending);
  }

  async #read(kinds: ReadonlySet<string>): Promise<void> {
    const definitions = await customDefinitions(this.#cluster, kinds);
    if (definitions === undefined) {
      this.#tellForbidden(kinds);
      return;
    }
    const rulesOf = ruleBook(definitions);
    for (const each of kinds) {
      const slash = each.lastIndexOf("/");
      const rules = rulesOf(each.slice(0, slash), each.slice(slash + 1));
      if (rules !== undefined) this.#learned.set(each, rules);
    }
  }

  #tellForbidden(kinds: ReadonlySet<string>): void {
    if (this.#isForbidden) return;
    this.#isForbidden = true;
    this.#emit({
      type: "warning",
      code: "readiness.definitions-forbidden",
      severity: "warning",
      summary: `the definitions of ${[...kinds].sort().join(", ")} may not be read, so that what they say of readiness does not count`,
      hint: "allow the verb get on customresourcedefinitions",
    });
  }
}

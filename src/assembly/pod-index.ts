import { stringifyJson } from "../json/index.ts";
import type { AssemblyObject } from "./assembly-object.ts";
import { meets, type PodRequirement } from "./label-selector.ts";
import type { PlacedPodTemplate } from "./pod-templates.ts";

interface IndexedPods {
  readonly workload: AssemblyObject;
  readonly labels: PlacedPodTemplate["labels"];
}

/** As many as tell one from several. */
const enough = 2;

const fewCandidates = 16;

/**
 * Finds the workloads whose pods a selector selects. Pods are kept by namespace and by each of their
 * labels, so that a selector looks only at those that share its rarest one.
 */
export class PodIndex {
  readonly #pods = new Map<string, IndexedPods[]>();
  readonly #answers = new Map<string, readonly AssemblyObject[]>();

  add(workload: AssemblyObject, { labels }: PlacedPodTemplate): void {
    const pods = { workload, labels };
    this.#put(workload.namespace, pods);
    for (const [key, value] of Object.entries(labels))
      this.#put(labelKey(workload.namespace, key, value), pods);
  }

  /** The workloads that are selected, at most two of them: more make no difference. */
  select(namespace: string, requirements: readonly PodRequirement[]): readonly AssemblyObject[] {
    if (requirements.length === 0) return [];
    const candidates = this.#candidates(namespace, requirements);
    if (candidates.length <= fewCandidates) return search(candidates, requirements);
    // Many selectors of one text would look at the same many pods again and again.
    const question = stringifyJson([namespace, requirements]);
    const known = this.#answers.get(question);
    if (known !== undefined) return known;
    const answer = search(candidates, requirements);
    this.#answers.set(question, answer);
    return answer;
  }

  /** The pods with the rarest of the labels that are asked for. */
  #candidates(namespace: string, requirements: readonly PodRequirement[]): readonly IndexedPods[] {
    let candidates = this.#pods.get(namespace) ?? [];
    for (const { key, operator, values } of requirements) {
      if (operator !== "In" || values.length !== 1) continue;
      const sharing = this.#pods.get(labelKey(namespace, key, values[0])) ?? [];
      if (sharing.length < candidates.length) candidates = sharing;
    }
    return candidates;
  }

  #put(key: string, pods: IndexedPods): void {
    const there = this.#pods.get(key);
    if (there === undefined) this.#pods.set(key, [pods]);
    else there.push(pods);
  }
}

function search(
  candidates: readonly IndexedPods[],
  requirements: readonly PodRequirement[],
): readonly AssemblyObject[] {
  const found = new Set<AssemblyObject>();
  for (const { workload, labels } of candidates) {
    if (meets(labels, requirements)) found.add(workload);
    if (found.size === enough) break;
  }
  return [...found];
}

function labelKey(namespace: string, key: string, value: unknown): string {
  return `${namespace}\u0000${key}\u0000${String(value)}`;
}

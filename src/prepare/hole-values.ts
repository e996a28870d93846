import { type Cluster } from "../cluster/index.ts";
import { fail } from "../diagnostics/index.ts";
import type { JsonValue } from "../json/index.ts";
import {
  formatIdentity,
  type KubernetesObject,
  type ObjectIdentity,
  apiVersionOf,
} from "../objects/index.ts";
import {
  copiedValue,
  fillHole,
  type Hole,
  type HoleSource,
  mutationFailed,
} from "../plan/index.ts";
import { outputsOf, type ProgramRun } from "./program-run.ts";

/** What values of holes are made of. */
export interface HoleInputs {
  readonly cluster: Cluster;
  /** Computes values of programs and bundles. */
  readonly program: Pick<ProgramRun, "resolve"> | undefined;
  /** A source as it is now; undefined where it is not there, or may still become another. */
  readonly find: (source: HoleSource) => Promise<KubernetesObject | undefined>;
}

/** Gives the value of a hole; nothing as long as one of its sources is not there. */
export type HoleValues = (hole: Hole) => Promise<{ readonly value: JsonValue } | undefined>;

/** Computes values of holes; what they are computed from is read once. */
export function holeValues({ cluster, program, find }: HoleInputs): HoleValues {
  const outputs = new Map<string, Promise<JsonValue | undefined>>();
  const outputOf = (key: string, live: KubernetesObject): Promise<JsonValue | undefined> => {
    const output = outputs.get(key) ?? outputsOf(cluster, live);
    outputs.set(key, output);
    return output;
  };
  return async (hole) => {
    const found = await Promise.all(hole.sources.map(find));
    if (hole.kind === "copied") {
      const [live] = found;
      if (live === undefined) return undefined;
      return { value: copiedValue(hole.mutation, hole.sources[0].identity, live) };
    }
    const known = new Map<string, JsonValue>();
    for (const [index, { key, resource = key }] of hole.sources.entries()) {
      const live = found[index];
      const output = live === undefined ? undefined : await outputOf(key, live);
      if (output === undefined) return undefined;
      known.set(resource, output);
    }
    if (program === undefined) throw new Error("there is no program that computes the value");
    return { value: await program.resolve(hole.deferred, known) };
  };
}

/** An object with all its holes filled; throws what stands in the way. */
export async function fillHoles(
  template: KubernetesObject,
  holes: readonly Hole[],
  valueOf: HoleValues,
): Promise<KubernetesObject> {
  const values = await Promise.all(holes.map(valueOf));
  return holes.reduce((object, hole, index) => {
    const known = values[index];
    return known === undefined ? missingValue(hole) : fillHole(object, hole, known.value);
  }, template);
}

function missingValue({ kind, sources: [first] }: Hole): never {
  if (kind === "copied" && first?.identity !== undefined)
    mutationFailed(`there is no ${formatIdentity(first.identity)}`);
  fail({
    code: "program.unresolved",
    summary: "a value that it needs is still not known, although all that it waits for is there",
  });
}

/** A source that is not part of the run. */
export async function findSource(
  cluster: Cluster,
  { group, kind, namespace, name }: ObjectIdentity,
): Promise<KubernetesObject | undefined> {
  const resource = (await cluster.resources()).preferred(group, kind);
  if (resource === undefined)
    mutationFailed(`the cluster knows no kind ${kind} of the group ${JSON.stringify(group)}`);
  return cluster.find({ apiVersion: apiVersionOf(resource), kind, namespace, name });
}

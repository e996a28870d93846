import type { KubernetesObject } from "./kubernetes-object.ts";

/** An object that Helm runs at a moment of a release, rather than keeping it. */
export interface HelmHook {
  /** When it runs: `pre-install`, `post-upgrade`, `test` and so on. */
  readonly events: readonly string[];
  /** Lower ones run first. */
  readonly weight: number;
  /** Whether it is deleted when it has succeeded, or has failed; it makes place for the next one in any case. */
  readonly deletesSucceeded: boolean;
  readonly deletesFailed: boolean;
}

/** What Helm's annotations ask for; undefined where an object is no hook. */
export function helmHookOf({ metadata }: KubernetesObject): HelmHook | undefined {
  const { annotations = {} } = metadata;
  const events = words(annotations["helm.sh/hook"]);
  // Helm 2 had its definitions run as hooks; they are objects like others.
  if (events.length === 0 || events.includes("crd-install")) return undefined;
  const policies = words(annotations["helm.sh/hook-delete-policy"]);
  const weight = Number(annotations["helm.sh/hook-weight"] ?? 0);
  return {
    events,
    weight: Number.isFinite(weight) ? weight : 0,
    deletesSucceeded: policies.includes("hook-succeeded"),
    deletesFailed: policies.includes("hook-failed"),
  };
}

/** Whether a hook has a part in an apply: tests, deletions and rollbacks of a release have none. */
export function runsInApply({ events }: HelmHook): boolean {
  return events.some((event) => applyEvents.has(event));
}

/** Whether an object is there to test a release, and for nothing else. */
export function isHelmTest(object: KubernetesObject): boolean {
  const hook = helmHookOf(object);
  return hook !== undefined && !runsInApply(hook) && hook.events.some((each) => tests.has(each));
}

const applyEvents = new Set(["pre-install", "post-install", "pre-upgrade", "post-upgrade"]);
const tests = new Set(["test", "test-success", "test-failure"]);

function words(text: string | undefined): readonly string[] {
  return (text ?? "")
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "");
}

import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { conditionLines, objectsOf } from "../../../test/blueprints/paper-cluster.ts";
import type { World } from "./realization.ts";
import { realizeRunnable, type RunnableInput } from "./realize-runnable.ts";

const [runnable, template] = objectsOf(`
apiVersion: carto.run/v1alpha1
kind: Runnable
metadata: {name: job, namespace: apps, uid: u1, generation: 1}
spec:
  runTemplateRef: {name: runs}
  inputs: {what: 1}
---
apiVersion: carto.run/v1alpha1
kind: ClusterRunTemplate
metadata: {name: runs}
spec:
  outputs: {answer: .status.result}
  template:
    apiVersion: run.example/v1
    kind: Run
    metadata: {generateName: $(runnable.metadata.name)$-}
    spec: {what: $(runnable.spec.inputs.what)$}
`) as readonly [KubernetesObject, KubernetesObject];

const world: World = {
  live: [],
  accepted: new Map(),
  refusals: new Map(),
  rendered: new Map(),
  scopeOf: () => "namespaced",
  outside: () => undefined,
  resourceOf: (_apiVersion, kind) => kind,
  now: "2026-06-01T00:00:00Z",
};

function realize(more: Partial<RunnableInput> = {}) {
  return realizeRunnable({ runnable, template, selected: undefined, world, ...more });
}

/** The object that is stamped, as it would come back from the cluster. */
function run(status: JsonObject, more: JsonObject = {}): KubernetesObject {
  const [action] = realize().actions;
  if (action?.kind !== "apply") throw new Error("nothing is stamped");
  const { metadata, ...rest } = action.object;
  return {
    ...rest,
    metadata: { ...metadata, uid: "r1", creationTimestamp: world.now, ...more },
    status,
  };
}

const succeeded = (status: string) => ({
  conditions: [{ type: "Succeeded", status, message: "it did" }],
});

describe("Runnables", () => {
  const withTemplate = (change: (text: string) => string): Partial<RunnableInput> => ({
    template: JSON.parse(change(JSON.stringify(template))) as KubernetesObject,
  });
  const cases: readonly (readonly [
    what: string,
    input: () => Partial<RunnableInput>,
    ready: string,
  ])[] = [
    [
      "no template",
      () => ({ template: undefined }),
      'Ready False RunTemplateNotFound: unable to get run template [runs]: failed to get run template object from api server [ClusterRunTemplate/runs]: ClusterRunTemplate.carto.run "runs" not found',
    ],
    [
      "an account that is not there",
      () => ({ accountProblem: { reason: "ServiceAccountError", message: "it does not exist" } }),
      "Ready False ServiceAccountError: it does not exist",
    ],
    [
      "nothing selected",
      () => ({ selected: { kind: "problem", message: "selector did not match any objects" } }),
      "Ready False TemplateStampFailure: unable to resolve selector: selector did not match any objects",
    ],
    [
      "a tag that leads nowhere",
      () => withTemplate((text) => text.replace("inputs.what", "inputs.gone")),
      "Ready False TemplateStampFailure: unable to stamp object for run template [runs]: failed to recursively evaluate template: failed to interpolate template at path [spec.what]: evaluate tag $(runnable.spec.inputs.gone)$: jsonpath returned empty list: runnable.spec.inputs.gone",
    ],
    [
      "refused",
      () => ({ world: { ...world, refusals: new Map([["run", "it is forbidden"]]) } }),
      "Ready False StampedObjectRejectedByAPIServer: it is forbidden",
    ],
    ["written", () => ({}), "Ready Unknown Submitting: the object is being written"],
    ["begun", () => ({ world: { ...world, live: [run({})] } }), "Ready Unknown Unknown"],
    [
      "failed",
      () => ({ world: { ...world, live: [run(succeeded("False"))] } }),
      "Ready False SucceededCondition: it did",
    ],
    [
      "succeeded without its output",
      () => ({ world: { ...world, live: [run(succeeded("True"))] } }),
      "Ready False OutputPathNotSatisfied: waiting to read value from resource [Run/NAME] in namespace [apps]: output answer: .status.result leads nowhere",
    ],
    [
      "succeeded",
      () => ({ world: { ...world, live: [run({ ...succeeded("True"), result: 42 })] } }),
      "Ready True Ready",
    ],
    [
      "on its way out",
      () => ({ world: { ...world, live: [run({}, { deletionTimestamp: world.now })] } }),
      "Ready Unknown Terminating: waiting until Run NAME is gone, which is being deleted",
    ],
  ];
  it.each(cases)("%s", (_what, input, ready) => {
    const { status } = realize(input());
    const line = conditionLines(status)
      .at(-1)
      ?.replaceAll(/job-[0-9a-f]{10}/g, "NAME");
    expect(line).toBe(ready);
  });

  it("show the outputs of the newest success, with their types, and keep them", () => {
    const live = [run({ ...succeeded("True"), result: { deep: [1] } })];
    const { status } = realize({ world: { ...world, live } });
    expect(status["outputs"]).toEqual({ answer: { deep: [1] } });
    const later = realize({
      runnable: {
        ...runnable,
        status,
        spec: { ...(runnable["spec"] as JsonObject), inputs: { what: 2 } },
      },
      world: { ...world, live },
    });
    expect(later.status["outputs"]).toEqual({ answer: { deep: [1] } });
    expect(later.actions.map(({ kind }) => kind)).toEqual(["apply"]);
  });

  it("stamp what was selected, status and all", () => {
    const selected: KubernetesObject = {
      apiVersion: "v1",
      kind: "Thing",
      metadata: { name: "x", resourceVersion: "7" },
      status: { at: "home" },
    };
    const { actions } = realize({
      ...withTemplate((text) => text.replace("runnable.spec.inputs.what", "selected.status.at")),
      selected: { kind: "object", object: selected },
    });
    expect(actions[0]).toMatchObject({ kind: "apply", object: { spec: { what: "home" } } });
  });
});

import { expect, it } from "vitest";
import { type KubernetesObject, readObjectsFromText } from "../objects/index.ts";
import type { WorldStep } from "./chain-world.ts";
import { ownerDetail } from "./owner-view.ts";

const platform = `
apiVersion: kontinue.io/v1alpha1
kind: ClusterSupplyChain
metadata: { name: apps }
spec:
  selector: { type: web }
  resources:
    - name: credentials
      templateRef: { kind: ClusterConfigTemplate, name: credentials }
    - name: roll-out
      configs: [{ name: credentials, resource: credentials }]
      templateRef:
        kind: ClusterTemplate
        options:
          - name: plain
            selector: { matchFields: [{ key: configs.credentials, operator: DoesNotExist }] }
          - name: secured
            selector: { matchFields: [{ key: configs.credentials, operator: Exists }] }
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterConfigTemplate
metadata: { name: credentials }
spec:
  configPath: .data.password
  template: { apiVersion: v1, kind: Secret, metadata: { name: made } }
`;

const workload: KubernetesObject = {
  apiVersion: "kontinue.io/v1alpha1",
  kind: "Workload",
  metadata: { name: "shop", namespace: "default", uid: "1", labels: { type: "web" } },
};

const verdict = { status: "Current", reason: "", message: "" } as const;

function credentials(object: KubernetesObject | undefined): WorldStep {
  return {
    name: "credentials",
    template: "credentials",
    takes: [],
    verdict,
    status: { outputs: [{ name: "config", preview: "hunter2\n", lastTransitionTime: "now" }] },
    stamped:
      object === undefined ? undefined : { key: "made", object, verdict, otherOwner: undefined },
  };
}

function detail(steps: readonly WorldStep[]): ReturnType<typeof ownerDetail> {
  const { objects } = readObjectsFromText("platform.yaml", platform);
  const owner = { key: "shop", object: workload, verdict, blueprint: "apps", steps, version: "" };
  return ownerDetail(owner, {
    owners: [owner],
    platform: objects.map(({ object }) => object),
    definitions: [],
  });
}

const secret: KubernetesObject = {
  apiVersion: "v1",
  kind: "Secret",
  metadata: { name: "made", namespace: "default" },
  data: { password: "aHVudGVyMg==" },
};

it("decides by what was emitted in the cluster, and says what is not known before", () => {
  const before = detail([]);
  expect(before.steps[1]?.used).toBe("decided when credentials has emitted");
  expect(before.steps[1]?.options[1]?.verdicts).toEqual([
    "configs.credentials Exists: not known yet",
  ]);
  const after = detail([credentials(secret)]);
  expect(after.steps[1]?.options.map(({ name, isChosen }) => [name, isChosen])).toEqual([
    ["plain", false],
    ["secured", true],
  ]);
});

it("tells nothing of a Secret, whoever has written its value into the status", () => {
  const told = detail([credentials(secret)]);
  expect(told.steps[0]?.outputs).toEqual([{ name: "config", preview: "***", since: "now" }]);
  expect(JSON.stringify(told)).not.toMatch(/hunter2|aHVudGVyMg/);
});

it("tells what the owner says when its chain has gone", () => {
  const owner = {
    key: "shop",
    object: workload,
    verdict,
    blueprint: "apps",
    steps: [credentials(undefined)],
    version: "",
  };
  const { blueprints, steps } = ownerDetail(owner, {
    owners: [owner],
    platform: [],
    definitions: [],
  });
  expect(blueprints).toEqual([]);
  expect(steps.map(({ name, used }) => `${name}: ${used}`)).toEqual(["credentials: credentials"]);
});

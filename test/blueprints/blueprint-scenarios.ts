/** Supply chains in a cluster, from end to end: the same on the sandbox and on a real control plane. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { controllerRoles } from "../../src/controller/install/controller-roles.ts";
import { fieldAt, objectsIn } from "../../src/json/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { BlueprintWorld, conditionOf, reasonOf } from "./blueprint-world.ts";
import { gitSource, imageSource, platformYaml, workloadYaml } from "./platform-yaml.ts";

const configMap = { apiVersion: "v1", kind: "ConfigMap" };

function message(object: KubernetesObject | undefined): string {
  const conditions = objectsIn(fieldAt(object, "status", "conditions"));
  const found = conditions.find((each) => each["type"] === "Ready")?.["message"];
  return typeof found === "string" ? found : "";
}

/** The ConfigMaps of one workload or deliverable: others of the same world have theirs. */
async function stampedFor(world: BlueprintWorld, name: string): Promise<readonly string[]> {
  return (await world.configMaps()).filter((line) => line.startsWith(`${name}-`));
}

export function blueprintScenarios(kubeconfig: () => string): void {
  describe.each(["kontinue.io", "carto.run"])("%s", (group) => {
    let world: BlueprintWorld;
    beforeAll(async () => {
      world = await BlueprintWorld.open(kubeconfig());
      await world.allow();
      await world.apply(platformYaml(group));
      await world.control();
    });
    afterAll(() => world.close());
    const ready = (name: string) => world.ready(name, "Workload", group);
    const stamped = (name: string): Promise<readonly string[]> => stampedFor(world, name);
    const apply = (name: string, spec: string) => world.apply(workloadYaml(name, spec, group));

    it("waits for stamped objects as their definitions say", async () => {
      const own = `${group.split(".")[0] ?? ""}${world.unique}.example.com`;
      await world.apply(`
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: claims.${own}
  annotations:
    smith.atlassian.com/CrReadyWhenExistsKind: ConfigMap
    smith.atlassian.com/CrReadyWhenExistsVersion: v1
spec:
  group: ${own}
  scope: Namespaced
  names: { kind: Claim, plural: claims, singular: claim, listKind: ClaimList }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
---
apiVersion: ${group}/v1alpha1
kind: ClusterTemplate
metadata: { name: claim-UNIQUE }
spec:
  template: { apiVersion: ${own}/v1, kind: Claim, metadata: { name: $(workload.metadata.name)$ } }
---
apiVersion: ${group}/v1alpha1
kind: ClusterSupplyChain
metadata: { name: claims-UNIQUE }
spec:
  selector: { claims: UNIQUE }
  resources: [{ name: claim, templateRef: { kind: ClusterTemplate, name: claim-UNIQUE } }]
`);
      await world.allow("default", own, "claims");
      await world.apply(`
apiVersion: ${group}/v1alpha1
kind: Workload
metadata: { name: claiming, labels: { claims: UNIQUE } }
spec: {}
`);
      const kind = { apiVersion: `${own}/v1`, kind: "Claim" };
      const claim = await world.until(kind, "claiming", (object) => object !== undefined);
      const waiting = await world.workload(
        "claiming",
        (object) => JSON.stringify(object?.["status"] ?? {}).includes("waits for a ConfigMap"),
        "Workload",
        group,
      );
      expect(conditionOf(waiting, "Ready")).toBe("Unknown");
      await world.cluster.create({
        ...configMap,
        metadata: {
          name: "bound",
          namespace: world.namespace,
          ownerReferences: [{ ...kind, name: "claiming", uid: claim?.metadata.uid ?? "" }],
        },
      });
      await ready("claiming");
    });

    it("stamps a chain, and switches when the workload does", async () => {
      await apply("web", gitSource);
      const first = await ready("web");
      expect(fieldAt(first, "status", "supplyChainRef", "name")).toBe(`chain-${world.unique}`);
      expect(await stamped("web")).toEqual([
        'web-app {"image":"u:main"}',
        'web-git {"revision":"main","url":"u"}',
        'web-image {"image":"u:main"}',
      ]);
      await world.cluster.patch(
        {
          apiVersion: `${group}/v1alpha1`,
          kind: "Workload",
          namespace: world.namespace,
          name: "web",
        },
        "merge",
        { spec: { source: { git: null, image: "i" } } },
      );
      const waiting = await world.workload(
        "web",
        (object) => reasonOf(object) === "MissingValueAtPath",
        "Workload",
        group,
      );
      expect(message(waiting)).toBe(
        `waiting to read value [.metadata.annotations['example.com/found']] from resource [configmaps/web-bundle] in namespace [${world.namespace}]`,
      );
      await world.until(configMap, "web-git", (object) => object === undefined);
    });

    it("notices when a stamped object changes later", async () => {
      await apply("later", imageSource);
      await world.workload(
        "later",
        (object) => reasonOf(object) === "MissingValueAtPath",
        "Workload",
        group,
      );
      for (const found of ["1", "2"]) {
        await world.cluster.patch(
          { ...configMap, namespace: world.namespace, name: "later-bundle" },
          "merge",
          { metadata: { annotations: { "example.com/found": found } } },
        );
        await world.until(
          configMap,
          "later-app",
          (object) => fieldAt(object, "data", "image") === `i:${found}`,
        );
      }
      await ready("later");
    });

    it("puts back what somebody edits or deletes", async () => {
      await apply("drift", gitSource);
      await ready("drift");
      const reference = { ...configMap, namespace: world.namespace, name: "drift-app" };
      await world.cluster.patch(reference, "merge", { data: { image: "edited" } });
      await world.until(
        configMap,
        "drift-app",
        (object) => fieldAt(object, "data", "image") === "u:main",
      );
      const { metadata } = await world.cluster.get(reference);
      await world.cluster.delete(reference);
      await world.until(
        configMap,
        "drift-app",
        (object) => object !== undefined && object.metadata.uid !== metadata.uid,
      );
    });

    it("leaves alone what belongs to another workload", async () => {
      await world.apply(
        platformYaml(group)
          .replaceAll("-UNIQUE", "-same-UNIQUE")
          .replace("{test: UNIQUE}", "{same: UNIQUE}")
          .replace("$(workload.metadata.name)$-app", () => "shared"),
      );
      const same = (name: string): Promise<void> =>
        world.apply(
          workloadYaml(name, gitSource, group).replace("{test: UNIQUE}", "{same: UNIQUE}"),
        );
      await same("first");
      const owner = await ready("first");
      await same("second");
      const refused = await world.workload(
        "second",
        (object) => reasonOf(object) === "TemplateRejectedByAPIServer",
        "Workload",
        group,
      );
      expect(message(refused)).toContain("shared");
      const shared = await world.cluster.get({
        ...configMap,
        namespace: world.namespace,
        name: "shared",
      });
      expect(shared.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([owner?.metadata.uid]);
    });

    it("deletes what goes with a deleted workload", async () => {
      await apply("brief", gitSource);
      await ready("brief");
      await world.cluster.delete({
        apiVersion: `${group}/v1alpha1`,
        kind: "Workload",
        namespace: world.namespace,
        name: "brief",
      });
      for (const name of ["brief-git", "brief-image", "brief-app"])
        await world.until(configMap, name, (object) => object === undefined);
    });
  });

  describe("what is no longer stamped", () => {
    let world: BlueprintWorld;
    beforeAll(async () => {
      world = await BlueprintWorld.open(kubeconfig());
      await world.allow();
      await world.apply(platformYaml());
      await world.control();
      await world.apply(workloadYaml("web", gitSource));
      await world.ready("web");
    });
    afterAll(() => world.close());

    it("goes when a template names it otherwise, a step leaves, and the chain is deleted", async () => {
      await world.apply(platformYaml().replace("$-app}", "$-renamed}"));
      await world.until(configMap, "web-renamed", (object) => object !== undefined);
      await world.until(configMap, "web-app", (object) => object === undefined);

      await world.apply(platformYaml().replace(/ {4}- name: runner\n.*\n.*\n/, ""));
      await world.until(configMap, "web-renamed", (object) => object === undefined);

      const chain = {
        apiVersion: "kontinue.io/v1alpha1",
        kind: "ClusterSupplyChain",
        name: `chain-${world.unique}`,
      };
      await world.cluster.delete(chain);
      const unserved = await world.workload(
        "web",
        (object) => reasonOf(object) === "SupplyChainNotFound",
      );
      expect(fieldAt(unserved, "status", "resources")).toEqual([]);
      expect(fieldAt(unserved, "status", "supplyChainRef")).toBeUndefined();
      expect(await world.configMaps()).toEqual([]);
    });
  });

  describe("blueprints say whether they can serve", () => {
    let world: BlueprintWorld;
    beforeAll(async () => {
      world = await BlueprintWorld.open(kubeconfig());
      await world.allow();
      await world.control();
    });
    afterAll(() => world.close());

    it("until their templates are there", async () => {
      const [chain = "", ...templates] = platformYaml().split("---\n");
      await world.apply(chain);
      await world.apply(workloadYaml("web", gitSource));
      const early = await world.workload(
        "web",
        (object) => reasonOf(object) === "TemplatesNotFound",
      );
      expect(message(early)).toBe(
        "did not find the template of the resource(s) [source-provider, image-builder, runner]",
      );
      const isReady = (status: string) => (object: KubernetesObject | undefined) =>
        conditionOf(object, "Ready") === status;
      const kind = { apiVersion: "kontinue.io/v1alpha1", kind: "ClusterSupplyChain" };
      await world.until(kind, `chain-${world.unique}`, isReady("False"));
      await world.apply(templates.join("---\n"));
      await world.until(kind, `chain-${world.unique}`, isReady("True"));
      await world.ready("web");
    });
  });

  describe("service accounts", () => {
    let world: BlueprintWorld;
    beforeAll(async () => {
      world = await BlueprintWorld.open(kubeconfig());
      await world.apply(platformYaml());
      await world.control();
    });
    afterAll(() => world.close());

    it("without the right nothing is stamped, and with it, it is", async () => {
      await world.apply(workloadYaml("web", gitSource));
      const refused = await world.workload(
        "web",
        (object) => reasonOf(object) === "TemplateRejectedByAPIServer",
      );
      expect(message(refused)).toContain(`system:serviceaccount:${world.namespace}:default`);
      expect(message(refused)).toContain("cannot patch");
      await world.allow();
      await world.ready("web");
    });

    it("the workload's own comes first, and must be there", async () => {
      const spec = gitSource.replace("{source", "{serviceAccountName: builder, source");
      await world.apply(workloadYaml("own", spec));
      const missing = await world.workload(
        "own",
        (object) => reasonOf(object) === "ServiceAccountError",
      );
      expect(message(missing)).toBe(
        `failed to get service account [${world.namespace}/builder]: it does not exist`,
      );
      await world.apply(
        "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: builder, namespace: UNIQUE}\n",
      );
      await world.allow("builder");
      await world.ready("own");
      const object = await world.cluster.get({
        ...configMap,
        namespace: world.namespace,
        name: "own-app",
      });
      expect(object.metadata.annotations?.["keelson.dev/service-account"]).toBe(
        `${world.namespace}/builder`,
      );
    });

    it("then the chain's", async () => {
      await world.apply(
        platformYaml()
          .replaceAll("-UNIQUE", "-sa-UNIQUE")
          .replace("{test: UNIQUE}", "{chain: UNIQUE}\n  serviceAccountRef: {name: platform}"),
      );
      await world.apply(
        "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: platform, namespace: UNIQUE}\n",
      );
      await world.allow("platform");
      await world.apply(
        workloadYaml("chained", gitSource).replace("{test: UNIQUE}", "{chain: UNIQUE}"),
      );
      await world.ready("chained");
      const object = await world.cluster.get({
        ...configMap,
        namespace: world.namespace,
        name: "chained-app",
      });
      expect(object.metadata.annotations?.["keelson.dev/service-account"]).toBe(
        `${world.namespace}/platform`,
      );
    });
  });

  describe("the rights of the controller", () => {
    let world: BlueprintWorld;
    beforeAll(async () => {
      world = await BlueprintWorld.open(kubeconfig());
      await world.allow();
      for (const role of controllerRoles(world.namespace))
        await world.cluster.apply(role, { fieldManager: "test", force: true });
      await world.apply(platformYaml());
    });
    afterAll(() => world.close());

    it("are those that `keelson install` gives, and they are enough", async () => {
      const account = { namespace: world.namespace, name: "keelson-controller" };
      const { token } = await world.cluster.serviceAccountToken(account);
      // In all namespaces, as it is installed.
      await world.control({ token, namespace: undefined });
      await world.apply(workloadYaml("web", gitSource));
      await world.ready("web");
      await world.apply(workloadYaml("web", gitSource.replace("main", "next")));
      await world.until(
        configMap,
        "web-app",
        (object) => fieldAt(object, "data", "image") === "u:next",
      );
      await world.until(
        { apiVersion: "kontinue.io/v1alpha1", kind: "ClusterSupplyChain" },
        `chain-${world.unique}`,
        (object) => conditionOf(object, "Ready") === "True",
      );
    });
  });

  describe("deliveries, runs and runnables", () => {
    let world: BlueprintWorld;
    beforeAll(async () => {
      world = await BlueprintWorld.open(kubeconfig());
      await world.allow();
      await world.allow("default", "test.keelson.dev", "runs");
      await world.apply(runDefinition);
      await world.until(
        { apiVersion: "apiextensions.k8s.io/v1", kind: "CustomResourceDefinition" },
        "runs.test.keelson.dev",
        (object) => conditionOf(object, "Established") === "True",
      );
      await world.cluster.refreshResources();
      await world.control();
    });
    afterAll(() => world.close());
    const run = { apiVersion: "test.keelson.dev/v1", kind: "Run" };
    const runs = async (label: string): Promise<readonly KubernetesObject[]> =>
      (await world.cluster.list(run, { namespace: world.namespace, labelSelector: label })).items;
    const finish = async (
      name: string,
      status: "True" | "False",
      result: string,
    ): Promise<void> => {
      await world.cluster.patch(
        { ...run, namespace: world.namespace, name },
        "merge",
        { status: { result, conditions: [{ type: "Succeeded", status }] } },
        { subresource: "status" },
      );
    };
    /** The run of an input, once it is there. */
    const runOf = async (input: string): Promise<string> => {
      for await (const event of world.cluster.watch(run, {
        namespace: world.namespace,
        signal: AbortSignal.timeout(90_000),
      })) {
        const objects =
          event.kind === "snapshot"
            ? event.objects
            : event.kind === "bookmark"
              ? []
              : [event.object];
        const found = objects.find((each) => fieldAt(each, "spec", "input") === input);
        if (found?.metadata.name !== undefined) return found.metadata.name;
      }
      throw new Error(`there is no run of ${input}`);
    };

    it("a delivery passes its source on once it is deployed", async () => {
      await world.apply(deliveryYaml);
      await world.workload(
        "app",
        (object) => reasonOf(object) === "ConditionNotMet",
        "Deliverable",
      );
      expect(await stampedFor(world, "app")).toEqual([
        'app-config {"url":"u"}',
        'app-deployed {"want":"u"}',
      ]);
      await world.cluster.patch(
        { ...configMap, namespace: world.namespace, name: "app-deployed" },
        "merge",
        { metadata: { annotations: { have: "u" } } },
      );
      await world.ready("app", "Deliverable");
      expect(await world.configMaps()).toContain('app-verified {"from":"u"}');
    });

    it("a kind that is not there yet is refused in words, and stamped when it is", async () => {
      await world.apply(laterYaml);
      const refused = await world.workload(
        "early",
        (object) => reasonOf(object) === "TemplateRejectedByAPIServer",
      );
      expect(message(refused)).toContain(`Later${world.unique}`);
      await world.apply(laterDefinition);
      await world.allow("default", "test.keelson.dev", `later${world.unique}s`);
      await world.ready("early");
      await world.cluster.delete({
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        name: `later${world.unique}s.test.keelson.dev`,
      });
    });

    it("tekton: a run for each content, the newest success is handed on, the rest is kept in number", async () => {
      await world.apply(tektonYaml);
      const workload = (input: string): Promise<void> =>
        world.apply(
          workloadYaml("tests", `{params: [{name: input, value: ${input}}]}`).replace(
            "{test: UNIQUE}",
            "{tekton: UNIQUE}",
          ),
        );
      await workload("a");
      await finish(await runOf("a"), "True", "ok-a");
      await world.ready("tests");
      expect(await world.configMaps()).toContain('tests-result {"result":"ok-a"}');
      await workload("b");
      await finish(await runOf("b"), "False", "bad-b");
      await world.workload(
        "tests",
        (object) => conditionOf(object, "ResourcesHealthy") === "False",
      );
      await workload("c");
      await finish(await runOf("c"), "False", "bad-c");
      await workload("d");
      await finish(await runOf("d"), "True", "ok-d");
      await world.ready("tests");
      await world.until(
        configMap,
        "tests-result",
        (object) => fieldAt(object, "data", "result") === "ok-d",
      );
      const left = await runs("carto.run/workload-name=tests");
      expect(left.map((each) => fieldAt(each, "spec", "input"))).toContain("d");
      expect(left).toHaveLength(2);
      await workload("d");
      expect(await runs("carto.run/workload-name=tests")).toHaveLength(2);
    });

    it("a Runnable notices when the object comes that it selects, and when it changes", async () => {
      const own = runnableYaml("picked")
        .replaceAll("pick: me", "pick: later")
        .replaceAll("name: job", "name: picking")
        .replaceAll("runs-UNIQUE", "picks-UNIQUE");
      const [chosen = "", ...rest] = own.split("---\n");
      await world.apply(rest.join("---\n"));
      const isMissing = (object: KubernetesObject | undefined): boolean =>
        message(object).includes("selector did not match any objects");
      await world.workload("picking", isMissing, "Runnable");
      const late = chosen.replace("name: chosen", "name: late");
      await world.apply(late);
      await runOf("selected-picked");
      await world.apply(late.replace("prefix: selected", "prefix: again"));
      await runOf("again-picked");
      await world.cluster.delete({ ...configMap, namespace: world.namespace, name: "late" });
      await world.workload("picking", isMissing, "Runnable");
    });

    it("a Runnable runs once for each set of inputs, and shows the outputs of the last success", async () => {
      await world.apply(runnableYaml("one"));
      await finish(await runOf("selected-one"), "True", "first");
      const isOut = (result: string) => (object: KubernetesObject | undefined) =>
        fieldAt(object, "status", "outputs", "answer") === result;
      const done = await world.workload("job", isOut("first"), "Runnable");
      expect(conditionOf(done, "Ready")).toBe("True");
      await world.apply(runnableYaml("two"));
      await finish(await runOf("selected-two"), "False", "second");
      const failed = await world.workload(
        "job",
        (object) => conditionOf(object, "StampedObjectCondition") === "False",
        "Runnable",
      );
      expect(fieldAt(failed, "status", "outputs")).toEqual({ answer: "first" });
      await world.apply(runnableYaml("one"));
      await world.workload("job", (object) => conditionOf(object, "Ready") === "True", "Runnable");
      expect(await runs("carto.run/runnable-name=job")).toHaveLength(2);
    });
  });
}

const runDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: runs.test.keelson.dev}
spec:
  group: test.keelson.dev
  scope: Namespaced
  names: {kind: Run, listKind: RunList, plural: runs, singular: run}
  versions:
    - name: v1
      served: true
      storage: true
      subresources: {status: {}}
      schema:
        openAPIV3Schema:
          type: object
          properties:
            spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
            status: {type: object, x-kubernetes-preserve-unknown-fields: true}
`;

const laterDefinition = runDefinition
  .replaceAll("runs", "laterUNIQUEs")
  .replaceAll("Run", "LaterUNIQUE")
  .replace("singular: run", "singular: laterUNIQUE");

const laterYaml = `
apiVersion: kontinue.io/v1alpha1
kind: ClusterSupplyChain
metadata: {name: later-UNIQUE}
spec:
  selector: {later: UNIQUE}
  resources: [{name: later, templateRef: {kind: ClusterTemplate, name: later-UNIQUE}}]
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterTemplate
metadata: {name: later-UNIQUE}
spec:
  template: {apiVersion: test.keelson.dev/v1, kind: LaterUNIQUE, metadata: {name: $(workload.metadata.name)$}}
---
apiVersion: kontinue.io/v1alpha1
kind: Workload
metadata: {name: early, namespace: UNIQUE, labels: {later: UNIQUE}}
spec: {}
`;

const deliveryYaml = `
apiVersion: kontinue.io/v1alpha1
kind: ClusterDelivery
metadata: {name: delivery-UNIQUE}
spec:
  selector: {test: UNIQUE}
  resources:
    - {name: config, templateRef: {kind: ClusterSourceTemplate, name: config-UNIQUE}}
    - name: deploy
      templateRef: {kind: ClusterDeploymentTemplate, name: deploy-UNIQUE}
      deployment: {resource: config}
    - name: verify
      templateRef: {kind: ClusterTemplate, name: verify-UNIQUE}
      sources: [{name: deployed, resource: deploy}]
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterSourceTemplate
metadata: {name: config-UNIQUE}
spec:
  urlPath: .data.url
  revisionPath: .data.url
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: $(deliverable.metadata.name)$-config}, data: {url: $(deliverable.spec.source.git.url)$}}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterDeploymentTemplate
metadata: {name: deploy-UNIQUE}
spec:
  observedMatches: [{input: .data.want, output: .metadata.annotations.have}]
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: $(deliverable.metadata.name)$-deployed}, data: {want: $(deployment.revision)$}}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterTemplate
metadata: {name: verify-UNIQUE}
spec:
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: $(deliverable.metadata.name)$-verified}, data: {from: $(source.url)$}}
---
apiVersion: kontinue.io/v1alpha1
kind: Deliverable
metadata: {name: app, namespace: UNIQUE, labels: {test: UNIQUE}}
spec: {source: {git: {url: u}}}
`;

const tektonYaml = `
apiVersion: kontinue.io/v1alpha1
kind: ClusterSupplyChain
metadata: {name: tekton-UNIQUE}
spec:
  selector: {tekton: UNIQUE}
  resources:
    - {name: run, templateRef: {kind: ClusterConfigTemplate, name: run-UNIQUE}}
    - name: result
      templateRef: {kind: ClusterTemplate, name: result-UNIQUE}
      configs: [{name: result, resource: run}]
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterConfigTemplate
metadata: {name: run-UNIQUE}
spec:
  configPath: .status.result
  lifecycle: tekton
  retentionPolicy: {maxFailedRuns: 1, maxSuccessfulRuns: 1}
  template:
    apiVersion: test.keelson.dev/v1
    kind: Run
    metadata: {generateName: $(workload.metadata.name)$-}
    spec: {input: $(params.input)$}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterTemplate
metadata: {name: result-UNIQUE}
spec:
  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: $(workload.metadata.name)$-result}, data: {result: $(config)$}}
`;

function runnableYaml(input: string): string {
  return `
apiVersion: v1
kind: ConfigMap
metadata: {name: chosen, namespace: UNIQUE, labels: {pick: me}}
data: {prefix: selected}
---
apiVersion: kontinue.io/v1alpha1
kind: ClusterRunTemplate
metadata: {name: runs-UNIQUE}
spec:
  outputs: {answer: .status.result}
  template:
    apiVersion: test.keelson.dev/v1
    kind: Run
    metadata: {generateName: $(runnable.metadata.name)$-}
    spec: {input: "$(selected.data.prefix)$-$(runnable.spec.inputs.what)$"}
---
apiVersion: kontinue.io/v1alpha1
kind: Runnable
metadata: {name: job, namespace: UNIQUE}
spec:
  runTemplateRef: {name: runs-UNIQUE}
  selector: {resource: {apiVersion: v1, kind: ConfigMap}, matchingLabels: {pick: me}}
  inputs: {what: ${input}}
`;
}

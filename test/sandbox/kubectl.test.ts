import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CommandLine, openCommandLine } from "./command-line.ts";

let terminal: CommandLine;

beforeAll(async () => {
  terminal = await openCommandLine();
});

afterAll(async () => {
  await terminal.close();
});

/** One command and what it prints; ages, times and random parts are named. */
async function check(command: string, expected: string, input?: string): Promise<void> {
  const printed = await terminal.run(command, input === undefined ? {} : { input });
  expect(`$ ${command}\n${normalise(printed)}`).toBe(`$ ${command}\n${normalise(expected)}`);
}

function normalise(text: string): string {
  return text
    .replaceAll(/\b\d+s\b/g, "AGE")
    .replaceAll(/10\.96\.\d+\.\d+/g, "CLUSTER-IP")
    .replaceAll(/127\.0\.0\.1:\d+/g, "127.0.0.1:PORT")
    .split("\n")
    .map((line) => line.trim().replaceAll(/\s+/g, " "))
    .filter((line) => line !== "")
    .join("\n");
}

const app = `
apiVersion: v1
kind: ConfigMap
metadata: {name: settings}
data: {a: "1", b: "2"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: app}
spec:
  replicas: 0
  selector: {matchLabels: {app: app}}
  template:
    metadata: {labels: {app: app}}
    spec:
      containers:
      - {name: c, image: "nginx:1", env: [{name: A, value: "1"}], ports: [{containerPort: 80}]}
`;

const widget = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.stable.example.com}
spec:
  group: stable.example.com
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {scale: {specReplicasPath: .spec.size, statusReplicasPath: .status.size}}
    additionalPrinterColumns: [{name: Size, type: integer, jsonPath: .spec.size}]
    schema:
      openAPIV3Schema:
        description: A widget does things.
        type: object
        properties:
          spec:
            description: What is wanted.
            type: object
            required: [size]
            properties:
              size: {type: integer, description: How large., minimum: 1}
              mode: {type: string, enum: [fast, slow]}
`;

describe("apply", () => {
  test("client side: creates, leaves, changes, and removes what is no longer applied", async () => {
    await check("kubectl create namespace client", "namespace/client created");
    const apply = "kubectl apply -n client -f -";
    await check(apply, "configmap/settings created\ndeployment.apps/app created", app);
    await check(apply, "configmap/settings unchanged\ndeployment.apps/app unchanged", app);
    const changed = app.replace('b: "2"', 'c: "3"').replace("nginx:1", "nginx:2");
    await check(apply, "configmap/settings configured\ndeployment.apps/app configured", changed);
    await check(
      "kubectl get -n client configmap settings -o jsonpath={.data}",
      '{"a":"1","c":"3"}',
    );
    const added = changed.replace('[{name: A, value: "1"}]', '[{name: B, value: "2"}]');
    await check(apply, "configmap/settings unchanged\ndeployment.apps/app configured", added);
    await check(
      "kubectl get -n client deployment app -o jsonpath={.spec.template.spec.containers[*].env}",
      '[{"name":"B","value":"2"}]',
    );
  });

  test("server side: conflicts name the other manager, force takes over", async () => {
    await terminal.run("kubectl create namespace server");
    const apply = "kubectl apply -n server --server-side -f -";
    const settings = app.split("---")[0] ?? "";
    await check(apply, "configmap/settings serverside-applied", settings);
    const other = settings.replace('a: "1"', 'a: "9"');
    await check(
      `${apply} --field-manager=other`,
      `error: Apply failed with 1 conflict: conflict with "kubectl": .data.a
Please review the fields above--they currently have other managers. Here
are the ways you can resolve this warning:
* If you intend to manage all of these fields, please re-run the apply
  command with the \`--force-conflicts\` flag.
* If you do not intend to manage all of the fields, please edit your
  manifest to remove references to the fields that should keep their
  current managers.
* You may co-own fields by updating your manifest to match the existing
  value; in this case, you'll become the manager if the other manager(s)
  stop managing the field (remove it from their configuration).
See https://kubernetes.io/docs/reference/using-api/server-side-apply/#conflicts
(exit 1)`,
      other,
    );
    await check(
      `${apply} --field-manager=other --force-conflicts`,
      "configmap/settings serverside-applied",
      other,
    );
  });

  test("lists of objects, as get prints them and as kinds of their own", async () => {
    await check("kubectl create namespace lists", "namespace/lists created");
    const apply = "kubectl apply -n lists -f -";
    const list = (apiVersion: string, kind: string, items: readonly object[]): string =>
      JSON.stringify({ apiVersion, kind, metadata: {}, items });
    const map = (name: string): object => ({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name },
      data: { a: "1" },
    });
    const plain = list("v1", "List", [map("one"), map("two")]);
    await check(apply, "configmap/one created\nconfigmap/two created", plain);
    await check(apply, "configmap/one unchanged\nconfigmap/two unchanged", plain);
    await check(apply, "configmap/three created", list("v1", "ConfigMapList", [map("three")]));
    const role = {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "Role",
      metadata: { name: "reader" },
      rules: [{ apiGroups: [""], resources: ["pods"], verbs: ["get"] }],
    };
    await check(
      apply,
      "role.rbac.authorization.k8s.io/reader created",
      list("rbac.authorization.k8s.io/v1", "RoleList", [role]),
    );
    const printed = await terminal.run(
      "kubectl get -n lists configmap/one configmap/two role/reader -o yaml",
    );
    await check(
      apply,
      "configmap/one configured\nconfigmap/two configured\nrole.rbac.authorization.k8s.io/reader configured",
      printed,
    );
  });

  test("a list with an unknown field in an item is refused", async () => {
    const list = {
      apiVersion: "v1",
      kind: "List",
      items: [{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "typo" }, dta: {} }],
    };
    await check(
      "kubectl apply -f -",
      `error: error validating "STDIN": error validating data: ValidationError(ConfigMap): unknown field "dta" in io.k8s.api.core.v1.ConfigMap; if you choose to ignore these errors, turn validation off with --validate=false
(exit 1)`,
      JSON.stringify(list),
    );
  });

  test("a definition and its instance in one file: the instance has to come later", async () => {
    const gadget = widget.replaceAll("widget", "gadget").replaceAll("Widget", "Gadget");
    const both = `${gadget.replace("[wd]", "[gd]")}---
apiVersion: stable.example.com/v1
kind: Gadget
metadata: {name: small}
spec: {size: 1}
`;
    await check(
      "kubectl apply -f -",
      `customresourcedefinition.apiextensions.k8s.io/gadgets.stable.example.com created
error: resource mapping not found for name: "small" namespace: "" from "STDIN": no matches for kind "Gadget" in version "stable.example.com/v1"
ensure CRDs are installed first
(exit 1)`,
      both,
    );
    await check(
      "kubectl apply -f -",
      `customresourcedefinition.apiextensions.k8s.io/gadgets.stable.example.com unchanged
gadget.stable.example.com/small created`,
      both,
    );
  });

  test("an unknown field is refused", async () => {
    const bad = "{apiVersion: v1, kind: ConfigMap, metadata: {name: bad}, dataa: {}}";
    await check(
      "kubectl apply -f -",
      `Error from server (BadRequest): error when creating "STDIN": ConfigMap in version "v1" cannot be handled as a ConfigMap: strict decoding error: unknown field "dataa"
       (exit 1)`,
      bad,
    );
  });

  test("diff shows what an apply would change, by both ways", async () => {
    await terminal.run("kubectl create namespace different");
    const settings = app.split("---")[0] ?? "";
    await terminal.run("kubectl apply -n different -f -", { input: settings });
    const changed = { input: settings.replace('b: "2"', 'b: "3"') };
    const client = await terminal.run("kubectl diff -n different -f -", changed);
    expect(changedLines(client)).toEqual(['-  b: "2"', '+  b: "3"']);
    expect(client).toContain("(exit 1)");
    const server = await terminal.run(
      "kubectl diff -n different --server-side --force-conflicts -f -",
      changed,
    );
    expect(changedLines(server).slice(0, 2)).toEqual(['-  b: "2"', '+  b: "3"']);
    await check("kubectl diff -n different -f -", "", settings);
  });
});

function changedLines(diff: string): readonly string[] {
  return diff.split("\n").filter((line) => /^[-+](?![-+])/.test(line));
}

describe("get", () => {
  beforeAll(async () => {
    await terminal.run("kubectl create namespace shown");
    await terminal.run("kubectl apply -n shown -f -", { input: app });
  });

  test.each([
    ["", "NAME DATA AGE\nsettings 2 1s"],
    ["-o name", "configmap/settings"],
    ["-o jsonpath={.data.a}", "1"],
    ["-o custom-columns=N:.metadata.name,A:.data.a", "N A\nsettings 1"],
    ["-o go-template={{.data.b}}", "2"],
    ["--no-headers", "settings 2 1s"],
    ["--show-kind", "NAME DATA AGE\nconfigmap/settings 2 1s"],
  ])("a config map %s", async (flags, expected) => {
    await check(`kubectl get -n shown configmap settings ${flags}`, expected);
  });

  test("whole objects as JSON and YAML", async () => {
    const json = await terminal.run("kubectl get -n shown configmap settings -o json");
    expect(JSON.parse(json)).toMatchObject({ kind: "ConfigMap", data: { a: "1", b: "2" } });
    const yaml = await terminal.run("kubectl get -n shown configmap settings -o yaml");
    expect(yaml).toMatch(/^apiVersion: v1\ndata:\n {2}a: "1"\n {2}b: "2"\nkind: ConfigMap\n/);
  });

  test("a wide table", async () => {
    await check(
      "kubectl get -n shown deployments -o wide",
      `NAME READY UP-TO-DATE AVAILABLE AGE CONTAINERS IMAGES SELECTOR
       app 0/0 0 0 1s c nginx:1 app=app`,
    );
  });

  test("what is not there", async () => {
    await check(
      "kubectl get -n shown pod nobody",
      'Error from server (NotFound): pods "nobody" not found\n(exit 1)',
    );
    await check(
      "kubectl get nonsense",
      'error: the server doesn\'t have a resource type "nonsense"\n(exit 1)',
    );
    await check("kubectl get -n shown secrets", "No resources found in shown namespace.");
  });

  test("namespaces", async () => {
    await check(
      "kubectl get namespace default kube-system",
      "NAME STATUS AGE\ndefault Active 1s\nkube-system Active 1s",
    );
  });
});

describe("custom resources", () => {
  test("are found by their short names, categories, and shown with their own columns", async () => {
    await terminal.run("kubectl apply -f -", {
      input: `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: boats.fleet.example.com}
spec:
  group: fleet.example.com
  scope: Namespaced
  names: {kind: Boat, plural: boats, singular: boat, shortNames: [bo], categories: [vessels]}
  versions:
  - name: v1
    served: true
    storage: true
    additionalPrinterColumns: [{name: Sails, type: integer, jsonPath: .spec.sails}]
    schema:
      openAPIV3Schema:
        type: object
        properties: {spec: {type: object, properties: {sails: {type: integer}}}}
`,
    });
    await terminal.run("kubectl wait --for=condition=Established crd/boats.fleet.example.com");
    await terminal.run("kubectl apply -f -", {
      input:
        "{apiVersion: fleet.example.com/v1, kind: Boat, metadata: {name: argo}, spec: {sails: 2}}",
    });
    const table = "NAME SAILS\nargo 2\n";
    await check("kubectl get bo", table);
    await check("kubectl get vessels", table);
    await check("kubectl get boats.v1.fleet.example.com", table);
    await terminal.run("kubectl delete crd boats.fleet.example.com");
  });
});

describe("create", () => {
  beforeAll(async () => {
    await terminal.run("kubectl create namespace made");
  });

  test.each([
    ["configmap c --from-literal=a=b", "configmap/c created"],
    ["secret generic s --from-literal=a=b", "secret/s created"],
    ["deployment d --image=nginx --replicas=0", "deployment.apps/d created"],
    ["service clusterip s --tcp=80:8080", "service/s created"],
    ["serviceaccount robot", "serviceaccount/robot created"],
    ["role reader --verb=get --resource=pods", "role.rbac.authorization.k8s.io/reader created"],
    [
      "rolebinding readers --role=reader --serviceaccount=made:robot",
      "rolebinding.rbac.authorization.k8s.io/readers created",
    ],
    ["quota q --hard=cpu=1", "resourcequota/q created"],
    ["pdb b --selector=a=b --min-available=1", "poddisruptionbudget.policy/b created"],
    ["ingress i --rule=example.com/path=s:80", "ingress.networking.k8s.io/i created"],
    ["cronjob n --image=x --schedule='0 0 1 1 *'", "cronjob.batch/n created"],
    ["configmap dry --from-literal=a=b --dry-run=server", "configmap/dry created (server dry run)"],
  ])("%s", async (what, expected) => {
    await check(`kubectl create -n made ${what}`, expected);
  });

  test("what is there already", async () => {
    const create = "kubectl create -n made configmap twice --from-literal=a=b";
    await check(create, "configmap/twice created");
    await check(
      create,
      'error: failed to create configmap: configmaps "twice" already exists\n(exit 1)',
    );
  });

  test("a token with which the service account is somebody", async () => {
    await terminal.run("kubectl create serviceaccount -n made somebody");
    const token = (await terminal.run("kubectl create token -n made somebody")).trim();
    const who = `kubectl --token=${token} auth whoami -o jsonpath={.status.userInfo.username}`;
    expect(await terminal.run(who)).toBe("system:serviceaccount:made:somebody");
  });
});

describe("change", () => {
  beforeAll(async () => {
    await terminal.run("kubectl create namespace changed");
    await terminal.run("kubectl apply -n changed -f -", { input: app });
  });

  test.each([
    ["label deployment app tier=web", "deployment.apps/app labeled"],
    ["annotate deployment app note=text", "deployment.apps/app annotated"],
    ["scale deployment app --replicas=0", "deployment.apps/app scaled"],
    ["set image deployment/app c=nginx:9", "deployment.apps/app image updated"],
    ["set env deployment/app X=y", "deployment.apps/app env updated"],
    ["expose deployment app --port=80", "service/app exposed"],
    ["autoscale deployment app --max=3", "horizontalpodautoscaler.autoscaling/app autoscaled"],
  ])("%s", async (what, expected) => {
    await check(`kubectl -n changed ${what}`, expected);
  });

  test("patch, by merging and by operations", async () => {
    const patched = "deployment.apps/app patched";
    const patch = "kubectl -n changed patch deployment app";
    await check(`${patch} -p '{"spec":{"paused":true}}'`, patched);
    await check(`${patch} --type=json -p '[{"op":"remove","path":"/spec/paused"}]'`, patched);
  });

  test("edit", async () => {
    await terminal.run("kubectl create namespace edited");
    await terminal.run("kubectl apply -n edited -f -", { input: app });
    const editor = { EDITOR: "sed -i s/nginx:1/httpd:9/" };
    const printed = await terminal.run("kubectl -n edited edit deployment app", { env: editor });
    expect(printed).toBe("deployment.apps/app edited\n");
    await check(
      "kubectl -n edited get deployment app -o jsonpath={.spec.template.spec.containers[0].image}",
      "httpd:9",
    );
  });

  test("replace and delete", async () => {
    await terminal.run("kubectl create namespace replaced");
    await terminal.run("kubectl apply -n replaced -f -", { input: app });
    await check(
      "kubectl -n replaced replace -f -",
      "configmap/settings replaced",
      app.split("---")[0],
    );
    await check(
      "kubectl -n replaced delete configmap settings",
      'configmap "settings" deleted from replaced namespace',
    );
    await check("kubectl delete namespace replaced", 'namespace "replaced" deleted');
  });
});

describe("ask", () => {
  test("explain a built-in kind", async () => {
    await check(
      "kubectl explain configmap.immutable",
      `KIND: ConfigMap
       VERSION: v1
       FIELD: immutable <boolean>
       DESCRIPTION:
       Immutable, if set to true, ensures that data stored in the ConfigMap cannot
       be updated (only object metadata can be modified). If not set to true, the
       field can be modified at any time. Defaulted to nil.`,
    );
    expect(await terminal.run("kubectl explain pod.spec.containers.imagePullPolicy")).toContain(
      "ENUM:\n    Always\n    IfNotPresent\n    Never",
    );
  });

  test("explain a custom kind, scale it and print its columns", async () => {
    await check(
      "kubectl apply -f -",
      "customresourcedefinition.apiextensions.k8s.io/widgets.stable.example.com created",
      widget,
    );
    await check(
      "kubectl wait --for=condition=Established crd/widgets.stable.example.com --timeout=90s",
      "customresourcedefinition.apiextensions.k8s.io/widgets.stable.example.com condition met",
    );
    await check(
      "kubectl explain widget.spec",
      `GROUP: stable.example.com
       KIND: Widget
       VERSION: v1
       FIELD: spec <Object>
       DESCRIPTION:
       What is wanted.
       FIELDS:
       mode <string>
       enum: fast, slow
       <no description>
       size <integer> -required-
       How large.`,
    );
    const one =
      "{apiVersion: stable.example.com/v1, kind: Widget, metadata: {name: w}, spec: {size: 2}}";
    await check("kubectl apply -f -", "widget.stable.example.com/w created", one);
    await check("kubectl scale widget w --replicas=5", "widget.stable.example.com/w scaled");
    await check("kubectl get wd", "NAME SIZE\nw 5");
    await check(
      "kubectl apply -f -",
      `The Widget "w" is invalid: spec.size: Invalid value: 0: spec.size in body should be greater than or equal to 1
       (exit 1)`,
      one.replace("size: 2", "size: 0"),
    );
  });

  test.each([
    ["auth can-i create deployments", "yes"],
    ["auth whoami -o jsonpath={.status.userInfo.username}", "admin"],
    ["get --raw /readyz", "ok"],
    [
      "cluster-info",
      `Kubernetes control plane is running at https://127.0.0.1:1
       To further debug and diagnose cluster problems, use 'kubectl cluster-info dump'.`,
    ],
    ["version", "Client Version: v1.36.3\nKustomize Version: v5.8.1\nServer Version: v1.36.3"],
  ])("%s", async (what, expected) => {
    await check(`kubectl ${what}`, expected);
  });

  test("what is served", async () => {
    const resources = await terminal.run("kubectl api-resources --no-headers");
    expect(normalise(resources)).toContain("deployments deploy apps/v1 true Deployment");
    expect(await terminal.run("kubectl api-versions")).toContain("apps/v1\n");
  });
});

describe("workloads", () => {
  const ns = "-n running";
  const status = `kubectl rollout ${ns} status deployment/web --timeout=90s`;

  beforeAll(async () => {
    await terminal.run("kubectl create namespace running");
    await terminal.run(`kubectl create ${ns} deployment web --image=nginx:1 --replicas=2`);
  });

  test("roll out, look at it, roll back", async () => {
    const ready = 'deployment "web" successfully rolled out';
    expect(await terminal.run(status)).toContain(ready);
    await check(
      `kubectl wait ${ns} --for=condition=Available deployment/web --timeout=90s`,
      "deployment.apps/web condition met",
    );
    await check(
      `kubectl get ${ns} deployment web`,
      "NAME READY UP-TO-DATE AVAILABLE AGE\nweb 2/2 2 2 1s",
    );
    await check(
      `kubectl set ${ns} image deployment/web nginx=nginx:2`,
      "deployment.apps/web image updated",
    );
    expect(await terminal.run(status)).toContain(ready);
    await check(
      `kubectl rollout ${ns} history deployment/web`,
      "deployment.apps/web\nREVISION CHANGE-CAUSE\n1 <none>\n2 <none>",
    );
    await check(`kubectl rollout ${ns} undo deployment/web`, "deployment.apps/web rolled back");
    expect(await terminal.run(status)).toContain(ready);
    await check(
      `kubectl get ${ns} deployment web -o jsonpath={.spec.template.spec.containers[0].image}`,
      "nginx:1",
    );
    await check(`kubectl rollout ${ns} restart deployment/web`, "deployment.apps/web restarted");
    expect(await terminal.run(status)).toContain(ready);
  });

  test("describe it and read its events", async () => {
    await terminal.run(status);
    const described = await terminal.run(`kubectl describe ${ns} deployment web`);
    expect(described).toContain("2 desired | 2 updated | 2 total | 2 available | 0 unavailable");
    expect(described).toContain("Scaled up replica set");
    expect(await terminal.run(`kubectl events ${ns}`)).toContain("Deployment/web");
  });

  test("run a pod, read its log, be told that nothing runs in it, delete it", async () => {
    await check(`kubectl run ${ns} one --image=nginx:1`, "pod/one created");
    await check(
      `kubectl wait ${ns} --for=condition=Ready pod/one --timeout=90s`,
      "pod/one condition met",
    );
    await check(
      `kubectl get ${ns} pod one`,
      "NAME READY STATUS RESTARTS AGE\none 1/1 Running 0 1s",
    );
    expect(await terminal.run(`kubectl logs ${ns} one`)).toMatch(/nginx:1/);
    expect(await terminal.run(`kubectl exec ${ns} one -- ls`)).toContain(
      "the containers of the sandbox are simulated",
    );
    await check(`kubectl delete ${ns} pod one`, 'pod "one" deleted from running namespace');
  });
});

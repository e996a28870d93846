/** The examples that the design of workload assembly gives, word for word. */
import { describe, expect, it } from "vitest";
import { runToComponents, service, workload, yaml } from "./run-tiltfile.ts";

const vigoda = {
  "vigoda.yaml": yaml(workload("Deployment", "vigoda"), workload("CronJob", "vigoda")),
};
const load = "k8s_yaml('vigoda.yaml')\n";

describe("default names", () => {
  it("two deployments are named by their names", () => {
    const files = { "a.yaml": yaml(workload("Deployment", "foo"), workload("Deployment", "bar")) };
    expect(runToComponents("k8s_yaml('a.yaml')", files).shown).toEqual([
      "foo: workload Deployment/foo",
      "bar: workload Deployment/bar",
    ]);
  });

  it("a deployment and a cronjob of one name are told apart by their kinds", () => {
    const files = { "a.yaml": yaml(workload("Deployment", "foo"), workload("CronJob", "foo")) };
    expect(runToComponents("k8s_yaml('a.yaml')", files).shown).toEqual([
      "foo:deployment: workload Deployment/foo",
      "foo:cronjob: workload CronJob/foo",
    ]);
  });

  it("a service does not count among workloads", () => {
    const files = { "a.yaml": yaml(workload("Deployment", "foo"), service("foo")) };
    expect(runToComponents("k8s_yaml('a.yaml')", files).shown).toEqual([
      "foo: workload Deployment/foo Service/foo",
    ]);
  });
});

describe("a deployment and a cronjob named vigoda", () => {
  it("name the deployment's resource vigoda and the cronjob's cron", () => {
    const { shown } = runToComponents(
      `${load}# name the deployment's resource "vigoda" and the cronjob's "cron"
k8s_resource(workload='vigoda:deployment', new_name='vigoda')
k8s_resource(workload='vigoda:cronjob', new_name='cron')
`,
      vigoda,
    );
    expect(shown).toEqual(["vigoda: workload Deployment/vigoda", "cron: workload CronJob/vigoda"]);
  });

  it("same as above", () => {
    const { shown } = runToComponents(
      `${load}# same as above
k8s_resource(workload='vigoda:deployment:default', new_name='vigoda')
k8s_resource(workload='vigoda:cronjob', new_name='cron')
`,
      vigoda,
    );
    expect(shown).toEqual(["vigoda: workload Deployment/vigoda", "cron: workload CronJob/vigoda"]);
  });

  it("error, since vigoda does not uniquely match a workload", () => {
    const { shown } = runToComponents(
      `${load}# error, since "vigoda" does not uniquely match a workload
k8s_resource(workload='vigoda', port_forwards=10000)
`,
      vigoda,
    );
    expect(shown).toEqual([
      'assembly.ambiguous-workload at Tiltfile:3:13: "vigoda" does not say which workload is meant: 2 match',
    ]);
  });

  it("error, since there is already a resource named vigoda:cronjob", () => {
    const { shown } = runToComponents(
      `${load}# error, since there's already a resource named "vigoda:cronjob"
k8s_resource(workload='vigoda:deployment', new_name='vigoda:cronjob')
`,
      vigoda,
    );
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatch(/^assembly\.name-taken at Tiltfile:3:13: .*"vigoda:cronjob"/);
  });
});

describe("workload_to_resource_function", () => {
  const text = `k8s_yaml('a.yaml')
def resource_name(id):
	return id.name.replace("matt-", "")

workload_to_resource_function(resource_name)

# now, e.g., "matt-vigoda"'s auto-assigned resource name will be "vigoda"
`;

  it("names the workloads", () => {
    const files = { "a.yaml": yaml(workload("Deployment", "matt-vigoda"), workload("Job", "x")) };
    expect(runToComponents(text, files).shown).toEqual([
      "vigoda: workload Deployment/matt-vigoda",
      "x: workload Job/x",
    ]);
  });

  it("two workloads with one name are an error", () => {
    const files = {
      "a.yaml": yaml(workload("Deployment", "matt-vigoda"), workload("Deployment", "vigoda")),
    };
    const { shown } = runToComponents(text, files);
    expect(shown).toHaveLength(1);
    expect(shown[0]).toMatch(/^assembly\.name-taken .*"vigoda"/);
  });

  it("takes the assigned name and the identifier in k8s_resource", () => {
    const files = { "a.yaml": workload("Deployment", "matt-vigoda") };
    const more = `${text}k8s_resource('vigoda', port_forwards=1)\nk8s_resource('matt-vigoda:deployment', port_forwards=2)\n`;
    expect(runToComponents(more, files).components[0]?.portForwards).toEqual([
      { localPort: 1 },
      { localPort: 2 },
    ]);
  });

  it("gives the id as the object writes it", () => {
    const files = { "a.yaml": workload("Deployment", "web", { namespace: "shop" }) };
    const { result, shown } = runToComponents(
      `k8s_yaml('a.yaml')
def name(id):
  print(id)
  return ":".join([id.name, id.kind, id.namespace, id.group])
workload_to_resource_function(name)
`,
      files,
    );
    expect(shown).toEqual(["web:Deployment:shop:apps: workload Deployment/web"]);
    expect(result.output.map(({ text }) => text)).toEqual([
      'K8SObjectID(group = "apps", kind = "Deployment", name = "web", namespace = "shop")',
    ]);
  });

  it.each([
    [
      "def f(id): return 1",
      "tiltfile.naming-function at Tiltfile:2:1: f returned int for Deployment default/web, not a name",
    ],
    [
      "def f(id): return ''",
      "tiltfile.naming-function at Tiltfile:2:1: f returned an empty string for Deployment default/web, not a name",
    ],
    [
      "def f(id): pass",
      "tiltfile.naming-function at Tiltfile:2:1: f returned NoneType for Deployment default/web, not a name",
    ],
    [
      "def f(id): return id.nme",
      'starlark.failed at Tiltfile:2:21: "K8SObjectID" struct has no .nme attribute (did you mean .name?)',
    ],
  ])("%s is an error", (definition, expected) => {
    const files = { "a.yaml": workload("Deployment", "web") };
    const { shown } = runToComponents(
      `k8s_yaml('a.yaml')\n${definition}\nworkload_to_resource_function(f)\n`,
      files,
    );
    expect(shown).toEqual([expected]);
  });

  it.each([
    [
      "lambda a, b: a",
      "workload_to_resource_function: for parameter fn: lambda takes 2 parameters, want one, the K8SObjectID",
    ],
    [
      "len",
      "workload_to_resource_function: for parameter fn: got builtin_function_or_method, want function",
    ],
  ])("%s is no naming function", (fn, expected) => {
    expect(runToComponents(`workload_to_resource_function(${fn})`).shown).toEqual([
      `starlark.failed at Tiltfile:1:30: ${expected}`,
    ]);
  });
});

describe("the old syntax of k8s_resource", () => {
  const cases: readonly (readonly [call: string, sign: string, rewritten: string])[] = [
    ["'web', image='gcr.io/shop/web'", 'it has an argument named "image"', "k8s_resource('web')"],
    [
      "'web', yaml='web.yaml', port_forwards=9000",
      'it has an argument named "yaml"',
      "k8s_yaml('web.yaml')\n  k8s_resource('web', port_forwards=9000)",
    ],
    [
      "name='web', port_forwards=[1, 2]",
      'it has an argument named "name"',
      "k8s_resource('web', port_forwards=[1, 2])",
    ],
    [
      "'web', 'kind: Pod\\nx: y'",
      "its second argument has several lines, so it is YAML and no name",
      "k8s_yaml(blob(…))",
    ],
    [
      "'web', new_name='a\\nb'",
      "new_name has several lines, so it is YAML and no name",
      "k8s_yaml(blob(…))",
    ],
    [
      "'web', 'deploy/web.yml', 'gcr.io/shop/web', 9000",
      'its second argument, "deploy/web.yml", is a file of YAML',
      "k8s_yaml('deploy/web.yml')\n  k8s_resource('web', port_forwards=9000)",
    ],
    ["'web', blob('kind: Pod')", "its second argument is a blob", "k8s_yaml(…)"],
    [
      "'web', '', 'gcr.io/shop/web', '9000:80', {'app': 'web'}",
      'its third argument, "gcr.io/shop/web", is an image and no port',
      "k8s_resource('web', port_forwards='9000:80', extra_pod_selectors={\"app\": \"web\"})",
    ],
    [
      "'web', port_forwards='gcr.io/x'",
      'port_forwards, "gcr.io/x", is an image and no port',
      "k8s_resource('web')",
    ],
    [
      "'web', port_forwards=fast_build('x', 'Dockerfile')",
      "port_forwards is a fast build",
      "k8s_resource('web')",
    ],
  ];
  it.each(cases)("k8s_resource(%s)", (call, sign, rewritten) => {
    const { result } = runToComponents(`k8s_resource(${call})`);
    expect(result.diagnostics).toMatchObject([
      {
        code: "tiltfile.old-syntax",
        summary: `k8s_resource is called in its old syntax: ${sign}`,
        detail: `The same in the new syntax:\n  ${rewritten}`,
        hint: "See docs/tiltfile-migration.md.",
        source: { file: "Tiltfile", start: { line: 1 } },
      },
    ]);
  });
});

describe("k8s_resource_assembly_version", () => {
  it.each([
    [
      "k8s_resource_assembly_version(1)",
      "tiltfile.assembly-version at Tiltfile:1:30: k8s_resource_assembly_version(1): resources are no longer made from images, but from workloads",
    ],
    [
      "k8s_resource_assembly_version(2)",
      "warning tiltfile.assembly-version-deprecated at Tiltfile:1:30: k8s_resource_assembly_version(2) is not needed: version 2 is the only one there is",
    ],
    [
      "k8s_resource_assembly_version(3)",
      "tiltfile.assembly-version at Tiltfile:1:30: k8s_resource_assembly_version(3): there is no such version",
    ],
    [
      "local_resource('a', 'b')\nk8s_resource_assembly_version(2)",
      "tiltfile.assembly-version at Tiltfile:2:30: k8s_resource_assembly_version must be called before any resource is given",
    ],
  ])("%j", (text, expected) => {
    expect(runToComponents(text).said).toEqual([expected]);
  });
});

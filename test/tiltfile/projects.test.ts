/** Tiltfiles of the shapes that projects have. */
import { beforeAll, describe, expect, it } from "vitest";
import { helmPath, kubectlPath } from "../cluster/kubectl.ts";
import { runToComponents, service, workload, yaml, type Files } from "./run-tiltfile.ts";

let programs: { readonly helm: string; readonly kubectl: string };
beforeAll(async () => {
  programs = { helm: await helmPath(), kubectl: await kubectlPath() };
}, 120_000);

describe("microservices with helm and kustomize", () => {
  const files: Files = {
    "charts/redis/Chart.yaml": "apiVersion: v2\nname: redis\nversion: 1.0.0\n",
    "charts/redis/templates/redis.yaml": yaml(workload("StatefulSet", "redis"), service("redis")),
    "deploy/dev/kustomization.yaml": "resources: [../base]\nnamespace: shop\n",
    "deploy/base/kustomization.yaml": "resources: [all.yaml]\n",
    "deploy/base/all.yaml": yaml(
      workload("Deployment", "frontend", { image: "shop/frontend" }),
      service("frontend"),
      workload("Deployment", "cart", { image: "shop/cart" }),
      service("cart"),
      workload("CronJob", "cart", { image: "shop/cart", app: "cart-clean" }),
    ),
    "frontend/Dockerfile": "FROM shop/base\n",
    "cart/Dockerfile": "FROM shop/base\n",
    "base/Dockerfile": "FROM scratch\n",
  };
  const text = `
config.define_string_list('only', args=True)
cfg = config.parse()
config.set_enabled_resources(cfg.get('only', []))

docker_build('shop/base', 'base')
for name in ['frontend', 'cart']:
  docker_build('shop/' + name, name, live_update=[sync(name, '/app'), run('make', trigger=[name + '/go.mod'])])

k8s_yaml(kustomize('deploy/dev'))
k8s_yaml(helm('charts/redis', name='cache', namespace='shop'))

ports = {'frontend': 8000, 'cart:deployment': 8001}
for name, port in ports.items():
  k8s_resource(name, port_forwards=port_forward(port, 80, name=name), resource_deps=['redis'])
k8s_resource('cart:cronjob', new_name='cart-clean', trigger_mode=TRIGGER_MODE_MANUAL, auto_init=False)
`;

  it("loads", () => {
    const { shown, components } = runToComponents(text, files, { programs });
    expect(shown).toEqual([
      "cart:deployment: workload Service/cart Deployment/cart",
      "frontend: workload Service/frontend Deployment/frontend",
      "cart-clean: workload CronJob/cart",
      "redis: workload Service/redis StatefulSet/redis",
    ]);
    const images = components.map(({ name, images: used, dependsOn }) => [
      name,
      used.map(({ build }) => build),
      dependsOn,
    ]);
    expect(images).toEqual([
      ["cart:deployment", ["shop/cart"], ["redis"]],
      ["frontend", ["shop/frontend"], ["redis"]],
      ["cart-clean", ["shop/cart"], []],
      ["redis", [undefined], []],
    ]);
  });

  it("runs a part with what it waits for", () => {
    const { shown } = runToComponents(text, files, { programs, args: ["frontend"] });
    expect(shown.map((line) => line.split(": ")[0])).toEqual(["frontend", "redis"]);
  });
});

describe("a monorepo", () => {
  const names = Array.from({ length: 40 }, (_, index) => `svc-${index}`);
  const files: Record<string, string> = {
    "tools/Tiltfile": `def go_service(name, port):
  custom_build('mono/' + name, 'bazel build //services/' + name, deps=['services/' + name], tag='dev')
  k8s_yaml('services/%s/deploy.yaml' % name)
  k8s_resource(name, port_forwards=['%d:8080' % port], labels=['services'])
`,
    "services/Tiltfile": names.map((name) => `include('./${name}/Tiltfile')\n`).join(""),
  };
  for (const [index, name] of names.entries()) {
    files[`services/${name}/deploy.yaml`] = yaml(
      workload("Deployment", name, { image: `mono/${name}` }),
      service(name),
      service(`${name}-admin`, name),
    );
    files[`services/${name}/Tiltfile`] =
      `os.putenv('SEEN', os.getenv('SEEN', '') + '${index} ')\nlocal_resource('test-${name}', 'go test ./...', deps='.', labels=['tests'], resource_deps=['${name}'])\n`;
  }
  const text = `load('tools/Tiltfile', 'go_service')
port = 9000
for path in sorted(listdir('services', recursive=True)):
  if path.endswith('deploy.yaml'):
    go_service(os.path.basename(os.path.dirname(path)), port)
    port += 1
include('services/Tiltfile')
print(len(os.getenv('SEEN').split()))
`;

  it("loads", () => {
    const { components, said, shown } = runToComponents(text, files);
    expect(said).toEqual(["40"]);
    expect(components).toHaveLength(80);
    expect(shown[0]).toBe("svc-0: workload Deployment/svc-0 Service/svc-0 Service/svc-0-admin");
    expect(components.at(-1)).toMatchObject({
      name: "test-svc-39",
      dependsOn: ["svc-39"],
      labels: ["tests"],
    });
  });
});

describe("an operator", () => {
  const files = {
    "crd.yaml": `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: databases.shop.io}
spec: {group: shop.io, names: {kind: Database, plural: databases}, scope: Namespaced, versions: []}
`,
    "operator.yaml": yaml(
      workload("Deployment", "operator", { image: "shop/operator" }),
      "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: operator}\n",
    ),
    "db.yaml": yaml(
      "apiVersion: shop.io/v1\nkind: Database\nmetadata: {name: orders}\nspec: {image: shop/postgres}\n",
      "apiVersion: shop.io/v1\nkind: Database\nmetadata: {name: users}\nspec: {image: shop/postgres, sidecar: {repo: shop/backup, tag: v1}}\n",
    ),
    Dockerfile: "FROM scratch\n",
  };
  const text = `
k8s_kind('Database', api_version='shop.io/v1', image_json_path='{.spec.image}', pod_readiness='ignore')
k8s_yaml(['crd.yaml', 'operator.yaml', 'db.yaml'])
docker_build('shop/operator', '.')
docker_build('shop/postgres', '.')
k8s_resource('operator', objects=['databases.shop.io', 'operator:serviceaccount'])
for db in ['orders', 'users']:
  k8s_resource(db, new_name='db-' + db, extra_pod_selectors={'db': db}, resource_deps=['operator'])
`;

  it("loads", () => {
    const { shown, components } = runToComponents(text, files);
    expect(shown).toEqual([
      "operator: workload CustomResourceDefinition/databases.shop.io Deployment/operator ServiceAccount/operator",
      "db-orders: workload Database/orders",
      "db-users: workload Database/users",
    ]);
    expect(components[1]).toMatchObject({
      images: [{ reference: "shop/postgres", build: "shop/postgres" }],
      extraPodSelectors: [{ db: "orders" }],
      podReadiness: "ignore",
    });
  });

  it("without k8s_kind the objects are no workloads", () => {
    const { shown } = runToComponents(text.replace(/k8s_kind.*/, ""), files);
    expect(shown).toContainEqual(
      expect.stringMatching(/^assembly\.unknown-workload at Tiltfile:8:15: .*"orders"/),
    );
  });
});

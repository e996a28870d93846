/**
 * A platform with one supply chain and one delivery: `node platform.ts > platform.yaml`. Its templates are
 * stand-ins that stamp real objects, so that it runs on any cluster without further tools.
 */
import {
  allOf,
  choose,
  delivery,
  deploymentTemplate,
  doesNotExist,
  exists,
  hasLabel,
  imageTemplate,
  option,
  passThrough,
  sourceTemplate,
  supplyChain,
  template,
  toYaml,
} from "keelson/blueprints";

const name = "$(workload.metadata.name)$";

/** Stands for something that fetches a repository: a GitRepository of Flux, for example. */
const gitSource = sourceTemplate("git-source", {
  urlPath: ".data.url",
  revisionPath: ".data.revision",
  template: {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `${name}-source` },
    data: {
      url: "$(workload.spec.source.git.url)$",
      revision: "$(workload.spec.source.git.ref.branch)$",
    },
  },
});

/** Stands for something that fetches a bundle from a registry. */
const imageSource = sourceTemplate("image-source", {
  urlPath: ".data.image",
  revisionPath: ".data.image",
  template: {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `${name}-bundle` },
    data: { image: "$(workload.spec.source.image)$" },
  },
});

/** One Job for every revision; the source is handed on when it has succeeded. */
const tests = sourceTemplate("tests", {
  urlPath: ".metadata.annotations['example.com/url']",
  revisionPath: ".metadata.annotations['example.com/revision']",
  lifecycle: "immutable",
  healthRule: {
    multiMatch: {
      healthy: { matchConditions: [{ type: "Complete", status: "True" }] },
      unhealthy: { matchConditions: [{ type: "Failed", status: "True" }] },
    },
  },
  retentionPolicy: { maxFailedRuns: 3, maxSuccessfulRuns: 3 },
  template: {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: {
      generateName: `${name}-tests-`,
      annotations: {
        "example.com/url": "$(source.url)$",
        "example.com/revision": "$(source.revision)$",
      },
    },
    spec: {
      template: {
        spec: {
          restartPolicy: "Never",
          containers: [{ name: "tests", image: "busybox", command: ["echo", "tested"] }],
        },
      },
    },
  },
});

/** Stands for something that builds images. */
const builder = imageTemplate("builder", {
  imagePath: ".data.image",
  params: { registry: "registry.example.com" },
  template: {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: `${name}-image` },
    data: { image: `$(params.registry)$/${name}`, source: "$(source.url)$@$(source.revision)$" },
  },
});

/** What is built is handed over to a delivery. */
const handOver = template("hand-over", {
  template: {
    apiVersion: "kontinue.io/v1alpha1",
    kind: "Deliverable",
    metadata: { name, labels: { "example.com/delivery": "web" } },
    spec: { source: { image: "$(image)$" } },
  },
});

const chain = supplyChain("web-apps", { selector: { "example.com/type": "web" } }, (step) => {
  const source = step(
    "source",
    choose(
      option(
        gitSource,
        allOf(exists("workload.spec.source.git"), doesNotExist("workload.spec.source.image")),
      ),
      option(imageSource, exists("workload.spec.source.image")),
    ),
  );
  const tested = step(
    "tests",
    choose(
      option(tests, hasLabel("example.com/tests", "yes")),
      passThrough("source", "source", {
        matchExpressions: [{ key: "example.com/tests", operator: "NotIn", values: ["yes"] }],
      }),
    ),
    { sources: { source } },
  );
  const image = step("image", builder, { sources: { source: tested } });
  step("delivery", handOver, { images: { image } });
});

const configuration = sourceTemplate("configuration", {
  urlPath: ".data.image",
  revisionPath: ".data.image",
  template: {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: "$(deliverable.metadata.name)$-release" },
    data: { image: "$(deliverable.spec.source.image)$" },
  },
});

const labels = { app: "$(deliverable.metadata.name)$" };

/** The source is handed on once the Deployment runs. */
const rollout = deploymentTemplate("rollout", {
  observedCompletion: {
    succeeded: { key: 'status.conditions[?(@.type=="Available")].status', value: "True" },
  },
  template: {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "$(deliverable.metadata.name)$" },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { containers: [{ name: "web", image: "$(deployment.url)$" }] },
      },
    },
  },
});

const exposed = template("exposed", {
  template: {
    apiVersion: "v1",
    kind: "Service",
    metadata: {
      name: "$(deliverable.metadata.name)$",
      annotations: { "example.com/release": "$(source.url)$" },
    },
    spec: { selector: labels, ports: [{ port: 80, targetPort: 8080 }] },
  },
});

const environment = delivery("web", { selector: { "example.com/delivery": "web" } }, (step) => {
  const release = step("release", configuration);
  const running = step("rollout", rollout, { deployment: release });
  step("service", exposed, { sources: { running } });
});

process.stdout.write(toYaml(chain, environment));

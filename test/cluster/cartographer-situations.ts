/** What a Workload or Deliverable may meet, in the YAML of Cartographer; UNIQUE is a mark of the run. */
export interface Situation {
  readonly what: string;
  readonly yaml: string;
  readonly kind?: "Workload" | "Deliverable" | "Runnable";
  /** The Ready condition with which it ends, as `status reason`. */
  readonly ready: string;
}

let count = 0;

/** A chain of one's own for each situation. */
function situation(
  what: string,
  ready: string,
  { steps = "", templates = "", more = "", labels = "test: NAME", spec = "" }: Parts,
): Situation {
  const name = `s${++count}-UNIQUE`;
  const chain =
    steps === ""
      ? ""
      : `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: NAME}
spec:
  selector: {test: NAME}
  resources:
${steps}
---
`;
  const workload = `apiVersion: carto.run/v1alpha1
kind: Workload
metadata: {name: NAME, namespace: UNIQUE, labels: {${labels}}}
spec: {${spec}}
`;
  const yaml = `${templates}${more}${chain}${workload}`.replaceAll("NAME", name);
  return { what, ready, yaml };
}

/** A delivery of one's own. */
function delivery(what: string, ready: string, parts: Parts): Situation {
  const { yaml } = situation(what, ready, parts);
  const turned = yaml
    .replaceAll("ClusterSupplyChain", "ClusterDelivery")
    .replaceAll("kind: Workload", "kind: Deliverable");
  return { what, ready, yaml: turned, kind: "Deliverable" };
}

interface Parts {
  readonly steps?: string;
  readonly templates?: string;
  readonly more?: string;
  readonly labels?: string;
  readonly spec?: string;
}

const step = (name: string, kind: string, template = name, more = ""): string =>
  `    - name: ${name}
      templateRef: {kind: ${kind}, name: ${template}-NAME}
${more}`;

/** A template that stamps a ConfigMap. */
const template = (
  kind: string,
  name: string,
  { spec = "", data = "a: b", metadata = "" }: { spec?: string; data?: string; metadata?: string },
): string => `apiVersion: carto.run/v1alpha1
kind: ${kind}
metadata: {name: ${name}-NAME}
spec:
${spec}  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: ${name}-NAME${metadata}}
    data: {${data}}
---
`;

const source = (data: string): string =>
  template("ClusterSourceTemplate", "source", {
    spec: "  urlPath: .data.url\n  revisionPath: .data.revision\n",
    data,
  });

const healthRule = (rule: string): Parts => ({
  steps: step("only", "ClusterTemplate"),
  templates: template("ClusterTemplate", "only", { spec: `  healthRule: ${rule}\n` }),
});

const deploymentSteps = `${step("source", "ClusterSourceTemplate")}${step(
  "deploy",
  "ClusterDeploymentTemplate",
  "deploy",
  "      deployment: {resource: source}\n",
)}`;

const deployment = (spec: string, data: string): string =>
  `${source("url: u, revision: r")}${template("ClusterDeploymentTemplate", "deploy", { spec, data })}`;

/** A run of a template; of another one, where that is to be missing. */
function runnable(
  what: string,
  ready: string,
  { spec = "", data = "a: b", template: used = "run" },
): Situation {
  const name = `s${++count}-UNIQUE`;
  const stamping = template("ClusterRunTemplate", "run", { spec, data }).replace(
    "name: run-NAME}\n    data",
    "generateName: run-NAME-}\n    data",
  );
  const yaml = `${stamping}apiVersion: carto.run/v1alpha1
kind: Runnable
metadata: {name: NAME, namespace: UNIQUE}
spec: {runTemplateRef: {name: ${used}-NAME}}
`;
  return { what, ready, yaml: yaml.replaceAll("NAME", name), kind: "Runnable" };
}

export const situations: readonly Situation[] = [
  situation("steps that take outputs of others", "True Ready", {
    steps: `${step("source", "ClusterSourceTemplate")}${step(
      "image",
      "ClusterImageTemplate",
      "image",
      "      sources: [{name: source, resource: source}]\n",
    )}${step(
      "config",
      "ClusterConfigTemplate",
      "config",
      "      images: [{name: image, resource: image}]\n",
    )}${step(
      "app",
      "ClusterTemplate",
      "app",
      "      configs: [{name: config, resource: config}]\n",
    )}`,
    templates: `${source("url: https://example.com, revision: main")}${template(
      "ClusterImageTemplate",
      "image",
      { spec: "  imagePath: .data.image\n", data: 'image: "$(source.url)$:$(source.revision)$"' },
    )}${template("ClusterConfigTemplate", "config", {
      spec: "  configPath: .data\n",
      data: 'image: $(image)$, list: "1\\n2"',
    })}${template("ClusterTemplate", "app", { data: "image: $(config.image)$" })}`,
  }),
  situation("an output that is not there", "Unknown MissingValueAtPath", {
    steps: `${step("source", "ClusterSourceTemplate")}${step(
      "image",
      "ClusterImageTemplate",
      "image",
      "      sources: [{name: source, resource: source}]\n",
    )}`,
    templates: `${source("url: u")}${template("ClusterImageTemplate", "image", {
      spec: "  imagePath: .data.image\n",
      data: "image: $(source.url)$",
    })}`,
  }),
  situation("a template that refers to a field that is not there", "False TemplateStampFailure", {
    steps: step("only", "ClusterTemplate"),
    templates: template("ClusterTemplate", "only", { data: "a: $(workload.spec.nope)$" }),
  }),
  situation("a template whose tag is no path", "False TemplateStampFailure", {
    steps: step("only", "ClusterTemplate"),
    templates: template("ClusterTemplate", "only", { data: 'a: "$(workload.spec[)$"' }),
  }),
  situation("no supply chain for its labels", "False SupplyChainNotFound", {
    labels: "test: NAME, app: web",
  }),
  situation("no labels", "False WorkloadLabelsMissing", { labels: "" }),
  situation("two supply chains for its labels", "False MultipleSupplyChainMatches", {
    steps: step("only", "ClusterTemplate"),
    templates: template("ClusterTemplate", "only", {}),
    more: `apiVersion: carto.run/v1alpha1
kind: ClusterSupplyChain
metadata: {name: other-NAME}
spec:
  selector: {test: NAME}
  resources:
${step("only", "ClusterTemplate")}---
`,
  }),
  situation("a supply chain whose templates are missing", "False TemplatesNotFound", {
    steps: `${step("first", "ClusterTemplate")}${step("second", "ClusterTemplate")}`,
  }),
  situation("an account that does not exist", "False ServiceAccountError", {
    ...healthRule("{alwaysHealthy: {}}"),
    spec: "serviceAccountName: nobody",
  }),
  situation("an account without rights", "False TemplateRejectedByAPIServer", {
    ...healthRule("{alwaysHealthy: {}}"),
    spec: "serviceAccountName: powerless",
    more: `apiVersion: v1
kind: ServiceAccount
metadata: {name: powerless, namespace: UNIQUE}
---
`,
  }),
  situation("an object that the server refuses", "False TemplateRejectedByAPIServer", {
    steps: step("only", "ClusterTemplate"),
    templates: template("ClusterTemplate", "only", { metadata: ", labels: {a: '-'}" }),
  }),
  situation("a rule that is always healthy", "True Ready", healthRule("{alwaysHealthy: {}}")),
  situation(
    "a condition that the object does not have",
    "Unknown HealthyConditionRule",
    healthRule("{singleConditionType: Ready}"),
  ),
  situation(
    "a field that makes it healthy",
    "True Ready",
    healthRule(
      "{multiMatch: {healthy: {matchFields: [{key: data.a, operator: In, values: [b], messagePath: .data.a}]}, unhealthy: {matchFields: [{key: data.a, operator: In, values: [c]}]}}}",
    ),
  ),
  situation(
    "a field that makes it unhealthy",
    "False HealthyConditionRule",
    healthRule(
      "{multiMatch: {healthy: {matchFields: [{key: data.a, operator: In, values: [c]}]}, unhealthy: {matchFields: [{key: data.a, operator: Exists, messagePath: .data.a}]}}}",
    ),
  ),
  situation(
    "a rule of which nothing matches",
    "Unknown HealthyConditionRule",
    healthRule(
      "{multiMatch: {healthy: {matchConditions: [{type: Up, status: 'True'}]}, unhealthy: {matchConditions: [{type: Up, status: 'False'}]}}}",
    ),
  ),
  situation("no option that matches", "False TemplateOptionsMatchError", {
    steps: `    - name: choice
      templateRef:
        kind: ClusterTemplate
        options:
          - {name: one-NAME, selector: {matchFields: [{key: spec.image, operator: Exists}]}}
          - {name: two-NAME, selector: {matchFields: [{key: spec.source, operator: Exists}]}}
`,
    templates: `${template("ClusterTemplate", "one", {})}${template("ClusterTemplate", "two", {})}`,
  }),
  situation("an option that passes its input through", "True Ready", {
    steps: `${step("source", "ClusterSourceTemplate")}    - name: choice
      templateRef:
        kind: ClusterSourceTemplate
        options:
          - {name: one-NAME, selector: {matchFields: [{key: spec.image, operator: Exists}]}}
          - {passThrough: source, selector: {matchFields: [{key: spec.image, operator: DoesNotExist}]}}
      sources: [{name: source, resource: source}]
`,
    templates: `${source("url: u, revision: r")}${source("url: u, revision: r").replaceAll("source-NAME", "one-NAME")}`,
  }),
  situation("labels of the stamped object in its template", "True Ready", {
    steps: step("only", "ClusterConfigTemplate"),
    templates: template("ClusterConfigTemplate", "only", {
      spec: "  configPath: .data\n",
      data: "a: '$(labels[''carto\\.run/template-kind''])$', b: '$(labels[''carto\\.run/resource-name''])$'",
    }),
  }),
  situation("a text with a tag that leads nowhere", "False TemplateStampFailure", {
    steps: step("only", "ClusterTemplate"),
    templates: template("ClusterTemplate", "only", {
      metadata: ", finalizers: ['a', 'x $(workload.spec.nope)$']",
    }),
  }),
  situation("outputs that YAML must quote", "True Ready", {
    steps: step("only", "ClusterConfigTemplate"),
    templates: template("ClusterConfigTemplate", "only", {
      spec: "  configPath: .data\n",
      data: "b: 'true', a10: '1', a2: 'x: y', c: '', d: \"it's\", e: 'a #b', f: ' a', g: \"1\\n 2\\n\"",
    }),
  }),
  situation("outputs that are lists of maps", "True Ready", {
    steps: step("only", "ClusterConfigTemplate"),
    templates: template("ClusterConfigTemplate", "only", {
      spec: "  configPath: .spec\n",
    })
      .replace("kind: ConfigMap", "kind: Service")
      .replace(
        "data: {a: b}",
        "spec: {clusterIP: None, selector: {a: b}, ports: [{name: a, port: 80}, {name: b, port: 81}]}",
      ),
  }),
  delivery("no delivery for its labels", "False DeliveryNotFound", {}),
  delivery("a Deliverable without labels", "False DeliverableLabelsMissing", { labels: "" }),
  delivery("a delivery whose template leads nowhere", "False TemplateStampFailure", {
    steps: step("only", "ClusterTemplate"),
    templates: template("ClusterTemplate", "only", { data: "a: $(deliverable.spec.nope)$" }),
  }),
  delivery("a delivery of two steps", "True Ready", {
    steps: `${step("source", "ClusterSourceTemplate")}${step(
      "deploy",
      "ClusterTemplate",
      "deploy",
      "      sources: [{name: source, resource: source}]\n",
    )}`,
    templates: `${source("url: u, revision: r")}${template("ClusterTemplate", "deploy", {
      data: "url: $(source.url)$",
    })}`,
  }),
  delivery("a deployment whose values do not match", "Unknown ConditionNotMet", {
    steps: deploymentSteps,
    templates: deployment(
      "  observedMatches: [{input: data.url, output: data.seen}]\n",
      "url: a, seen: b",
    ),
  }),
  delivery("a deployment whose value is not there yet", "Unknown ConditionNotMet", {
    steps: deploymentSteps,
    templates: deployment("  observedMatches: [{input: data.url, output: data.seen}]\n", "url: a"),
  }),
  delivery("a deployment that is done", "True Ready", {
    steps: deploymentSteps,
    templates: deployment(
      "  observedMatches: [{input: data.url, output: data.seen}]\n",
      "url: a, seen: a",
    ),
  }),
  runnable("a run that does not say how it ended", "Unknown Unknown", {
    spec: "  outputs: {a: data.a}\n",
  }),
  runnable("a run whose template leads nowhere", "False TemplateStampFailure", {
    data: "a: $(runnable.spec.nope)$",
  }),
  runnable("a run without its template", "False RunTemplateNotFound", { template: "other" }),
];

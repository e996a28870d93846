/** Every rule of admission: what a user writes, and what kubectl says to it. */
export interface AdmissionCase {
  readonly rule: string;
  readonly yaml: string;
  /** What the server refuses it with, after `is invalid: `. */
  readonly expected: string;
}

function chain(spec: string, group = "kontinue.io"): string {
  return `apiVersion: ${group}/v1alpha1\nkind: ClusterSupplyChain\nmetadata: {name: bad}\nspec:\n${spec}\n`;
}

function delivery(spec: string): string {
  return chain(spec).replace("ClusterSupplyChain", "ClusterDelivery");
}

function template(kind: string, spec: string): string {
  return `apiVersion: carto.run/v1alpha1\nkind: ${kind}\nmetadata: {name: bad}\nspec:\n${spec}\n`;
}

const selector = "  selector: {app: web}\n";
const step = "{name: a, templateRef: {kind: ClusterTemplate, name: t}}";
const option = (requirement: string): string =>
  `${selector}  resources: [{name: a, templateRef: {kind: ClusterTemplate, options: [{name: t, selector: {matchFields: [${requirement}]}}]}}]`;
const body = "  template: {apiVersion: v1, kind: ConfigMap, metadata: {name: x}}";

export const admissionCases: readonly AdmissionCase[] = [
  {
    rule: "a selector that asks for something",
    yaml: chain(`  selector: {}\n  resources: [${step}]`),
    expected:
      "spec: Invalid value: at least one of selector, selectorMatchExpressions and selectorMatchFields must be set",
  },
  {
    rule: "at least one step",
    yaml: chain(`${selector}  resources: []`),
    expected:
      "spec.resources: Invalid value: 0: spec.resources in body should have at least 1 items",
  },
  {
    rule: "resources",
    yaml: chain(selector),
    expected:
      "\n* spec.resources: Required value\n* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
  },
  {
    rule: "unique names of steps",
    yaml: chain(`${selector}  resources: [${step}, ${step}]`),
    expected: 'spec.resources[1]: Duplicate value: {"name":"a"}',
  },
  {
    rule: "name or options",
    yaml: chain(`${selector}  resources: [{name: a, templateRef: {kind: ClusterTemplate}}]`),
    expected:
      "spec.resources[0].templateRef: Invalid value: exactly one of name and options must be set",
  },
  {
    rule: "not both of name and options",
    yaml: chain(
      `${selector}  resources: [{name: a, templateRef: {kind: ClusterTemplate, name: t, options: [{name: t, selector: {matchLabels: {a: b}}}]}}]`,
    ),
    expected:
      "spec.resources[0].templateRef: Invalid value: exactly one of name and options must be set",
  },
  {
    rule: "a kind of template that a chain uses",
    yaml: chain(
      `${selector}  resources: [{name: a, templateRef: {kind: ClusterDeploymentTemplate, name: t}}]`,
    ),
    expected:
      '\n* spec.resources[0].templateRef.kind: Unsupported value: "ClusterDeploymentTemplate": supported values: "ClusterSourceTemplate", "ClusterImageTemplate", "ClusterConfigTemplate", "ClusterTemplate"\n* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  },
  {
    rule: "at least one option",
    yaml: chain(
      `${selector}  resources: [{name: a, templateRef: {kind: ClusterTemplate, options: []}}]`,
    ),
    expected:
      "spec.resources[0].templateRef.options: Invalid value: 0: spec.resources[0].templateRef.options in body should have at least 1 items",
  },
  {
    rule: "at least two options in carto.run",
    yaml: chain(option("{key: workload.spec.image, operator: Exists}"), "carto.run"),
    expected:
      "spec.resources[0].templateRef.options: Invalid value: 1: spec.resources[0].templateRef.options in body should have at least 2 items",
  },
  {
    rule: "unique names of options",
    yaml: chain(
      `${selector}  resources: [{name: a, templateRef: {kind: ClusterTemplate, options: [{name: t, selector: {matchLabels: {a: b}}}, {name: t, selector: {matchLabels: {a: c}}}]}}]`,
    ),
    expected: "spec.resources[0].templateRef.options: Invalid value: option names must be unique",
  },
  {
    rule: "an option with a name or a passThrough",
    yaml: chain(
      `${selector}  resources: [{name: a, templateRef: {kind: ClusterTemplate, options: [{selector: {matchLabels: {a: b}}}]}}]`,
    ),
    expected:
      "spec.resources[0].templateRef.options[0]: Invalid value: exactly one of name and passThrough must be set",
  },
  {
    rule: "an option that asks for something",
    yaml: chain(
      `${selector}  resources: [{name: a, templateRef: {kind: ClusterTemplate, options: [{name: t, selector: {}}]}}]`,
    ),
    expected:
      "spec.resources[0].templateRef.options[0].selector: Invalid value: at least one of matchFields, matchLabels and matchExpressions must be set",
  },
  {
    rule: "passThrough names an input of the step",
    yaml: chain(
      `${selector}  resources: [{name: a, templateRef: {kind: ClusterSourceTemplate, options: [{passThrough: x, selector: {matchLabels: {a: b}}}]}}]`,
    ),
    expected:
      "spec.resources[0]: Invalid value: passThrough must name an input of this step, of the kind that the step emits",
  },
  {
    rule: "one passThrough",
    yaml: chain(
      `${selector}  resources: [{name: s, templateRef: {kind: ClusterSourceTemplate, name: t}}, {name: a, sources: [{name: x, resource: s}], templateRef: {kind: ClusterSourceTemplate, options: [{passThrough: x, selector: {matchLabels: {a: b}}}, {passThrough: x, selector: {matchLabels: {a: c}}}]}}]`,
    ),
    expected:
      "spec.resources[1].templateRef.options: Invalid value: at most one option may pass an input through",
  },
  {
    rule: "In needs values",
    yaml: chain(option("{key: workload.spec.image, operator: In}")),
    expected:
      '\n* <nil>: Invalid value: "": "spec.resources[0].templateRef.options[0].selector.matchFields[0]" must validate one and only one schema (oneOf). Found none valid\n* spec.resources[0].templateRef.options[0].selector.matchFields[0].values: Required value\n* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  },
  {
    rule: "In needs a value",
    yaml: chain(option("{key: workload.spec.image, operator: In, values: []}")),
    expected:
      '\n* <nil>: Invalid value: "": "spec.resources[0].templateRef.options[0].selector.matchFields[0]" must validate one and only one schema (oneOf). Found none valid\n* spec.resources[0].templateRef.options[0].selector.matchFields[0].values: Invalid value: 0: spec.resources[0].templateRef.options[0].selector.matchFields[0].values in body should have at least 1 items',
  },
  {
    rule: "Exists takes no values",
    yaml: chain(option("{key: workload.spec.image, operator: Exists, values: [a]}")),
    expected:
      '\n* <nil>: Invalid value: "": "spec.resources[0].templateRef.options[0].selector.matchFields[0]" must validate one and only one schema (oneOf). Found none valid\n* spec.resources[0].templateRef.options[0].selector.matchFields[0].operator: Unsupported value: "Exists": supported values: "In", "NotIn"\n* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  },
  {
    rule: "a known operator",
    yaml: chain(option("{key: workload.spec.image, operator: Equals, values: [a]}")),
    expected:
      '\n* <nil>: Invalid value: "": "spec.resources[0].templateRef.options[0].selector.matchFields[0]" must validate one and only one schema (oneOf). Found none valid\n* spec.resources[0].templateRef.options[0].selector.matchFields[0].operator: Unsupported value: "Equals": supported values: "In", "NotIn"\n* spec.resources[0].templateRef.options[0].selector.matchFields[0].operator: Unsupported value: "Equals": supported values: "In", "NotIn", "Exists", "DoesNotExist"\n* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  },
  {
    rule: "kontinue.io wants keys to begin with the owner",
    yaml: chain(option("{key: spec.image, operator: Exists}")),
    expected:
      "spec.resources[0].templateRef.options[0].selector.matchFields[0]: Invalid value: key must begin with one of: workload, sources, images, configs, params",
  },
  {
    rule: "the owner of a chain is no deliverable",
    yaml: chain(option("{key: deliverable.spec.source, operator: Exists}")),
    expected:
      "spec.resources[0].templateRef.options[0].selector.matchFields[0]: Invalid value: key must begin with one of: workload, sources, images, configs, params",
  },
  {
    rule: "carto.run refuses other beginnings, too",
    yaml: chain(
      `${selector}  resources: [{name: a, templateRef: {kind: ClusterTemplate, options: [{name: t, selector: {matchFields: [{key: status.x, operator: Exists}]}}, {name: u, selector: {matchLabels: {a: b}}}]}}]`,
      "carto.run",
    ),
    expected:
      "spec.resources[0].templateRef.options[0].selector.matchFields[0]: Invalid value: key must begin with one of: workload, spec, metadata, sources, images, configs, params",
  },
  {
    rule: "a chain is not chosen by what steps emit",
    yaml: chain(
      `  selectorMatchFields: [{key: sources.a.url, operator: Exists}]\n  resources: [${step}]`,
    ),
    expected: "spec.selectorMatchFields[0]: Invalid value: key must begin with one of: workload",
  },
  {
    rule: "expressions on labels: In needs values",
    yaml: chain(`  selectorMatchExpressions: [{key: app, operator: In}]\n  resources: [${step}]`),
    expected:
      "spec.selectorMatchExpressions[0]: Invalid value: operator must be In or NotIn with values, or Exists or DoesNotExist",
  },
  {
    rule: "expressions on labels: Exists takes none",
    yaml: chain(
      `  selectorMatchExpressions: [{key: app, operator: Exists, values: [a]}]\n  resources: [${step}]`,
    ),
    expected:
      "spec.selectorMatchExpressions[0]: Invalid value: Exists and DoesNotExist take no values",
  },
  {
    rule: "an input names a step",
    yaml: chain(
      `${selector}  resources: [{name: a, templateRef: {kind: ClusterTemplate, name: t}, sources: [{name: s, resource: gone}]}]`,
    ),
    expected: "spec: Invalid value: sources must name steps of kind ClusterSourceTemplate",
  },
  {
    rule: "an input names a step that emits it",
    yaml: chain(
      `${selector}  resources: [{name: b, templateRef: {kind: ClusterConfigTemplate, name: t}}, {name: a, templateRef: {kind: ClusterTemplate, name: t}, images: [{name: s, resource: b}]}]`,
    ),
    expected: "spec: Invalid value: images must name steps of kind ClusterImageTemplate",
  },
  {
    rule: "unique names of inputs",
    yaml: chain(
      `${selector}  resources: [{name: s, templateRef: {kind: ClusterSourceTemplate, name: t}}, {name: a, templateRef: {kind: ClusterTemplate, name: t}, sources: [{name: s, resource: s}, {name: s, resource: s}]}]`,
    ),
    expected: 'spec.resources[1].sources[1]: Duplicate value: {"name":"s"}',
  },
  {
    rule: "a value or a default",
    yaml: chain(`${selector}  params: [{name: p}]\n  resources: [${step}]`),
    expected:
      '\n* <nil>: Invalid value: "": "spec.params[0]" must validate one and only one schema (oneOf). Found none valid\n* spec.params[0].value: Required value\n* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  },
  {
    rule: "not both of value and default",
    yaml: chain(`${selector}  params: [{name: p, value: 1, default: 2}]\n  resources: [${step}]`),
    expected:
      '<nil>: Invalid value: "": "spec.params[0]" must validate one and only one schema (oneOf). Found 2 valid alternatives',
  },
  {
    rule: "a known way to match options",
    yaml: chain(`${selector}  optionMatching: any\n  resources: [${step}]`),
    expected:
      '\n* spec.optionMatching: Unsupported value: "any": supported values: "exactlyOne", "mostSpecific"\n* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  },
  {
    rule: "a deployment template takes a deployment",
    yaml: delivery(
      `${selector}  resources: [{name: a, templateRef: {kind: ClusterDeploymentTemplate, name: t}}]`,
    ),
    expected:
      "spec.resources[0]: Invalid value: a ClusterDeploymentTemplate takes a deployment, and nothing else does",
  },
  {
    rule: "a deployment names a step that emits a source",
    yaml: delivery(
      `${selector}  resources: [{name: c, templateRef: {kind: ClusterConfigTemplate, name: t}}, {name: a, deployment: {resource: c}, templateRef: {kind: ClusterDeploymentTemplate, name: t}}]`,
    ),
    expected:
      "spec: Invalid value: deployment must name a step of kind ClusterSourceTemplate or ClusterDeploymentTemplate",
  },
  {
    rule: "a deployment template takes no configs",
    yaml: delivery(
      `${selector}  resources: [{name: s, templateRef: {kind: ClusterSourceTemplate, name: t}}, {name: c, templateRef: {kind: ClusterConfigTemplate, name: t}}, {name: a, deployment: {resource: s}, configs: [{name: c, resource: c}], templateRef: {kind: ClusterDeploymentTemplate, name: t}}]`,
    ),
    expected: "spec.resources[2]: Invalid value: a ClusterDeploymentTemplate takes no configs",
  },
  {
    rule: "a template or ytt",
    yaml: template("ClusterTemplate", "  params: []"),
    expected: "spec: Invalid value: exactly one of template and ytt must be set",
  },
  {
    rule: "not both of template and ytt",
    yaml: template("ClusterTemplate", `${body}\n  ytt: x`),
    expected: "spec: Invalid value: exactly one of template and ytt must be set",
  },
  {
    rule: "paths of outputs",
    yaml: template("ClusterSourceTemplate", body),
    expected:
      "\n* spec.urlPath: Required value\n* spec.revisionPath: Required value\n* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation",
  },
  {
    rule: "one health rule",
    yaml: template(
      "ClusterTemplate",
      `${body}\n  healthRule: {alwaysHealthy: {}, singleConditionType: Ready}`,
    ),
    expected:
      "spec.healthRule: Invalid value: exactly one of alwaysHealthy, singleConditionType and multiMatch must be set",
  },
  {
    rule: "a health rule at all",
    yaml: template("ClusterTemplate", `${body}\n  healthRule: {}`),
    expected:
      "spec.healthRule: Invalid value: exactly one of alwaysHealthy, singleConditionType and multiMatch must be set",
  },
  {
    rule: "both sides of a multiMatch",
    yaml: template(
      "ClusterTemplate",
      `${body}\n  healthRule: {multiMatch: {healthy: {}, unhealthy: {matchConditions: [{type: a, status: b}]}}}`,
    ),
    expected:
      "spec.healthRule.multiMatch.healthy: Invalid value: at least one of matchConditions and matchFields must be set",
  },
  {
    rule: "a known lifecycle",
    yaml: template("ClusterTemplate", `${body}\n  lifecycle: eternal`),
    expected:
      '\n* spec.lifecycle: Unsupported value: "eternal": supported values: "mutable", "immutable", "tekton"\n* <nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
  },
  {
    rule: "no retention of what is kept up to date",
    yaml: template(
      "ClusterTemplate",
      `${body}\n  retentionPolicy: {maxFailedRuns: 1, maxSuccessfulRuns: 1}`,
    ),
    expected: "spec: Invalid value: a mutable template has no retentionPolicy",
  },
  {
    rule: "retention of at least one",
    yaml: template(
      "ClusterTemplate",
      `${body}\n  lifecycle: immutable\n  retentionPolicy: {maxFailedRuns: 0, maxSuccessfulRuns: 1}`,
    ),
    expected:
      "spec.retentionPolicy.maxFailedRuns: Invalid value: 0: spec.retentionPolicy.maxFailedRuns in body should be greater than or equal to 1",
  },
  {
    rule: "observedMatches or observedCompletion",
    yaml: template("ClusterDeploymentTemplate", body),
    expected:
      "spec: Invalid value: exactly one of observedMatches and observedCompletion must be set",
  },
  {
    rule: "a run template stamps something",
    yaml: template("ClusterRunTemplate", "  outputs: {}"),
    expected: "spec.template: Required value",
  },
  {
    rule: "a runnable names its template",
    yaml: `apiVersion: carto.run/v1alpha1\nkind: Runnable\nmetadata: {name: bad, namespace: default}\nspec: {inputs: {}}\n`,
    expected: "spec.runTemplateRef: Required value",
  },
  {
    rule: "params of a workload have a value",
    yaml: `apiVersion: carto.run/v1alpha1\nkind: Workload\nmetadata: {name: bad, namespace: default}\nspec: {params: [{name: p}]}\n`,
    expected: "spec.params[0].value: Required value",
  },
];

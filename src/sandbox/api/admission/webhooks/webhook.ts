import type { KubernetesObject } from "../../../../objects/index.ts";
import type { ApiContext } from "../../api-context.ts";
import type { ObjectSelector } from "../../object-selector.ts";
import type { AdmissionAttributes } from "../attributes.ts";
import { matchedResource, type ResourceRule } from "../match.ts";
import { ExpressionScope, type NamedExpression } from "../policies/expression-scope.ts";
import { compileConditions, meetsConditions } from "../policies/match-conditions.ts";
import { compiledOnce } from "../policies/policy.ts";
import { forbiddenStatus } from "../../status.ts";
import { inMatchedVersion, type VersionedAttributes } from "../versioned.ts";

/** One webhook of a configuration. */
export interface Webhook {
  readonly name: string;
  readonly clientConfig: ClientConfig;
  readonly rules?: readonly ResourceRule[];
  readonly failurePolicy?: string;
  readonly matchPolicy?: string;
  readonly namespaceSelector?: ObjectSelector;
  readonly objectSelector?: ObjectSelector;
  readonly sideEffects?: string;
  readonly timeoutSeconds?: number;
  readonly admissionReviewVersions?: readonly string[];
  readonly reinvocationPolicy?: string;
  readonly matchConditions?: readonly NamedExpression[];
}

export interface ClientConfig {
  readonly url?: string;
  readonly service?: {
    readonly namespace: string;
    readonly name: string;
    readonly path?: string;
    readonly port?: number;
  };
  readonly caBundle?: string;
}

/** A webhook with the configuration that it stands in, which tells it from others of its name. */
export interface ConfiguredWebhook {
  readonly id: string;
  readonly webhook: Webhook;
  readonly configuration: KubernetesObject;
}

/** Webhooks in the order in which they are asked: by the name of their configuration. */
export function webhooksOf({ store }: ApiContext, table: string): readonly ConfiguredWebhook[] {
  return store.list(table).flatMap(({ object: configuration }) => {
    const webhooks = (configuration["webhooks"] ?? []) as readonly Webhook[];
    return webhooks.map((webhook, index) => ({
      id: `${configuration.metadata.name}/${webhook.name}/${index}`,
      webhook,
      configuration,
    }));
  });
}

/** The write as a webhook is to see it; undefined when it is not asked. */
export function webhookAttributes(
  context: ApiContext,
  attributes: AdmissionAttributes,
  { webhook, configuration }: ConfiguredWebhook,
): VersionedAttributes | undefined {
  const { rules = [], namespaceSelector, objectSelector, matchPolicy } = webhook;
  // Without rules a webhook is about nothing, other than a policy.
  if (rules.length === 0) return undefined;
  const matched = matchedResource(context, attributes, {
    resourceRules: rules,
    ...(namespaceSelector === undefined ? {} : { namespaceSelector }),
    ...(objectSelector === undefined ? {} : { objectSelector }),
    ...(matchPolicy === undefined ? {} : { matchPolicy }),
  });
  if (matched === undefined) return undefined;
  const versioned = inMatchedVersion(attributes, matched);
  if ((webhook.matchConditions ?? []).length === 0) return versioned;
  const { scope, conditions } = compiledConditions(configuration);
  const met = meetsConditions(
    conditions.get(webhook.name) ?? [],
    scope.evaluator({ context, attributes: versioned, namespaceObject: null, params: null }),
  );
  if (met.kind === "matches") return versioned;
  if (met.kind === "no-match" || webhook.failurePolicy === "Ignore") return undefined;
  const { resource, path } = attributes.request;
  throw forbiddenStatus(
    resource,
    path.name || (attributes.object?.metadata.name ?? ""),
    met.message,
  );
}

const compiledConditions = compiledOnce((configuration) => {
  const scope = new ExpressionScope({ hasParams: false });
  const webhooks = (configuration["webhooks"] ?? []) as readonly Webhook[];
  return {
    scope,
    conditions: new Map(
      webhooks.map(({ name, matchConditions }) => [
        name,
        compileConditions(scope, matchConditions),
      ]),
    ),
  };
});

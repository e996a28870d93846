import type { Edge } from "../graph/index.ts";
import {
  formatIdentity,
  identityKey,
  identityOf,
  knownSource,
  type KubernetesObject,
  type ObjectIdentity,
  readMutations,
} from "../objects/index.ts";
import { resourceNameAnnotation } from "../inventory/index.ts";
import { readDependsOn } from "./depends-on.ts";
import { definedKind } from "./in-use.ts";
import { waitsForAnnotation } from "./provisioned-record.ts";
import { referencesOf } from "./references.ts";

const webhookKinds = ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration"];

/** Which of these objects wait for which others, and why. */
export function objectGraph(objects: readonly KubernetesObject[]): readonly Edge[] {
  const identities = objects.map(identityOf);
  const keys = new Set(identities.map(identityKey));
  const definitions = definitionsByKind(objects);
  const byName = new Map(
    objects.flatMap((object, index): readonly (readonly [string, string])[] => {
      const name = object.metadata.annotations?.[resourceNameAnnotation];
      const identity = identities[index];
      return name === undefined || identity === undefined ? [] : [[name, identityKey(identity)]];
    }),
  );
  const edges: Edge[] = [];
  const add = (from: string, to: ObjectIdentity | string, reason: string, soft = false): void => {
    const key = typeof to === "string" ? to : identityKey(to);
    if (key !== from && keys.has(key))
      edges.push({ from, to: key, reason, ...(soft ? { soft } : {}) });
  };
  for (const [index, object] of objects.entries()) {
    const identity = identities[index] ?? identityOf(object);
    const from = identityKey(identity);
    const definition = definitions.get(`${identity.group}/${identity.kind}`);
    if (definition !== undefined)
      add(from, definition, `${identity.kind} is defined by this CustomResourceDefinition`);
    if (identity.namespace !== "") {
      add(
        from,
        { group: "", kind: "Namespace", namespace: "", name: identity.namespace },
        `it is in the namespace ${identity.namespace}`,
      );
    }
    for (const target of readDependsOn(object).value)
      add(from, target, "its annotation depends-on names it");
    for (const { source, sourcePathText } of readMutations(object).value) {
      const known = knownSource(source, (key) => keys.has(key));
      add(from, known, `its annotation apply-time-mutation takes ${sourcePathText} from it`);
    }
    for (const { target, why } of referencesOf(object)) add(from, target, why, true);
    for (const name of waitsForNames(object)) {
      const key = byName.get(name);
      if (key !== undefined) add(from, key, "the program says so");
    }
  }
  return [...edges, ...webhooksLast(identities)];
}

/** What a resource of a program remembers to wait for. */
export function waitsForNames({ metadata }: KubernetesObject): readonly string[] {
  const text = metadata.annotations?.[waitsForAnnotation];
  if (text === undefined) return [];
  try {
    const names = JSON.parse(text) as unknown;
    return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
  } catch {
    return [];
  }
}

function definitionsByKind(objects: readonly KubernetesObject[]): ReadonlyMap<string, string> {
  return new Map(
    objects.flatMap((object): readonly (readonly [string, string])[] => {
      const kind = definedKind(object);
      return kind === undefined ? [] : [[kind, identityKey(identityOf(object))]];
    }),
  );
}

/**
 * A webhook that is registered before its server runs would refuse everything else. The first of them
 * waits for all that is no webhook, each further one for the one before: as many edges as objects.
 */
function webhooksLast(identities: readonly ObjectIdentity[]): readonly Edge[] {
  const [first, ...further] = identities.filter(({ kind }) => webhookKinds.includes(kind));
  if (first === undefined) return [];
  const others = identities.filter(({ kind }) => !webhookKinds.includes(kind));
  const edge = (from: ObjectIdentity, to: ObjectIdentity): Edge => ({
    from: identityKey(from),
    to: identityKey(to),
    reason: `webhooks come last, after ${formatIdentity(to)}`,
    soft: true,
  });
  return [
    ...others.map((other) => edge(first, other)),
    ...further.map((webhook, index) => edge(webhook, further[index - 1] ?? first)),
  ];
}

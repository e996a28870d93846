import { isJsonObject } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import {
  continuationLabel,
  continuedByAnnotation,
  fieldManager,
  formerIdAnnotation,
  inventoryIdLabel,
} from "./group-names.ts";
import { historyAnnotation } from "./history.ts";

type Texts = Readonly<Record<string, string>>;

/** The labels and annotations of a ResourceGroup that its user chose. */
export interface GroupMetadata {
  readonly labels: Texts;
  readonly annotations: Texts;
}

/** What Keelson itself writes, and what other tools leave in files for themselves. */
const reserved: ReadonlySet<string> = new Set([
  inventoryIdLabel,
  continuationLabel,
  continuedByAnnotation,
  formerIdAnnotation,
  historyAnnotation,
  "kubectl.kubernetes.io/last-applied-configuration",
]);
const bookkeeping = /^(?:internal\.)?config\.kubernetes\.io\//;

/** What the user chose, of all that stands in a file or in the cluster. */
export function chosenMetadata(
  labels: Texts | undefined,
  annotations: Texts | undefined,
): GroupMetadata {
  return { labels: chosen(labels), annotations: chosen(annotations) };
}

/** What earlier applies put on a live ResourceGroup for its user. What others added is not part of it. */
export function appliedMetadata({ metadata }: KubernetesObject): GroupMetadata {
  const { labels, annotations, managedFields = [] } = metadata;
  const own = managedFields.find(
    ({ manager, operation }) => manager === fieldManager && operation === "Apply",
  );
  const owns = (field: "f:labels" | "f:annotations", key: string): boolean => {
    const fields = isJsonObject(own?.fieldsV1) ? own.fieldsV1["f:metadata"] : undefined;
    const keys = isJsonObject(fields) ? fields[field] : undefined;
    return isJsonObject(keys) && `f:${key}` in keys;
  };
  const kept = (texts: Texts = {}, field: "f:labels" | "f:annotations"): Texts =>
    Object.fromEntries(Object.entries(texts).filter(([key]) => owns(field, key)));
  return chosenMetadata(kept(labels, "f:labels"), kept(annotations, "f:annotations"));
}

/** Whether a live group has what an input asks for; an input that is no ResourceGroup leaves it as it is. */
export function isSameMetadata(
  wanted: GroupMetadata | undefined,
  live: GroupMetadata | undefined,
): boolean {
  if (wanted === undefined) return true;
  return (
    isSameTexts(wanted.labels, live?.labels ?? {}) &&
    isSameTexts(wanted.annotations, live?.annotations ?? {})
  );
}

function isSameTexts(left: Texts, right: Texts): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key]);
}

function chosen(texts: Texts = {}): Texts {
  return Object.fromEntries(
    Object.entries(texts).filter(
      ([key, value]) => typeof value === "string" && !reserved.has(key) && !bookkeeping.test(key),
    ),
  );
}

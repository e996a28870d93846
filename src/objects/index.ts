/**
 * Kubernetes objects as data: identity, identifiers, YAML and JSON in and out, JSON path, masking of
 * secrets.
 *
 * This folder does not know any cluster: what needs discovery takes it as a parameter.
 */
export { isLaterVersion, isNewerVersion } from "./is-newer-version.ts";
export { controllerOf } from "./controller-of.ts";
export type { SelectorExpression } from "./meets-expression.ts";
export { meetsExpression } from "./meets-expression.ts";
export { durationMs } from "./duration-ms.ts";
export { withoutOwners } from "./without-owners.ts";
export type {
  KubernetesObject,
  ManagedFieldsEntry,
  ObjectMeta,
  OwnerReference,
} from "./kubernetes-object.ts";
export { apiVersionOf, groupOf, splitApiVersion } from "./api-version.ts";
export type { ObjectIdentity } from "./identity.ts";
export { formatIdentity, identityKey, identityOf, identityOfKey } from "./identity.ts";
export { leadsOutside } from "./read/leads-outside.ts";
export { readObjects, readObjectsFromText } from "./read/read-objects.ts";
export type { LikelyKind } from "./read/likely-kinds.ts";
export { likelyKinds } from "./read/likely-kinds.ts";
export { objectsFromValues } from "./read/read-values.ts";
export type { SourcedObject } from "./read/sourced-object.ts";
export { flattenList } from "./read/flatten-list.ts";
export type { FieldPath } from "./yaml/locate-path.ts";
export { parseYamlStream, parseYamlValue } from "./yaml/parse-yaml-value.ts";
export { writeYaml, writeYamlValue } from "./write-yaml.ts";
export { scopeLookup } from "./scope.ts";
export type { KnownScope, ObjectScope, ScopeLookup } from "./scope.ts";
export { defaultNamespaces } from "./default-namespaces.ts";
export { adaptObjects } from "./adapt-objects.ts";
export type { HelmHook } from "./helm-hook.ts";
export { helmHookOf, isHelmTest } from "./helm-hook.ts";
export { leaveOutHooks } from "./leave-out-hooks.ts";
export type { ObjectProblem } from "./duplicate-objects.ts";
export { duplicateObjects, generatedNames } from "./duplicate-objects.ts";
export type { Mutation } from "./apply-time-mutation.ts";
export { knownSource, mutationAnnotation, readMutations } from "./apply-time-mutation.ts";
export {
  isSecret,
  maskedValue,
  maskFilledText,
  maskSecrets,
  maskSecretsPair,
  maskTexts,
  secretValues,
} from "./mask-secrets.ts";
export { secretFieldsAnnotation, writeSecretFields } from "./secret-fields.ts";
export type { JsonPath, JsonPathStep } from "./json-path/json-path.ts";
export { parseJsonPath } from "./json-path/parse-json-path.ts";
export { evaluateJsonPath, evaluateTemplate } from "./json-path/evaluate.ts";
export { locateJsonPath } from "./json-path/locate-json-path.ts";
export { setAtJsonPath } from "./json-path/set-at-json-path.ts";

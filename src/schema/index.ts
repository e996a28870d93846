/**
 * Kubernetes schemas: those of the built-in kinds, taken from one Kubernetes release, and those of
 * custom resource definitions, in one shape; and what follows from them: scopes, names, defaults,
 * pruning, validation, list keys.
 *
 * This folder knows no cluster, no store and no request. Data is imported, never read from disk.
 */
export type {
  FieldPresence,
  GroupVersionKind,
  Schema,
  SchemaSet,
  SchemaType,
  ValidationRule,
  ValueConstraints,
} from "./schema.ts";
export { builtinSchemas } from "./builtin-schemas.ts";
export type { ResourceDescription, SubresourceDescription } from "./builtin-resources.ts";
export { builtinResources } from "./builtin-resources.ts";
export type { TypeDescription } from "./builtin-descriptions.ts";
export { loadBuiltinDescriptions } from "./builtin-descriptions.ts";
export { convertSchema, crdSchema, objectMetaSchema } from "./crd-schema.ts";
export type { FieldError, FieldErrorType } from "./field-error.ts";
export {
  forbidden,
  formatFieldError,
  formatFieldErrors,
  invalid,
  notSupported,
  requiredField as required,
} from "./field-error.ts";
export { checkStructural } from "./structural-schema.ts";
export type { DecodedObject } from "./decode-object.ts";
export { decodeObject } from "./decode-object.ts";
export type { NormalisedObject } from "./normalise.ts";
export { emptyObject, normalise } from "./normalise.ts";
export { decodeProtobuf, WireError } from "./wire/decode-protobuf.ts";
export { setBuiltinDefaults } from "./builtin-defaults/index.ts";
export { applyDefaults, withoutDefaultedNulls } from "./apply-defaults.ts";
export { isIpv4 } from "./string-format.ts";
export type { PrunedObject } from "./prune-unknown.ts";
export { pruneUnknown, strictDecodingError, unknownFieldWarnings } from "./prune-unknown.ts";
export { canonicalQuantity, compareQuantities, readQuantity } from "./quantity.ts";
export type { RegularExpression } from "./regular-expression.ts";
export { compileRegularExpression } from "./regular-expression.ts";
export { equalJson, matchOldItems } from "./old-items.ts";
export { validate } from "./validate.ts";
export { validateObject, validateObjectUpdate } from "./builtin-validation/index.ts";
export { subdomainProblems } from "./builtin-validation/names.ts";
export { matchesSelector } from "./builtin-validation/selector-validation.ts";
export type { DiagnosedObject } from "./diagnose-object.ts";
export { fieldSteps } from "./field-steps.ts";
export { diagnoseObject } from "./diagnose-object.ts";

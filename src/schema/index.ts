/**
 * Kubernetes schemas: those of the built-in kinds, taken from one Kubernetes release, and those of
 * custom resource definitions, in one shape; and what follows from them: scopes, names, defaults,
 * pruning, validation, list keys.
 *
 * This folder knows no cluster, no store and no request. Data is imported, never read from disk.
 */
export type { GroupVersionKind, Schema, SchemaSet, ValidationRule } from "./schema.ts";
export { builtinSchemas } from "./builtin-schemas.ts";
export type { ResourceDescription, SubresourceDescription } from "./builtin-resources.ts";
export { builtinResources } from "./builtin-resources.ts";
export type { TypeDescription } from "./builtin-descriptions.ts";
export { loadBuiltinDescriptions } from "./builtin-descriptions.ts";
export { convertSchema, crdSchema } from "./crd-schema.ts";
export type { FieldError, FieldErrorType } from "./field-error.ts";
export {
  forbidden,
  formatFieldError,
  formatFieldErrors,
  invalid,
  notSupported,
  requiredField,
} from "./field-error.ts";
export { decodeObject } from "./decode-object.ts";
export { emptyObject } from "./normalise.ts";
export { decodeProtobuf, WireError } from "./wire/decode-protobuf.ts";
export { withoutDefaultedNulls } from "./apply-defaults.ts";
export { isIpv4 } from "./string-format.ts";
export { strictDecodingError, unknownFieldWarnings } from "./prune-unknown.ts";
export {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  readQuantity,
  subtractQuantities,
} from "./quantity.ts";
export { compileRegularExpression } from "./regular-expression.ts";
export { equalJson, matchOldItems } from "./old-items.ts";
export { validate } from "./validate.ts";
export { validateObject, validateObjectUpdate } from "./builtin-validation/index.ts";
export { subdomainProblems } from "./builtin-validation/names.ts";
export { fieldSteps } from "./field-steps.ts";
export { diagnoseObject } from "./diagnose-object.ts";

/**
 * The Starlark language as go.starlark.net runs it for Tilt: scanner, parser, resolver and an
 * evaluator that compiles to closures, with limits on what a program may use.
 *
 * This folder knows nothing of Tiltfiles, Kubernetes or disks. A host gives the builtins, finds
 * what `load` names and gets values or diagnostics back.
 */
export { createInterpreter } from "./interpreter.ts";
export type { Interpreter, InterpreterOptions, StarlarkSource } from "./interpreter.ts";
export { inspectFile } from "./inspect-file.ts";
export type { InspectedCall } from "./inspect-file.ts";
export { hostFunction, HostCall } from "./host-function.ts";
export { anyValue, bool, int, optional, optionalOrNone, required, text } from "./arguments.ts";
export type { Convert } from "./arguments.ts";
export { decodeText, encodeText } from "./byte-text.ts";
export type { ByteText } from "./byte-text.ts";
export { dataFromValue, valueFromData } from "./convert-data.ts";
export type { Data } from "./convert-data.ts";
export { EvaluationError, isTooDeep } from "./evaluation-error.ts";
export type { Limits } from "./limits.ts";
export { jsonModule } from "./modules/json.ts";
export { mathModule } from "./modules/math.ts";
export { display, show } from "./operations/show.ts";
export { typeName } from "./operations/type-name.ts";
export { moduleFunction, structFunction } from "./struct-function.ts";
export { sourceRangeOf } from "./traceback.ts";
export { formatPlace } from "./syntax/position.ts";
export type { Position } from "./syntax/position.ts";
export { StarlarkFunction } from "./values/callable.ts";
export { StarlarkDict } from "./values/dict.ts";
export { StarlarkList } from "./values/list.ts";
export { StarlarkModule, StarlarkStruct } from "./values/struct.ts";
export { StarlarkTuple } from "./values/tuple.ts";
export { StarlarkObject } from "./values/value.ts";
export type { Value } from "./values/value.ts";

import { changedKeys, type JsonObject } from "../../json/index.ts";
import { nearest } from "../../diagnostics/index.ts";
import type { Provider, ProviderContext } from "../provider.ts";
import { inputProblems, type InputShape } from "./input-shape.ts";

/** One class of resources that is part of Keelson. */
export interface ResourceType extends Pick<
  Provider,
  "create" | "read" | "update" | "delete" | "fetchLog" | "fetchStats"
> {
  readonly shape: InputShape;
  /** Which of its inputs cannot be changed in place. */
  readonly fixedInputs: readonly string[];
  readonly find: NonNullable<Provider["find"]>;
}

/** One provider of several types; inputs are looked at before anything is done with them. */
export function providerOfTypes(types: ReadonlyMap<string, ResourceType>): Required<Provider> {
  const typeOf = ({ type }: ProviderContext): ResourceType => {
    const found = types.get(type);
    if (found !== undefined) return found;
    const meant = nearest(type, types.keys());
    const hint =
      meant === undefined ? `there are ${[...types.keys()].join(", ")}` : `did you mean ${meant}?`;
    throw new Error(`there is no type ${type}; ${hint}`);
  };
  const checked = (inputs: JsonObject, context: ProviderContext): ResourceType => {
    const type = typeOf(context);
    const problems = inputProblems(type.shape, inputs);
    if (problems.length > 0) throw new Error(problems.join("; "));
    return type;
  };
  return {
    create: async (inputs, context) => checked(inputs, context).create(inputs, context),
    read: async (id, context) => typeOf(context).read(id, context),
    update: async (id, oldInputs, newInputs, context) => {
      const type = checked(newInputs, context);
      const fixed = fixedChanges(type, oldInputs, newInputs);
      if (fixed.length > 0) throw new Error(`${fixed.join(", ")} cannot be changed in place`);
      return type.update(id, oldInputs, newInputs, context);
    },
    delete: async (id, context) => typeOf(context).delete(id, context),
    check: async (inputs, context) => inputProblems(typeOf(context).shape, inputs),
    diff: async (oldInputs, newInputs, context) => ({
      changes: changedKeys(oldInputs, newInputs).toSorted(),
      replace: fixedChanges(typeOf(context), oldInputs, newInputs),
    }),
    find: async (inputs, context) => typeOf(context).find(inputs, context),
    fetchLog: (id, options, context) => {
      const { fetchLog } = typeOf(context);
      if (fetchLog === undefined) throw new Error(`${context.type} has no log`);
      return fetchLog(id, options, context);
    },
    fetchStats: async (id, context) => (await typeOf(context).fetchStats?.(id, context)) ?? [],
  };
}

function fixedChanges(
  { fixedInputs }: ResourceType,
  oldInputs: JsonObject,
  newInputs: JsonObject,
): readonly string[] {
  return changedKeys(oldInputs, newInputs)
    .filter((name) => fixedInputs.includes(name))
    .toSorted();
}

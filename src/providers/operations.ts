/** What every provider can do. */
export const requiredOperations = ["create", "read", "update", "delete"] as const;

/** What a provider may be able to do beside that. */
export const optionalOperations = ["check", "diff", "find", "fetchLog", "fetchStats"] as const;

export type Operation = (typeof requiredOperations)[number] | (typeof optionalOperations)[number];

export const operations: readonly Operation[] = [...requiredOperations, ...optionalOperations];

/** The arguments of each operation in their order, as they are called in the protocol. */
export const operationParameters: Readonly<Record<Operation, readonly string[]>> = {
  create: ["inputs"],
  read: ["id"],
  update: ["id", "oldInputs", "newInputs"],
  delete: ["id"],
  check: ["inputs"],
  diff: ["oldInputs", "newInputs"],
  find: ["inputs"],
  fetchLog: ["id", "options"],
  fetchStats: ["id"],
};

/** How messages call what was being done. */
export const operationVerbs: Readonly<Record<Operation, string>> = {
  create: "creating",
  read: "reading",
  update: "updating",
  delete: "deleting",
  check: "checking the inputs of",
  diff: "comparing the inputs of",
  find: "looking for",
  fetchLog: "reading the log of",
  fetchStats: "reading the numbers of",
};

/** Those that change the world: what they answer must not be thrown away lightly. */
export function changesTheWorld(operation: Operation): boolean {
  return operation === "create" || operation === "update" || operation === "delete";
}

import { type Operation, operationVerbs } from "../operations.ts";

/** Which call to which provider: what messages begin with. */
export interface CallPlace {
  readonly operation: Operation;
  readonly packageName: string;
  readonly where: string;
  /** The name of the resource. */
  readonly name: string;
}

export function doing({ operation, name }: CallPlace): string {
  return `${operationVerbs[operation]} ${name}`;
}

export function providerOf({ packageName }: Pick<CallPlace, "packageName">): string {
  return `the provider of the package ${JSON.stringify(packageName)}`;
}

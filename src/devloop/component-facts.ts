import { identityOf, type ObjectIdentity } from "../objects/index.ts";
import { type DevComponent, identitiesOf, isLocal } from "./dev-component.ts";

/** What a component consists of, for views that show more than how it is. */
export interface ComponentFacts {
  /** What it has in the cluster, and what is wished for it there. */
  readonly objects: readonly ObjectIdentity[];
  readonly workload: ObjectIdentity | undefined;
  /** What its own command has put into the cluster. */
  readonly deployed: readonly ObjectIdentity[];
  /** Names of the components that must be ready before it. */
  readonly waitsFor: readonly string[];
  readonly isLocal: boolean;
  readonly hasServer: boolean;
  readonly isDisabled: boolean;
  /** Whether it can be, alone. */
  readonly canBeDisabled: boolean;
}

export function factsOf(entry: DevComponent, isWhole: boolean): ComponentFacts {
  const { component, objects, deployed, server, isDisabled } = entry;
  const wished = objects.map(({ object }) => ({ object, identity: identityOf(object) }));
  const { kind = "", metadata = {} } = component.workload?.object ?? {};
  return {
    objects: [...wished.map(({ identity }) => identity), ...identitiesOf(entry)],
    // What is wished for has its namespace filled in, which the workload as it was declared may lack.
    workload: wished.find(
      ({ identity }) => identity.kind === kind && identity.name === metadata.name,
    )?.identity,
    deployed,
    waitsFor: component.dependsOn,
    isLocal: isLocal(entry),
    hasServer: server !== undefined && !isDisabled,
    isDisabled,
    canBeDisabled: !isWhole && !isDisabled,
  };
}

import type { Diagnostic } from "../diagnostics/index.ts";
import type { AdaptedObjects } from "./adapt-objects.ts";
import { helmHookOf, runsInApply } from "./helm-hook.ts";
import { formatIdentity, identityOf } from "./identity.ts";
import type { SourcedObject } from "./read/sourced-object.ts";

const mostNamed = 5;

/** Leaves out hooks of Helm that have no part in an apply, and says which. */
export function leaveOutHooks<Given extends SourcedObject>(
  given: readonly Given[],
): AdaptedObjects<Given> {
  const left: Given[] = [];
  const objects = given.filter((each) => {
    const hook = helmHookOf(each.object);
    if (hook === undefined || runsInApply(hook)) return true;
    left.push(each);
    return false;
  });
  return left.length === 0
    ? { objects: given, diagnostics: [] }
    : { objects, diagnostics: [leftOut(left)] };
}

function leftOut(left: readonly SourcedObject[]): Diagnostic {
  const named = left.slice(0, mostNamed).map(({ object }) => {
    const events = helmHookOf(object)?.events ?? [];
    return `${formatIdentity(identityOf(object))} (${events.join(", ")})`;
  });
  const more = left.length - named.length;
  const list = [...named, ...(more === 0 ? [] : [`${more} more`])].join(", ");
  return {
    code: "objects.hooks-left-out",
    severity: "warning",
    summary: `${left.length === 1 ? "1 Helm hook is" : `${left.length} Helm hooks are`} left out, because an apply runs only install and upgrade hooks: ${list}`,
  };
}

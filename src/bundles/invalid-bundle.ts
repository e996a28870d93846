import type { Diagnostic } from "../diagnostics/index.ts";
import type { Bundle } from "./bundle.ts";
import { keyOf, recordOfBundle, statusOfBundle } from "./bundle-status.ts";
import type { Realized } from "./realize.ts";

/** What there is to say of a bundle that cannot be carried out: nothing is done, and what it made stays. */
export function realizeInvalid(
  bundle: Bundle,
  diagnostics: readonly Diagnostic[],
  now: string,
): Realized {
  const record = recordOfBundle(bundle.object);
  const status = statusOfBundle({
    bundle: bundle.object,
    states: [],
    whole: {
      kind: "error",
      isRetried: false,
      message: diagnostics.map(({ summary }) => summary).join("; "),
    },
    record,
    leaving: new Map(record.objects.map((object) => [keyOf(object), undefined])),
    now,
  });
  return { actions: [], status };
}

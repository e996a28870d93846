import { decodeBody } from "./decode-body.ts";
import type { ApiRequest } from "./request.ts";
import { badRequest } from "./status.ts";

export type PropagationPolicy = "Background" | "Foreground" | "Orphan";

export interface DeleteOptions {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: PropagationPolicy;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
}

const policies: readonly string[] = ["Background", "Foreground", "Orphan"];

/** What a deletion asks for, in its body or in its query. */
export function readDeleteOptions({ body, contentType, query }: ApiRequest): DeleteOptions {
  const fromBody = body.trim() === "" ? {} : (decodeBody(body, contentType) as DeleteOptions);
  const grace = query.get("gracePeriodSeconds");
  const policy = query.get("propagationPolicy");
  const orphan = query.get("orphanDependents");
  const options: DeleteOptions = {
    ...fromBody,
    ...(grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(policy === null ? {} : { propagationPolicy: policy as PropagationPolicy }),
    ...(orphan === null ? {} : { orphanDependents: orphan === "true" }),
    ...(query.has("dryRun") ? { dryRun: query.getAll("dryRun") } : {}),
  };
  if (options.propagationPolicy !== undefined && !policies.includes(options.propagationPolicy)) {
    throw badRequest(
      `DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "${options.propagationPolicy}"`,
    );
  }
  return options;
}

/** The policy in force: as asked, by the older flag, or the default. */
export function policyOf({
  propagationPolicy,
  orphanDependents,
}: DeleteOptions): PropagationPolicy {
  if (propagationPolicy !== undefined) return propagationPolicy;
  return orphanDependents === true ? "Orphan" : "Background";
}

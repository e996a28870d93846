import { isJsonObject } from "../../json/index.ts";
import { decodeBody } from "./decode-body.ts";
import type { ApiRequest } from "./request.ts";
import { badRequest, invalidStatus } from "./status.ts";

export type PropagationPolicy = "Background" | "Foreground" | "Orphan";

export interface DeleteBody {
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: PropagationPolicy;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: readonly string[];
}

const policies: readonly string[] = ["Background", "Foreground", "Orphan"];

/** What a deletion asks for, in its body or in its query. */
export function readDeleteOptions({ body, contentType, query }: ApiRequest): DeleteBody {
  const fromBody = readBody(body, contentType);
  const grace = query.get("gracePeriodSeconds");
  const policy = query.get("propagationPolicy");
  const orphan = query.get("orphanDependents");
  const options: DeleteBody = {
    ...fromBody,
    ...(grace === null ? {} : { gracePeriodSeconds: Number(grace) }),
    ...(policy === null ? {} : { propagationPolicy: policy as PropagationPolicy }),
    ...(orphan === null ? {} : { orphanDependents: orphan === "true" }),
    ...(query.has("dryRun") ? { dryRun: query.getAll("dryRun") } : {}),
  };
  if (options.propagationPolicy !== undefined && !policies.includes(options.propagationPolicy)) {
    const detail = `Unsupported value: ${JSON.stringify(options.propagationPolicy)}: supported values: ${["Foreground", "Background", "Orphan", "nil"].map((each) => JSON.stringify(each)).join(", ")}`;
    throw invalidStatus({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", [
      { type: "FieldValueNotSupported", field: "propagationPolicy", detail },
    ]);
  }
  if (options.propagationPolicy !== undefined && options.orphanDependents !== undefined) {
    const detail = `Invalid value: ${JSON.stringify(options.propagationPolicy)}: orphanDependents and deletionPropagation cannot be both set`;
    throw invalidStatus({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", [
      { type: "FieldValueInvalid", field: "propagationPolicy", detail },
    ]);
  }
  const dryRun = options.dryRun ?? [];
  if (dryRun.some((value) => value !== "All")) {
    const detail = `Unsupported value: ${JSON.stringify(dryRun)}: supported values: "All"`;
    throw invalidStatus({ group: "meta.k8s.io", kind: "DeleteOptions" }, "", [
      { type: "FieldValueNotSupported", field: "dryRun", detail },
    ]);
  }
  return options;
}

function readBody(body: string, contentType: string): DeleteBody {
  if (body.trim() === "") return {};
  const value = decodeBody(body, contentType);
  if (!isJsonObject(value)) throw badRequest("the body is not a DeleteOptions");
  const kind = value["kind"] ?? "DeleteOptions";
  if (kind !== "DeleteOptions" && kind !== "") {
    throw badRequest(`no kind ${JSON.stringify(kind)} is registered for the options of a deletion`);
  }
  return value;
}

/** Whether a deletion says what becomes of dependents. */
export function hasPolicy({ propagationPolicy, orphanDependents }: DeleteBody): boolean {
  return propagationPolicy !== undefined || orphanDependents !== undefined;
}

/** The policy in force: as asked, by the older flag, or the default. */
export function policyOf({ propagationPolicy, orphanDependents }: DeleteBody): PropagationPolicy {
  if (propagationPolicy !== undefined) return propagationPolicy;
  return orphanDependents === true ? "Orphan" : "Background";
}

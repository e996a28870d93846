import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  parseJson,
} from "../../../../json/index.ts";
import type { RejectionStatus } from "./rejection.ts";

export interface AdmissionAnswer {
  readonly kind: "answer";
  readonly allowed: boolean;
  readonly patch: JsonValue | undefined;
  readonly status: RejectionStatus;
  readonly warnings: readonly string[];
}

export interface ReviewExpectation {
  readonly uid: string;
  readonly apiVersion: string;
  readonly isMutating: boolean;
}

/** What a webhook answered, or what is wrong with its answer. */
export function readReview(
  text: string,
  expected: ReviewExpectation,
): AdmissionAnswer | { readonly kind: "problem"; readonly why: string } {
  const review = read(text);
  const response = review?.["response"];
  if (!isJsonObject(response)) return problem("webhook response was absent");
  const uid = textOf(response["uid"]);
  if (uid !== expected.uid && isStrict(expected)) {
    return problem(
      `expected response.uid=${JSON.stringify(expected.uid)}, got ${JSON.stringify(uid)}`,
    );
  }
  const given = `${kindText(textOf(review?.["apiVersion"]))}, Kind=${textOf(review?.["kind"])}`;
  const wanted = `${expected.apiVersion}, Kind=AdmissionReview`;
  if (given !== wanted && isStrict(expected)) {
    return problem(`expected webhook response of ${wanted}, got ${given}`);
  }
  const patch = textOf(response["patch"]);
  const type = response["patchType"] ?? undefined;
  const wrong = isStrict(expected) ? patchProblem(expected.isMutating, patch, type) : undefined;
  if (wrong !== undefined) return problem(wrong);
  const decoded = patch === "" ? undefined : readValue(Buffer.from(patch, "base64").toString());
  if (patch !== "" && !Array.isArray(decoded)) {
    return problem("received undecodable patch in webhook response");
  }
  const status = response["status"];
  const warnings = response["warnings"];
  return {
    kind: "answer",
    allowed: response["allowed"] === true,
    patch: decoded,
    status: isJsonObject(status) ? status : {},
    warnings: Array.isArray(warnings) ? warnings.map(String) : [],
  };
}

function patchProblem(
  isMutating: boolean,
  patch: string,
  type: JsonValue | undefined,
): string | undefined {
  if (!isMutating) {
    if (patch !== "") return "validating webhook may not return response.patch";
    return type === undefined ? undefined : "validating webhook may not return response.patchType";
  }
  if (patch !== "" && type === undefined)
    return "webhook returned response.patch but not response.patchType";
  if (patch === "" && type !== undefined)
    return "webhook returned response.patchType but not response.patch";
  return type === undefined || type === "JSONPatch"
    ? undefined
    : `unsupported patch type ${JSON.stringify(type)}`;
}

/** The older version of reviews is read as it comes. */
function isStrict({ apiVersion }: ReviewExpectation): boolean {
  return apiVersion.endsWith("/v1");
}

function problem(why: string): { readonly kind: "problem"; readonly why: string } {
  return { kind: "problem", why };
}

function kindText(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion : `/${apiVersion}`;
}

function read(text: string): JsonObject | undefined {
  const value = readValue(text);
  return isJsonObject(value) ? value : undefined;
}

function readValue(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}

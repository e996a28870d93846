import { DiagnosticError } from "../../diagnostics/index.ts";
import { parseJson } from "../../json/index.ts";
import { writeYamlValue } from "../../objects/index.ts";
import { answerFormOf } from "./answer-form.ts";
import type { ApiContext, ResourceRequest } from "./api-context.ts";
import { actingUser } from "./authorization/impersonate.ts";
import { requireAccess } from "./authorization/require-access.ts";
import { withDeprecation } from "./deprecation.ts";
import { discover } from "./discovery.ts";
import { handleResource } from "./handle-resource.ts";
import { handleMetrics, isMetrics } from "./metrics/index.ts";
import { openApi } from "./openapi/index.ts";
import type { ApiRequest, ApiResponse, CompleteResponse } from "./request.ts";
import { parseResourcePath } from "./request-path.ts";
import { handleReview, isReview } from "./reviews/index.ts";
import { AnswerNeeded, playRounds } from "./rounds.ts";
import { StatusError, internalError, unknownPath } from "./status.ts";
import { statusResponse } from "./status-response.ts";
import { snapshotLines, snapshotPath } from "../snapshot/snapshot-text.ts";
import { createBinding } from "./subresources/binding.ts";

const largestBody = 3 * 1024 * 1024;

/** The machine's architecture by the name that Go gives it. */
const architecture = process.arch === "x64" ? "amd64" : process.arch;

export const version = {
  major: "1",
  minor: "36",
  emulationMajor: "1",
  emulationMinor: "36",
  minCompatibilityMajor: "1",
  minCompatibilityMinor: "35",
  gitVersion: "v1.36.3",
  gitCommit: "",
  gitTreeState: "clean",
  buildDate: "1970-01-01T00:00:00Z",
  goVersion: "none",
  compiler: "keelson",
  platform: `linux/${architecture}`,
};

/** Answers any request, after webhooks have been asked where there are some; never throws. */
export function answerRequest(
  context: ApiContext,
  request: ApiRequest,
): ApiResponse | Promise<ApiResponse> {
  return playRounds(
    context.rounds,
    () => handleRequest(context, request),
    () => statusResponse(internalError("webhooks were asked too often")),
  );
}

/** Answers any request for which nobody outside needs to be asked. */
export function handleRequest(context: ApiContext, request: ApiRequest): ApiResponse {
  try {
    const user = actingUser(context, request);
    const acting = user === request.user ? request : { ...request, user };
    requireAccess(context, acting);
    return route(context, acting);
  } catch (error) {
    if (error instanceof AnswerNeeded) throw error;
    if (error instanceof StatusError) return statusResponse(error);
    if (error instanceof DiagnosticError) return statusResponse(internalError(textOf(error)));
    return statusResponse(internalError(error instanceof Error ? error.message : String(error)));
  }
}

/** What stands in the way, what is safe, and what to do: whoever asked can see no other place. */
function textOf({ diagnostics }: DiagnosticError): string {
  return diagnostics
    .map(({ summary, detail = "", hint = "" }) => `${summary}. ${detail} ${hint}`.trim())
    .join("\n");
}

function route(context: ApiContext, request: ApiRequest): ApiResponse {
  if (request.path === snapshotPath && request.method === "GET") return snapshot(context);
  const fixed = fixedPath(request.path);
  if (fixed !== undefined) return fixed;
  const described = request.method === "GET" ? openApi(context.registry, request) : undefined;
  if (described !== undefined) return described;
  const discovered = request.method === "GET" ? discover(context.registry, request) : undefined;
  if (discovered !== undefined) return discovered;
  const path = parseResourcePath(request.path);
  if (path === undefined) return pageNotFound();
  const resource = context.registry.find(path.group, path.version, path.resource);
  if (resource === undefined) {
    if (path.group === "" || context.registry.hasGroup(path.group)) throw unknownPath();
    return pageNotFound();
  }
  if (!resource.namespaced && path.namespace !== "") throw unknownPath();
  if (resource.namespaced && path.namespace === "" && path.name !== "") throw unknownPath();
  if (
    path.subresource !== "" &&
    !resource.subresources.some(({ name }) => name === path.subresource)
  ) {
    throw unknownPath();
  }
  const response = withDeprecation(resource, answer(context, { request, path, resource }));
  return request.accept.includes("yaml") ? asYaml(request, response) : response;
}

/** Everything at once, for those who may read any path. */
function snapshot({ store }: ApiContext): CompleteResponse {
  const body = [...snapshotLines(store.revision, store.all())].join("");
  return { kind: "complete", status: 200, contentType: "application/jsonl", body };
}

/** The few who prefer YAML get it of what was written as JSON. */
function asYaml(request: ApiRequest, response: ApiResponse): ApiResponse {
  const isJson = response.kind === "complete" && response.contentType === "application/json";
  if (!isJson || !answerFormOf(request).yaml) return response;
  const body = writeYamlValue(parseJson(response.body));
  return { ...response, contentType: "application/yaml", body };
}

/** Some resources are only asked or told something; the others are stored. */
function answer(context: ApiContext, request: ResourceRequest): ApiResponse {
  if (isReview(request.resource)) return handleReview(context, request);
  if (isMetrics(request.resource)) return handleMetrics(context, request);
  if (request.resource.storageKey === "/bindings") return createBinding(context, request);
  return handleResource(context, request);
}

function fixedPath(path: string): CompleteResponse | undefined {
  if (path === "/version") {
    return {
      kind: "complete",
      status: 200,
      contentType: "application/json",
      body: `${JSON.stringify(version, undefined, 2)}\n`,
    };
  }
  if (/^\/(?:healthz|livez|readyz)(?:\/|$)/.test(path)) {
    return { kind: "complete", status: 200, contentType: "text/plain; charset=utf-8", body: "ok" };
  }
  return undefined;
}

function pageNotFound(): CompleteResponse {
  return {
    kind: "complete",
    status: 404,
    contentType: "text/plain; charset=utf-8",
    body: "404 page not found\n",
  };
}

export { largestBody };

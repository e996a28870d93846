import { DiagnosticError } from "../../diagnostics/index.ts";
import { parseJson } from "../../json/index.ts";
import type { Timing } from "../timing.ts";
import type {
  Transport,
  TransportAnswer,
  TransportRequest,
  TransportStream,
} from "../transport/transport.ts";
import { ApiError, type RequestPurpose } from "./api-error.ts";
import { type ApiResource, type ObjectReference, qualifiedName } from "./api-resource.ts";
import type { DiscoveredResources } from "./discovered-resources.ts";
import { describePurpose } from "./describe-status.ts";
import { statusOf } from "./status.ts";
import { unexpectedAnswer } from "./unexpected-answer.ts";
import { readWarnings } from "./warnings.ts";

/** What every verb needs: the way to the server, what it serves, and the defaults of the context. */
export interface ClientContext {
  readonly transport: Transport;
  readonly resources: DiscoveredResources;
  /** For objects of namespaced kinds that name none. */
  readonly namespace: string;
  readonly timing: Timing;
  /** What the server turned out to be able to do. */
  readonly support: { streamedLists: boolean };
  /** Warnings of the API server: deprecated versions, fields that have no effect. */
  readonly onWarning?: ((warning: string, purpose: RequestPurpose) => void) | undefined;
}

interface ApiRequest extends Omit<TransportRequest, "onRetry"> {
  readonly onRetry?: ((cause: DiagnosticError) => void) | undefined;
}

/**
 * Sends a request and gives the JSON of the answer; any other status than 2xx is an ApiError. What the
 * value is nobody has looked at yet.
 */
export async function sendForJson(
  context: ClientContext,
  purpose: RequestPurpose,
  { onRetry, ...request }: ApiRequest,
): Promise<{ readonly status: number; readonly value: unknown }> {
  const answer = await context.transport.request({
    ...request,
    onRetry:
      onRetry === undefined
        ? undefined
        : (failure) => {
            const cause =
              failure.kind === "answer"
                ? new ApiError(purpose, statusOf(failure.answer))
                : failure.error;
            if (cause instanceof DiagnosticError) onRetry(cause);
          },
  });
  reportWarnings(context, purpose, answer);
  if (answer.status < 200 || answer.status > 299) throw failedRequest(context, purpose, answer);
  try {
    return { status: answer.status, value: parseJson(answer.text) };
  } catch (error) {
    throw unexpectedAnswer(describePurpose(purpose), answer, error);
  }
}

/** Like {@link sendForJson} for answers that go on: only the head has been read. */
export async function sendForStream(
  context: ClientContext,
  purpose: RequestPurpose,
  request: TransportRequest,
): Promise<TransportStream> {
  const answer = await context.transport.stream(request);
  reportWarnings(context, purpose, answer);
  if (answer.status >= 200 && answer.status <= 299) return answer;
  const { status, headers } = answer;
  throw failedRequest(context, purpose, { status, headers, text: await wholeText(answer) });
}

function failedRequest(
  { resources }: ClientContext,
  purpose: RequestPurpose,
  answer: TransportAnswer,
): ApiError {
  const status = statusOf(answer);
  // A path that is not there, other than an object that is not: the kind is no longer served.
  if (status.code === 404 && status.details?.kind === undefined) resources.invalidate();
  return new ApiError(purpose, status);
}

/** The namespace to use for an object: none for kinds without. */
export function namespaceFor(
  context: ClientContext,
  resource: ApiResource,
  namespace: string | undefined,
): string | undefined {
  if (!resource.namespaced) return undefined;
  return namespace === undefined || namespace === "" ? context.namespace : namespace;
}

export interface Target {
  readonly resource: ApiResource;
  readonly namespace: string | undefined;
  readonly purpose: RequestPurpose;
}

/** Looks a reference up in discovery. */
export async function targetOf(
  context: ClientContext,
  verb: string,
  reference: ObjectReference,
  subresource?: string,
): Promise<Target> {
  const resource = await context.resources.resource(reference);
  const namespace = namespaceFor(context, resource, reference.namespace);
  return {
    resource,
    namespace,
    purpose: purposeOf(verb, resource, { namespace, name: reference.name, subresource }),
  };
}

export function purposeOf(
  verb: string,
  resource: ApiResource,
  {
    namespace,
    name,
    subresource,
  }: {
    readonly namespace?: string | undefined;
    readonly name?: string | undefined;
    readonly subresource?: string | undefined;
  },
): RequestPurpose {
  const plain = qualifiedName(resource);
  return {
    verb,
    resource: subresource === undefined ? plain : `${plain}/${subresource}`,
    namespace: resource.namespaced ? namespace : undefined,
    name,
  };
}

function reportWarnings(
  { onWarning }: ClientContext,
  purpose: RequestPurpose,
  { headers }: Pick<TransportAnswer, "headers">,
): void {
  const header = headers["warning"];
  if (onWarning === undefined || header === undefined) return;
  for (const warning of readWarnings(header)) onWarning(warning, purpose);
}

const longestFailureText = 1_000_000;

async function wholeText({ body }: TransportStream): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > longestFailureText) break;
  }
  return Buffer.concat(chunks).toString("utf8");
}

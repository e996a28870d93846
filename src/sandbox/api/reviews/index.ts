/**
 * Questions put as objects: who am I, whose token is this, may somebody do something. They are
 * answered and never stored.
 */
import type { JsonObject } from "../../../json/index.ts";
import type { KubernetesObject } from "../../../objects/index.ts";
import { timestamp } from "../../clock.ts";
import { requirePlainForm } from "../answer-form.ts";
import type { ApiContext, ResourceRequest } from "../api-context.ts";
import { completeObject } from "../complete-object.ts";
import { decodeBody } from "../decode-body.ts";
import { recordUpdate } from "../field-managers.ts";
import { orderedObject } from "../ordered-object.ts";
import { readObject } from "../read-object.ts";
import type { CompleteResponse } from "../request.ts";
import { validateObject } from "../../../schema/index.ts";
import type { ServedResource } from "../served-resource.ts";
import { badRequest, invalidStatus, methodNotAllowed } from "../status.ts";
import { answer } from "../subresources/answers.ts";
import { reviewAccess, reviewOwnAccess, reviewOwnRules } from "./access-reviews.ts";
import { reviewSelf, reviewToken } from "./identity-reviews.ts";

/** What is answered: the parts of the review that the server fills in. */
export type Review = (
  context: ApiContext,
  request: ResourceRequest,
  object: KubernetesObject,
) => JsonObject;

const reviews: Readonly<Record<string, Review>> = {
  "authorization.k8s.io/selfsubjectaccessreviews": reviewOwnAccess,
  "authorization.k8s.io/selfsubjectrulesreviews": reviewOwnRules,
  "authorization.k8s.io/subjectaccessreviews": reviewAccess,
  "authorization.k8s.io/localsubjectaccessreviews": reviewAccess,
  "authentication.k8s.io/selfsubjectreviews": reviewSelf,
  "authentication.k8s.io/tokenreviews": reviewToken,
};

export function isReview({ storageKey }: ServedResource): boolean {
  return storageKey in reviews;
}

export function handleReview(context: ApiContext, request: ResourceRequest): CompleteResponse {
  const { resource, path } = request;
  const review = reviews[resource.storageKey];
  if (request.request.method !== "POST" || review === undefined) throw methodNotAllowed();
  requirePlainForm(request.request);
  const sent = readObject(decodeBody(request.request.body, request.request.contentType), request);
  const { object, warnings } = completeObject(request, sent);
  const { namespace } = object.metadata;
  if (resource.namespaced && namespace !== undefined && namespace !== path.namespace) {
    throw badRequest(
      "the namespace of the provided object does not match the namespace sent on the request",
    );
  }
  const errors = validateObject(resource, {
    ...(object as unknown as JsonObject),
    metadata: {
      ...(object.metadata as unknown as JsonObject),
      ...(resource.namespaced ? { namespace: path.namespace } : {}),
    },
  });
  if (errors.length > 0) throw invalidStatus({ group: resource.group, kind: "" }, "", errors);
  const recorded = recordUpdate(context, request, undefined, object);
  const metadata = {
    ...recorded.metadata,
    ...(resource.namespaced ? { namespace: path.namespace } : {}),
    ...(resource.resource === "selfsubjectreviews"
      ? { creationTimestamp: timestamp(context.clock.now()) }
      : {}),
  };
  const answered = { ...recorded, metadata, ...review(context, request, object) };
  return answer(201, orderedObject(answered), warnings);
}

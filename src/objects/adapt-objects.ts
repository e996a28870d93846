import type { Diagnostic } from "../diagnostics/index.ts";
import { formatIdentity, identityOf } from "./identity.ts";
import type { KubernetesObject } from "./kubernetes-object.ts";
import type { SourcedObject } from "./read/sourced-object.ts";
import { definitionOfThirdPartyResource, isThirdPartyResource } from "./third-party-resource.ts";

export interface AdaptedObjects<Given extends SourcedObject> {
  readonly objects: readonly Given[];
  /** What was changed, as warnings, and what cannot be made into anything, as errors. */
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Objects as today's API servers take them: ThirdPartyResources become the definitions they mean, and
 * what only a server gives is dropped, as it stands in what `kubectl get -o yaml` prints.
 */
export function adaptObjects<Given extends SourcedObject>(
  given: readonly Given[],
): AdaptedObjects<Given> {
  const diagnostics: Diagnostic[] = [];
  const objects = given.map((sourced) => {
    const object = adaptObject(sourced, diagnostics);
    return object === sourced.object ? sourced : { ...sourced, object };
  });
  return { objects: diagnostics.length === 0 ? given : objects, diagnostics };
}

function adaptObject(sourced: SourcedObject, diagnostics: Diagnostic[]): KubernetesObject {
  const { object, sourceOf } = sourced;
  if (!isThirdPartyResource(object) && !serverGiven.some((field) => field in object.metadata))
    return object;
  const subject = formatIdentity(identityOf(object));
  if (isThirdPartyResource(object)) {
    const meant = definitionOfThirdPartyResource(object);
    if (meant.kind === "problem") {
      const path = meant.field.split(".");
      diagnostics.push({
        code: "objects.invalid-third-party-resource",
        severity: "error",
        summary: `${subject}: ${meant.field} ${meant.message}`,
        hint: "Compare with cloud-formation.smith.atlassian.com, which means the kind CloudFormation.",
        subject,
        object: identityOf(object),
        source: sourceOf(path),
      });
      return object;
    }
    const { definition } = meant;
    diagnostics.push({
      code: "objects.third-party-resource",
      severity: "warning",
      summary: `${subject}: no API server knows ThirdPartyResources any longer; it is taken as CustomResourceDefinition ${definition.metadata.name ?? ""}`,
      hint: "Write the CustomResourceDefinition, which can say more of its kind.",
      subject,
      source: sourceOf(["kind"]),
    });
    return withoutGiven({ ...sourced, object: definition }, subject, diagnostics);
  }
  return withoutGiven(sourced, subject, diagnostics);
}

/** An apply with a version is refused as soon as the object has changed, one with managed fields always. */
const bookkeeping = ["resourceVersion", "managedFields"] as const;
const serverGiven = ["uid", ...bookkeeping] as const;

function withoutGiven(
  sourced: SourcedObject,
  subject: string,
  diagnostics: Diagnostic[],
): KubernetesObject {
  const object = withoutUid(sourced, subject, diagnostics);
  const found = bookkeeping.filter((field) => object.metadata[field] !== undefined);
  const [first] = found;
  if (first === undefined) return object;
  const names = found.map((field) => `metadata.${field}`).join(" and ");
  diagnostics.push({
    code: "objects.server-fields-dropped",
    severity: "warning",
    summary: `${subject}: ${names} ${found.length === 1 ? "is" : "are"} left out; only the server writes that`,
    hint: `Remove ${names} from the object.`,
    subject,
    source: sourced.sourceOf(["metadata", first]),
  });
  const { resourceVersion: _version, managedFields: _fields, ...metadata } = object.metadata;
  return { ...object, metadata };
}

function withoutUid(
  { object, sourceOf }: SourcedObject,
  subject: string,
  diagnostics: Diagnostic[],
): KubernetesObject {
  const { uid, ...metadata } = object.metadata;
  if (uid === undefined) return object;
  diagnostics.push({
    code: "objects.uid-dropped",
    severity: "warning",
    summary: `${subject}: metadata.uid is left out; the server gives each object its own`,
    hint: "Remove metadata.uid from the object.",
    subject,
    source: sourceOf(["metadata", "uid"]),
  });
  return { ...object, metadata };
}

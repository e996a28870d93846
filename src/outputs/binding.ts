import { isApiError } from "../cluster/index.ts";
import { DiagnosticError, fail } from "../diagnostics/index.ts";
import { equalValues, fieldAt, isJsonObject } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { isLeaving, ownerReferenceTo } from "./output-object.ts";
import type { WriteOutputOptions } from "./write-output.ts";

/** Which kind bindings are of, and where they name the output. */
export interface BindingPlace {
  readonly apiVersion: string;
  readonly kind: string;
  readonly nameField: readonly string[];
}

export async function findBinding(
  options: WriteOutputOptions,
  { apiVersion, kind }: BindingPlace,
): Promise<KubernetesObject | undefined> {
  const { cluster, claim, signal } = options;
  const { namespace = "" } = claim.metadata;
  const name = bindingName(options);
  const found = await cluster.find({ apiVersion, kind, namespace, name }, { signal });
  if (found !== undefined && !belongsTo(found, claim)) takenBy(found);
  return found;
}

export function namedByBinding(
  binding: KubernetesObject | undefined,
  nameField: readonly string[],
): string | undefined {
  const name = fieldAt(binding, ...nameField);
  return typeof name === "string" ? name : undefined;
}

/** Writes the binding unless it says all that it should. */
export async function writeBinding(
  options: WriteOutputOptions,
  { apiVersion, kind, nameField }: BindingPlace,
  live: KubernetesObject | undefined,
  outputName: string,
): Promise<KubernetesObject> {
  const { cluster, claim, manager, signal } = options;
  const { namespace = "" } = claim.metadata;
  const said = {
    ...options.binding?.fields,
    ...nested(nameField, outputName, options.binding?.fields),
  };
  if (live !== undefined && !isLeaving(live) && includes(live, said)) return live;
  const head = {
    apiVersion,
    kind,
    metadata: {
      name: bindingName(options),
      namespace,
      ownerReferences: [ownerReferenceTo(claim)],
      // Another object that has taken the name meanwhile must not be changed.
      ...(live?.metadata.uid === undefined ? {} : { uid: live.metadata.uid }),
    },
  };
  const applying = { fieldManager: manager, force: true, signal };
  const { subresources } = await cluster.resource({ apiVersion, kind });
  const isApart = "status" in said && subresources.some(({ name }) => name === "status");
  const { status, ...rest } = said as Readonly<Record<string, unknown>>;
  const main = await applied(() =>
    cluster.apply({ ...head, ...(isApart ? rest : said) }, applying).then(({ object }) => object),
  );
  const { name = "", uid } = main.metadata;
  return isApart
    ? await applied(() =>
        cluster
          .apply(
            { apiVersion, kind, metadata: { name, namespace, uid: uid ?? "" }, status },
            { ...applying, subresource: "status" },
          )
          .then(({ object }) => object),
      )
    : main;
}

function bindingName({ binding, claim }: WriteOutputOptions): string {
  return binding?.name ?? claim.metadata.name ?? "";
}

function belongsTo({ metadata }: KubernetesObject, claim: KubernetesObject): boolean {
  return (metadata.ownerReferences ?? []).some(({ uid }) => uid === claim.metadata.uid);
}

function takenBy({ kind, metadata }: KubernetesObject): never {
  fail({
    code: "outputs.binding-taken",
    summary: `${kind} ${metadata.name ?? ""} is there and does not belong to this claim`,
    hint: "what belongs to a former claim of the same name goes by itself; delete it otherwise",
  });
}

/** Two claims may ask for one binding at the same time: the server lets only the first one write. */
async function applied(write: () => Promise<KubernetesObject>): Promise<KubernetesObject> {
  try {
    return await write();
  } catch (error) {
    if (!isApiError(error, "Conflict") || !(error instanceof DiagnosticError)) throw error;
    return fail({
      code: "outputs.binding-taken",
      summary: `the binding was replaced while it was written: ${error.message}`,
      hint: "it is tried again",
    });
  }
}

/** `{status: {secretName: name}}`, with what else is said beside it. */
function nested(
  path: readonly string[],
  value: string,
  beside: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const [step = "", ...rest] = path;
  if (rest.length === 0) return { [step]: value };
  const inner = beside[step];
  const others = isJsonObject(inner) ? inner : {};
  return { [step]: { ...others, ...nested(rest, value, others) } };
}

/** Whether everything that is said stands in what is there. */
function includes(live: unknown, said: unknown): boolean {
  if (!isJsonObject(said)) return equalValues(live as never, said as never);
  return (
    isJsonObject(live) &&
    Object.entries(said).every(([key, value]) => includes(fieldAt(live, key), value))
  );
}

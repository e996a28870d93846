import type { Directive, GivenObject, WorkloadId } from "../../assembly/index.ts";
import type { Diagnostic, SourceRange } from "../../diagnostics/index.ts";
import { isJsonObject, type JsonValue } from "../../json/index.ts";
import { type FieldPath, groupOf } from "../../objects/index.ts";
import type { TiltfileResult } from "./tiltfile-result.ts";

/** What a Tiltfile said in a form that another thread can be sent: what can be asked of it is answered ahead. */
export interface PortableResult extends Omit<TiltfileResult, "directives" | "objects"> {
  readonly objects: readonly PortableObject[];
  readonly directives: readonly PortableDirective[];
}

interface PortableObject extends Omit<GivenObject, "sourceOf"> {
  /** By the field's path as JSON. */
  readonly places: ReadonlyMap<string, SourceRange>;
}

type NameWorkloadsDirective = Extract<Directive, { readonly kind: "name-workloads" }>;

type PortableDirective =
  | Exclude<Directive, NameWorkloadsDirective>
  | (Omit<NameWorkloadsDirective, "nameOf"> & {
      /** By the workload as JSON. */
      readonly names: ReadonlyMap<string, string | Diagnostic>;
    });

export function packed(result: TiltfileResult, namespace = "default"): PortableResult {
  const workloads = result.objects.flatMap((given) => namesOf(given, namespace));
  return {
    ...result,
    objects: result.objects.map(({ sourceOf, ...given }) => ({
      ...given,
      places: new Map(
        [...fieldsOf(given.object as unknown as JsonValue)].map((path) => [
          JSON.stringify(path),
          sourceOf(path),
        ]),
      ),
    })),
    directives: result.directives.map((directive): PortableDirective => {
      if (directive.kind !== "name-workloads") return directive;
      const { nameOf, ...rest } = directive;
      return { ...rest, names: new Map(workloads.map((each) => [keyOf(each), nameOf(each)])) };
    }),
    diagnostics: result.diagnostics.map((diagnostic) => ({ ...diagnostic, cause: undefined })),
  };
}

export function unpacked(result: PortableResult): TiltfileResult {
  return {
    ...result,
    objects: result.objects.map(({ places, ...given }) => ({
      ...given,
      sourceOf: (path = []) =>
        placeOf(places, path) ?? { file: given.file, start: { line: 1, column: 1 } },
    })),
    directives: result.directives.map((directive): Directive => {
      if (directive.kind !== "name-workloads") return directive;
      const { names, ...rest } = directive;
      return {
        ...rest,
        nameOf: (workload) => names.get(keyOf(workload)) ?? unknown(rest, workload),
      };
    }),
  };
}

/** The place of a field, or of the innermost one around it that is there. */
function placeOf(places: PortableObject["places"], path: FieldPath): SourceRange | undefined {
  const place = places.get(JSON.stringify(path));
  return place === undefined && path.length > 0 ? placeOf(places, path.slice(0, -1)) : place;
}

/** An object as a naming function may be asked for it, as a kind with namespaces and as one without. */
function namesOf({ object }: GivenObject, namespace: string): readonly WorkloadId[] {
  const { apiVersion, kind, metadata } = object;
  const { name = metadata.generateName ?? "", namespace: written = "" } = metadata;
  const id = { name, kind, group: groupOf(apiVersion) };
  return [
    { ...id, namespace: written === "" ? namespace : written },
    { ...id, namespace: "" },
  ];
}

function keyOf({ name, kind, namespace, group }: WorkloadId): string {
  return JSON.stringify([name, kind, namespace, group]);
}

function unknown({ source }: { readonly source?: SourceRange }, workload: WorkloadId): Diagnostic {
  const { kind, name, namespace } = workload;
  return {
    code: "tiltfile.naming-function",
    severity: "error",
    summary: `the name of ${kind} ${name} in namespace ${namespace} was not asked for while the Tiltfile was evaluated`,
    hint: "Name the namespace in the object, or make fewer calls inside calls.",
    ...(source === undefined ? {} : { source }),
  };
}

/** The paths of all fields and items, however deep. */
function* fieldsOf(value: JsonValue, path: FieldPath = []): Iterable<FieldPath> {
  yield path;
  const fields = Array.isArray(value)
    ? value.entries()
    : isJsonObject(value)
      ? Object.entries(value)
      : [];
  for (const [field, inner] of fields) yield* fieldsOf(inner, [...path, field]);
}

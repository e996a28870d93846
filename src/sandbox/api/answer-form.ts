import type { ApiRequest } from "./request.ts";
import { notAcceptable } from "./status.ts";

/** The form in which a client wants objects: whole, as rows, or only their metadata. */
export type AnswerShape = "object" | "table" | "metadata" | "metadata-list";

export interface AnswerForm {
  readonly shape: AnswerShape;
  /** The version of `meta.k8s.io` that tables and metadata are written in. */
  readonly metaVersion: "v1" | "v1beta1";
  readonly yaml: boolean;
}

const shapes: Readonly<Record<string, AnswerShape>> = {
  Table: "table",
  PartialObjectMetadata: "metadata",
  PartialObjectMetadataList: "metadata-list",
};
const objectTypes = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
] as const;
const watchTypes = [
  "application/json;stream=watch",
  "application/vnd.kubernetes.protobuf;stream=watch",
] as const;
const mostRemembered = 500;
const remembered = new Map<string, AnswerForm>();

/** Chooses a form that the client accepts and this server writes; refuses when there is none. */
export function answerFormOf(request: ApiRequest): AnswerForm {
  const watch = request.query.get("watch");
  const isWatch = watch === "true" || watch === "1";
  const key = `${isWatch ? "watch " : ""}${request.accept}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const form = choose(request.accept, isWatch);
  if (remembered.size >= mostRemembered) remembered.clear();
  remembered.set(key, form);
  return form;
}

/** Refuses who accepts nothing but tables, or metadata, of what has no metadata. */
export function requirePlainForm({ accept }: ApiRequest): void {
  const isPlain = parseAccept(accept).some((clause) => formOf(clause, false)?.shape === "object");
  if (isPlain) return;
  throw notAcceptable(`only the following media types are accepted: ${objectTypes.join(", ")}`);
}

function choose(accept: string, isWatch: boolean): AnswerForm {
  const clauses = parseAccept(accept);
  for (const clause of clauses) {
    const form = formOf(clause, isWatch);
    if (form !== undefined) return form;
  }
  // A type that is known but wanted in an unknown form is refused by another part of a real server.
  if (isWatch || clauses.some(({ type }) => objectTypes.some((each) => each === type))) {
    const types = isWatch ? watchTypes : objectTypes;
    throw notAcceptable(`only the following media types are accepted: ${types.join(", ")}`);
  }
  const types = [...objectTypes, ...watchTypes].join(", ");
  throw notAcceptable(`406: Not Acceptable\n\nAvailable representations: ${types}`, {});
}

interface Clause {
  readonly type: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly quality: number;
}

/** What a client accepts, what it prefers first. */
export function parseAccept(accept: string): readonly Clause[] {
  const text = accept.trim() === "" ? "*/*" : accept;
  return text
    .split(",")
    .map((clause) => {
      const [type = "", ...rest] = clause.split(";").map((word) => word.trim());
      const parameters = new Map(
        rest.map((each): [string, string] => {
          const [name = "", value = ""] = each.split("=");
          return [name.trim(), value.trim()];
        }),
      );
      return { type, parameters, quality: Number(parameters.get("q") ?? 1) };
    })
    .sort((left, right) => right.quality - left.quality);
}

function formOf({ type, parameters }: Clause, isWatch: boolean): AnswerForm | undefined {
  const yaml = type === "application/yaml";
  const isJson = ["application/json", "*/*"].includes(type);
  if (!isJson && (!yaml || isWatch)) return undefined;
  const wanted = parameters.get("as") ?? "";
  if (wanted === "") return { shape: "object", metaVersion: "v1", yaml };
  const shape = shapes[wanted];
  const version = parameters.get("v") ?? "";
  const isKnown =
    parameters.get("g") === "meta.k8s.io" && (version === "v1" || version === "v1beta1");
  return shape === undefined || !isKnown ? undefined : { shape, metaVersion: version, yaml };
}

/** Assembly as text: objects and directives in, components and diagnostics out. */
import {
  assemble,
  type Component,
  type Directive,
  type GivenObject,
} from "../../src/assembly/index.ts";
import { renderDiagnostics, type SourceRange } from "../../src/diagnostics/index.ts";
import { readObjectsFromText, scopeLookup } from "../../src/objects/index.ts";

export interface AssemblyCase {
  /** YAML, or one object a line: `apps/v1 Deployment shop/web`. */
  readonly objects: string;
  readonly directives?: readonly Directive[];
  readonly namespace?: string;
  readonly allowDuplicates?: boolean;
}

/** One line for each component with its objects, then everything that was reported. */
export function assembleText(assemblyCase: AssemblyCase): string {
  const { components, diagnostics } = assembleCase(assemblyCase);
  const lines = components.map(
    ({ name, objects }) => `${name}: ${objects.map(shortName).join(", ")}`,
  );
  if (diagnostics.length > 0) {
    const bare = diagnostics.map(({ source, ...rest }) =>
      source === undefined ? rest : { ...rest, source: { file: source.file, start: source.start } },
    );
    lines.push(renderDiagnostics(bare));
  }
  return lines.map((line) => `${line}\n`).join("");
}

export function assembleCase({
  objects,
  directives = [],
  namespace = "default",
  allowDuplicates = false,
}: AssemblyCase): ReturnType<typeof assemble> {
  const given = givenObjects(objects).map((each) => ({ ...each, allowDuplicates }));
  return assemble({
    objects: given,
    directives,
    effectiveNamespace: namespace,
    scopeOf: scopeLookup({ objects: given.map(({ object }) => object) }),
  });
}

/** A place in the file of the directives. */
export function line(number: number): SourceRange {
  return { file: "Tiltfile", start: { line: number, column: 1 } };
}

/** The only component, or the one of a name. */
export function componentOf(assemblyCase: AssemblyCase, name?: string): Component {
  const { components, diagnostics } = assembleCase(assemblyCase);
  const found = components.find((component) => name === undefined || component.name === name);
  if (found === undefined || diagnostics.length > 0)
    throw new Error(`no component ${name ?? ""}: ${renderDiagnostics(diagnostics)}`);
  return found;
}

export function givenObjects(text: string): readonly GivenObject[] {
  const yaml = /^\S+ \S+ \S+$/m.test(text) && !text.includes(": ") ? yamlOf(text) : text;
  const { objects, diagnostics } = readObjectsFromText("objects.yaml", yaml);
  if (diagnostics.length > 0) throw new Error(renderDiagnostics(diagnostics));
  return objects;
}

/** The document of each line stands in that line of the YAML, so that places can be read off. */
function yamlOf(text: string): string {
  return text
    .trim()
    .split("\n")
    .map((each) => {
      const [apiVersion = "", kind = "", name = ""] = each.trim().split(" ");
      const [own = "", namespace] = name.split("/").toReversed();
      const metadata = { name: own, ...(namespace === undefined ? {} : { namespace }) };
      return `--- ${JSON.stringify({ apiVersion, kind, metadata })}\n`;
    })
    .join("");
}

function shortName({ object }: GivenObject): string {
  const { name = "", namespace } = object.metadata;
  return `${object.kind} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { type CodeExcerpt, excerptOf, type SourceRange } from "../../diagnostics/index.ts";
import { isSecretPath, type ProgramGraph } from "../../resources/index.ts";

/**
 * Lets whatever is said of a resource be shown with the lines that allocate it. They are cut out when
 * they are shown: doing it for every resource would read the program once per resource.
 */
export function withFrames(graph: ProgramGraph, workingFolder: string): ProgramGraph {
  const texts = new Map<string, string>();
  const textOf = (file: string): string => {
    const known = texts.get(file) ?? readText(resolve(workingFolder, file));
    texts.set(file, known);
    return known;
  };
  return {
    ...graph,
    resources: graph.resources.map((resource) =>
      isSecretPath(resource, [])
        ? resource
        : { ...resource, source: framed(resource.source, textOf) },
    ),
  };
}

function framed(source: SourceRange, textOf: (file: string) => string): SourceRange {
  return {
    ...source,
    get excerpt() {
      return source.excerpt ?? shownLines(textOf(source.file), source.start.line);
    },
  };
}

/** Of a program that speaks of secrets only the line itself: what is around it may be one. */
function shownLines(text: string, line: number): CodeExcerpt {
  const excerpt = excerptOf(text, line);
  if (!/secret/i.test(text)) return excerpt;
  return { firstLine: line, lines: excerpt.lines.slice(line - excerpt.firstLine).slice(0, 1) };
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

import { type Compilation, compileCel } from "../../cel/index.ts";

/** The annotation that says in CEL when an object, or every object of a definition, is ready. */
export const readyWhenAnnotation = "keelson.dev/ready-when";

export const expressionHint = 'Write a condition on self, such as self.status.phase == "Bound".';

const mostKept = 1_000;
const compilations = new Map<string, Compilation>();

/** A condition on `self`, compiled when it first appears: many objects share few expressions. */
export function compileReadyWhen(text: string): Compilation {
  const known = compilations.get(text);
  if (known !== undefined) return known;
  if (compilations.size >= mostKept) compilations.clear();
  const compilation = asCondition(text, compileCel(text, { self: {} }));
  compilations.set(text, compilation);
  return compilation;
}

function asCondition(text: string, compilation: Compilation): Compilation {
  if (text.trim() === "") return problem("it is empty");
  if (compilation.kind === "problems") return compilation;
  const { kind } = compilation.program.type;
  return kind === "bool" || kind === "dyn"
    ? compilation
    : problem(`it gives a value of the type ${kind}, not true or false`);
}

function problem(text: string): Compilation {
  return { kind: "problems", text, problems: [{ position: 0, message: text }] };
}

import { assemble, type Assembled } from "../../assembly/index.ts";
import { diagnosticToJson } from "../../diagnostics/index.ts";
import { scopeLookup, stringifyJson } from "../../objects/index.ts";
import type { CommandHandler } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { report } from "../report.ts";
import { componentGraph } from "../views/component-graph.ts";
import { componentJson } from "../views/component-json.ts";
import { componentLines } from "../views/component-lines.ts";
import { drawGraph } from "../views/draw-graph.ts";
import type { AssembleFlags } from "./assemble.ts";
import { readAssemblyInput } from "./assemble-input.ts";

export const runAssemble: CommandHandler<AssembleFlags, readonly string[]> = async (
  context,
  { namespace, output },
  ...inputs
) => {
  const read = await readAssemblyInput(context, inputs.length === 0 ? ["."] : inputs);
  const scopeOf = scopeLookup({ objects: read.objects.map(({ object }) => object) });
  const { components, diagnostics } = withDiagnostics(
    read.diagnostics,
    assemble({ ...read, effectiveNamespace: namespace, scopeOf }),
  );
  const hasErrors = diagnostics.some(({ severity }) => severity === "error");
  const { stdout } = context.process;
  if (output === "json") {
    const found = {
      components: components.map((each) => componentJson(each, scopeOf, namespace)),
      diagnostics: diagnostics.map(diagnosticToJson),
    };
    stdout.write(`${stringifyJson(found)}\n`);
  } else {
    report(context, diagnostics, "text");
    if (!hasErrors && output === "text")
      stdout.write(componentLines(components, namespace, context.style.stdout, stdout.columns));
    else if (!hasErrors && output !== "text")
      stdout.write(await drawGraph(componentGraph(components), output));
  }
  return hasErrors ? exitCode.invalid : exitCode.success;
};

function withDiagnostics(first: Assembled["diagnostics"], assembled: Assembled): Assembled {
  return { ...assembled, diagnostics: [...first, ...assembled.diagnostics] };
}

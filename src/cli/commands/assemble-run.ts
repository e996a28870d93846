import { diagnosticToJson } from "../../diagnostics/index.ts";
import { stringifyJson } from "../../json/index.ts";
import { scopeLookup } from "../../objects/index.ts";
import type { CommandHandler } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { clusterInView } from "../open-cluster.ts";
import { report } from "../report.ts";
import { componentGraph } from "../views/component-graph.ts";
import { componentJson } from "../views/component-json.ts";
import { componentLines } from "../views/component-lines.ts";
import { drawGraph } from "../views/draw-graph.ts";
import { tiltfileJson } from "../views/tiltfile-json.ts";
import type { AssembleFlags } from "./assemble.ts";
import { assembleSource, readSource } from "../../engine/index.ts";
import { hostOf } from "../host-of.ts";

export const runAssemble: CommandHandler<AssembleFlags, readonly string[]> = async (
  context,
  flags,
  ...inputs
) => {
  const { output } = flags;
  const inView = await clusterInView(context, { ...flags, sandbox: false });
  const { namespace } = inView;
  const source = await readSource(hostOf(context), inputs.length === 0 ? ["."] : inputs, {
    ...inView,
    announcesCommands: true,
  });
  const scopeOf = scopeLookup({ objects: source.objects.map(({ object }) => object) });
  const { components, diagnostics } = await assembleSource(source, scopeOf, namespace);
  const hasErrors = diagnostics.some(({ severity }) => severity === "error");
  const { stdout } = context.process;
  if (output === "json") {
    const found = {
      components: components.map((each) => componentJson(each, scopeOf, namespace)),
      ...(source.kind === "tiltfile" ? tiltfileJson(source.tiltfile) : {}),
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

import MagicString from "magic-string";
import { parseSync, transformSync, Visitor } from "rolldown/utils";
import { registerClass, type ClassValue } from "../../resources/index.ts";
import { currentRun } from "../../resources/program-run.ts";
import type { AllocationSite } from "../../resources/index.ts";

Reflect.set(globalThis, Symbol.for("keelson.interim"), {
  construct: (callee: new (...args: unknown[]) => unknown, args: unknown[], site: AllocationSite) =>
    currentRun().construct(site, () => Reflect.construct(callee, args)),
  registerClass: (value: ClassValue, module: string) => registerClass(value, module, value.name),
});

export function instrument(
  source: string,
  file: string,
  token: string,
): { code: string; map: unknown } {
  const parsed = parseSync(file, source, {});
  const [problem] = parsed.errors;
  if (problem !== undefined) throw new SyntaxError(problem.message);
  const text = new MagicString(source);
  const classes: (string | undefined)[] = [];
  const lines = source.split("\n");
  const at = (offset: number) => {
    let line = 1;
    let left = offset;
    for (const each of lines) {
      if (left <= each.length) break;
      left -= each.length + 1;
      line++;
    }
    return { line, column: left + 1 };
  };
  const runtime = `globalThis[Symbol.for("keelson.interim")]`;
  const enter = (node: any) => {
    classes.push(node.id?.name);
    text.appendLeft(
      node.body.start + 1,
      `static { ${runtime}.registerClass(this, ${JSON.stringify(token)}); }`,
    );
  };
  const exit = () => {
    classes.pop();
  };
  new Visitor({
    ClassDeclaration: enter,
    ClassExpression: enter,
    "ClassDeclaration:exit": exit,
    "ClassExpression:exit": exit,
    NewExpression: (node) => {
      const site = JSON.stringify({
        module: token,
        class: classes.findLast((c) => c !== undefined),
        file,
        ...at(node.start),
      });
      text.overwrite(node.start, node.callee.start, `${runtime}.construct(`);
      const open = source.indexOf("(", node.typeArguments?.end ?? node.callee.end);
      text.overwrite(node.callee.end, open + 1, ",[");
      text.overwrite(node.end - 1, node.end, `],${site})`);
    },
  }).visit(parsed.program);
  const out = transformSync(file, text.toString(), {
    lang: "ts",
    sourcemap: true,
    typescript: { removeClassFieldsWithoutInitializer: true },
  });
  return { code: out.code, map: out.map };
}

import type { ESTree } from "rolldown/utils";
import type { ModuleText } from "./module-text.ts";
import { isNeverProvisioned, withoutParentheses } from "./never-provisioned.ts";

/** A template string becomes a call with its parts; each is converted when it is reached. */
export function rewriteTemplate(text: ModuleText, node: ESTree.TemplateLiteral): void {
  if (node.expressions.every(isNeverProvisioned)) return;
  const isOnly = node.expressions.length === 1;
  const open = isOnly ? "" : `${text.call("textPart")}(`;
  const close = isOnly ? "" : ")";
  let from = node.start;
  let before = `${text.call("text")}(`;
  for (const [index, part] of node.expressions.entries()) {
    const known = node.quasis[index]?.value.cooked ?? "";
    const inner = part.type === "SequenceExpression" ? ["(", ")"] : ["", ""];
    text.replace(from, part.start, `${before}${quote(known)},${open}${inner[0]}`);
    before = `${inner[1]}${close},`;
    from = part.end;
  }
  const tail = node.quasis.at(-1)?.value.cooked ?? "";
  text.replace(from, node.end, `${before}${quote(tail)})`);
}

/** The strings of a tag must stay the same object on every run, so the template itself stays. */
export function rewriteTagged(text: ModuleText, node: ESTree.TaggedTemplateExpression): void {
  const { quasi } = node;
  const tag = withoutParentheses(node.tag);
  if (quasi.expressions.length === 0 || tag.type === "ChainExpression") return;
  const place = text.place(tag);
  if (tag.type !== "MemberExpression") {
    text.wrap(tag, `${text.call("tag")}(`, `,void 0,${place})`);
  } else if (tag.object.type === "Super" || tag.property.type === "PrivateIdentifier") {
    text.wrap(tag, `${text.call("tag")}(`, `,this,${place})`);
  } else {
    text.edits.open(tag.start, `${text.call("tagMethod")}(${text.call("method")}(`);
    text.replaceMember(tag, ",", `),${place})`);
  }
  // Types of the tag stand between it and the template.
  if (text.source[text.skipBlanks(node.tag.end)] === "<")
    text.replace(node.tag.end, quasi.start, "");
}

// Line separators are legal in strings; everything else is what JSON writes.
function quote(known: string): string {
  return JSON.stringify(known);
}

import type { ESTree } from "rolldown/utils";

/** What is done when the walk comes to a node of a type, or leaves it. */
export type Handlers = {
  readonly [Type in ESTree.Node["type"]]?: (
    node: Extract<ESTree.Node, { readonly type: Type }>,
  ) => void;
};

// Of the syntax that only TypeScript has, these hold code that runs as it stands. Of the members of
// enumerations only those do that are no constants anyway.
const transparent = new Set([
  "TSAsExpression",
  "TSEnumBody",
  "TSEnumDeclaration",
  "TSExportAssignment",
  "TSInstantiationExpression",
  "TSModuleBlock",
  "TSModuleDeclaration",
  "TSNonNullExpression",
  "TSParameterProperty",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
]);
const decidingTypes = new Set(["CallExpression", "ConditionalExpression", "LogicalExpression"]);
const declarations = new Set([
  "ClassDeclaration",
  "FunctionDeclaration",
  "TSEnumDeclaration",
  "TSModuleDeclaration",
  "VariableDeclaration",
]);

/** Visits the code of a module from the outside in; types and what is only declared are left out. */
export function walk(
  program: ESTree.Program,
  source: string,
  enter: Handlers,
  leave: Handlers,
): void {
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const item of value) if (typeof item === "object" && item !== null) visit(item);
      return;
    }
    const node = value as ESTree.Node;
    const { type } = node;
    if (type === undefined || type === "Identifier") return;
    if (node.type === "TSEnumMember") {
      if (decidingTypes.has(node.initializer?.type ?? "")) visit(node.initializer);
      return;
    }
    if (type.startsWith("TS") && !transparent.has(type)) return;
    if (declarations.has(type) && source.startsWith("declare ", node.start)) return;
    (enter[type] as ((node: ESTree.Node) => void) | undefined)?.(node);
    for (const key in node) {
      const child: unknown = node[key as keyof ESTree.Node];
      if (typeof child === "object" && child !== null) visit(child);
    }
    (leave[type] as ((node: ESTree.Node) => void) | undefined)?.(node);
  };
  visit(program);
}

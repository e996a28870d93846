import type { ESTree } from "rolldown/utils";
import type { Use } from "../../../resources/provisioned/index.ts";
import { checkExpression, checkIteration } from "./check-expression.ts";
import { LexicalClasses } from "./lexical-classes.ts";
import type { ModuleText } from "./module-text.ts";
import { rewriteAssignment, rewriteUpdate } from "./rewrite-assignment.ts";
import { rewriteCall, rewriteSuper } from "./rewrite-call.ts";
import { rewriteChain } from "./rewrite-chain.ts";
import { rewriteClass, rewriteFunction } from "./rewrite-function.ts";
import { rewriteDefinition } from "./rewrite-definition.ts";
import { rewriteNew } from "./rewrite-new.ts";
import { rewriteBinary, rewriteLogical, rewriteUnary } from "./rewrite-operators.ts";
import {
  insertAtStart,
  checkDefaults,
  rewriteDeclaration,
  rewriteLoop,
} from "./rewrite-pattern.ts";
import { failOnUnsupported } from "./syntax-problem.ts";
import { rewriteTagged, rewriteTemplate } from "./rewrite-template.ts";
import { type Handlers, walk } from "./walk.ts";

/**
 * Rewrites a module: this is what is done at each node of it. A node edits what lies between its children and wraps
 * them; nodes are visited from the outside in, which is the order that the edits need.
 */
export function rewriteModule(text: ModuleText, program: ESTree.Program, file: string): void {
  const classes = new LexicalClasses();
  const done = new Set<ESTree.Node>();
  const check = (node: ESTree.Expression, use: Use): void => checkExpression(text, node, use);
  const enterClass = (node: ESTree.Class): void => {
    classes.enter(node);
    if (node.superClass !== null) check(node.superClass, "extends");
    rewriteClass(text, node);
    rewriteDefinition(text, node, classes.ownName(node));
  };
  const methods = new Map<ESTree.Node, number>();
  const enterMethod = (node: ESTree.MethodDefinition): void => {
    methods.set(
      node.value,
      node.static ? text.skipBlanks(node.start + "static".length) : node.start,
    );
    checkKey(node);
  };
  const enterFunction = (node: ESTree.Function | ESTree.ArrowFunctionExpression): void =>
    rewriteFunction(text, node, methods.get(node) ?? node.start);
  const checkKey = (node: {
    readonly computed: boolean;
    readonly key: ESTree.PropertyKey;
  }): void => {
    if (node.computed) check(node.key as ESTree.Expression, "key");
  };
  const checkSpreads = (items: readonly (ESTree.Node | null)[]): void => {
    for (const item of items) {
      if (item?.type === "SpreadElement") checkIteration(text, item.argument, "spread");
    }
  };
  const enter: Handlers = {
    IfStatement: ({ test }) => check(test, "if"),
    ConditionalExpression: ({ test }) => check(test, "conditional"),
    WhileStatement: ({ test }) => check(test, "while"),
    DoWhileStatement: ({ test }) => check(test, "while"),
    ForStatement: ({ test }) => {
      if (test !== null) check(test, "while");
    },
    ForOfStatement: (node) => rewriteLoop(text, node),
    ForInStatement: (node) => rewriteLoop(text, node),
    SwitchStatement: ({ discriminant }) => check(discriminant, "switch"),
    SwitchCase: ({ test }) => {
      if (test !== null) check(test, "switch");
    },
    BinaryExpression: (node) => rewriteBinary(text, node),
    LogicalExpression: (node) => rewriteLogical(text, node),
    UnaryExpression: (node) => {
      // A deleted chain must stay one.
      if (node.operator === "delete" && node.argument.type === "ChainExpression") {
        done.add(node.argument);
      }
      rewriteUnary(text, node);
    },
    UpdateExpression: (node) => rewriteUpdate(text, node),
    AssignmentExpression: (node) => rewriteAssignment(text, node),
    AwaitExpression: ({ argument }) => check(argument, "await"),
    YieldExpression: ({ delegate, argument }) => {
      if (delegate && argument !== null) checkIteration(text, argument, "loop");
    },
    ArrayExpression: ({ elements }) => checkSpreads(elements),
    ObjectExpression: ({ properties }) => {
      for (const property of properties) {
        if (property.type === "SpreadElement") check(property.argument, "spread");
      }
    },
    ImportExpression: ({ source }) => check(source, "import"),
    MemberExpression: ({ computed, property }) => {
      if (computed) check(property, "key");
    },
    Property: (node) => {
      if (node.method || node.kind !== "init") methods.set(node.value, node.start);
      checkKey(node);
    },
    PropertyDefinition: checkKey,
    AccessorProperty: (node) => failOnUnsupported("Accessor fields", node, file, text.source),
    Decorator: (node) => failOnUnsupported("Decorators", node, file, text.source),
    MethodDefinition: enterMethod,
    TemplateLiteral: (node) => {
      if (!done.has(node)) rewriteTemplate(text, node);
    },
    TaggedTemplateExpression: (node) => {
      done.add(node.quasi);
      rewriteTagged(text, node);
    },
    ChainExpression: (node) => {
      if (!done.has(node)) rewriteChain(text, node, done);
    },
    CallExpression: (node) => {
      checkSpreads(node.arguments);
      if (node.callee.type === "Super") rewriteSuper(text, node, classes.parent);
      else if (!done.has(node)) rewriteCall(text, node);
    },
    NewExpression: (node) => {
      checkSpreads(node.arguments);
      rewriteNew(text, node, classes.current);
    },
    ExportNamedDeclaration: ({ declaration }) => {
      if (declaration?.type !== "VariableDeclaration") return;
      done.add(declaration);
      rewriteDeclaration(text, declaration, true);
    },
    VariableDeclaration: (node) => {
      if (!done.has(node)) rewriteDeclaration(text, node, false);
    },
    VariableDeclarator: ({ id, init }) => classes.giveName(id, init),
    CatchClause: ({ param, body }) => {
      const checks = param === null ? [] : checkDefaults(text, param);
      if (checks.length > 0) insertAtStart(text, body, checks);
    },
    FunctionDeclaration: enterFunction,
    FunctionExpression: enterFunction,
    ArrowFunctionExpression: enterFunction,
    ClassDeclaration: enterClass,
    ClassExpression: enterClass,
  };
  const leaveClass = (): void => classes.exit();
  walk(program, text.source, enter, { ClassDeclaration: leaveClass, ClassExpression: leaveClass });
}

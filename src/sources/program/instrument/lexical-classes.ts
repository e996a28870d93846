import type { ESTree, VisitorObject } from "rolldown/utils";

/** Follows which class the walk is in. */
export class LexicalClasses {
  readonly #open: (string | undefined)[] = [];
  readonly #onClass: (node: ESTree.Class, name: string | undefined) => void;
  readonly #given = new Map<ESTree.Expression, string>();

  constructor(onClass: (node: ESTree.Class, name: string | undefined) => void) {
    this.#onClass = onClass;
  }

  /** The innermost class that has a name. */
  get current(): string | undefined {
    return this.#open.findLast((name) => name !== undefined);
  }

  visitor(): VisitorObject {
    const enter = (node: ESTree.Class): void => {
      const name = node.id?.name ?? this.#given.get(node);
      this.#open.push(name);
      this.#onClass(node, name);
    };
    const exit = (): void => {
      this.#open.pop();
    };
    return {
      // A class without a name takes that of the variable that holds it, as the language does.
      VariableDeclarator: ({ id, init }) => {
        if (init?.type === "ClassExpression" && id.type === "Identifier") {
          this.#given.set(init, id.name);
        }
      },
      ClassDeclaration: enter,
      ClassExpression: enter,
      "ClassDeclaration:exit": exit,
      "ClassExpression:exit": exit,
    };
  }
}

import type { ESTree } from "rolldown/utils";

/** Follows which class the walk is in. */
export class LexicalClasses {
  readonly #open: ESTree.Class[] = [];
  readonly #given = new Map<ESTree.Node, string>();

  /** The innermost class that has a name. */
  get current(): string | undefined {
    for (const node of this.#open.toReversed()) {
      const name = this.ownName(node);
      if (name !== undefined) return name;
    }
    return undefined;
  }

  /** The name of a class itself. */
  ownName(node: ESTree.Class): string | undefined {
    return node.id?.name ?? this.#given.get(node);
  }

  /** What the innermost class extends. */
  get parent(): ESTree.Expression | null | undefined {
    return this.#open.at(-1)?.superClass;
  }

  /** A class without a name takes that of the variable that holds it, as the language does. */
  giveName(variable: ESTree.Node, value: ESTree.Expression | null): void {
    if (value?.type === "ClassExpression" && variable.type === "Identifier") {
      this.#given.set(value, variable.name);
    }
  }

  enter(node: ESTree.Class): void {
    this.#open.push(node);
  }

  exit(): void {
    this.#open.pop();
  }
}

import { decodeText, type ByteText } from "../byte-text.ts";
import { nearestName } from "../nearest-name.ts";
import type { Binding, FunctionScope, Resolution } from "./binding.ts";
import type { Position } from "./position.ts";
import { resolveStatements } from "./resolve-statement.ts";
import { StarlarkSyntaxError } from "./syntax-error.ts";
import type { DefStatement, Identifier, LambdaExpression, SyntaxTree } from "./syntax-tree.ts";

/** Which names a program finds without defining them. */
export interface KnownNames {
  readonly predeclared: ReadonlyMap<string, unknown>;
  readonly universal: ReadonlyMap<string, unknown>;
}

/** Finds out what every name of a file stands for, and all names that stand for nothing. */
export function resolveFile(
  tree: SyntaxTree,
  names: KnownNames,
): { readonly resolution: Resolution; readonly errors: readonly StarlarkSyntaxError[] } {
  const resolver = new Resolver(names);
  resolveStatements(resolver, tree.statements);
  resolver.finish();
  return { resolution: resolver, errors: resolver.errors };
}

interface Use {
  readonly identifier: Identifier;
  readonly block: Block;
}

/** A file, a function or a comprehension: what binds names. */
interface Block {
  readonly parent: Block | undefined;
  readonly function: FunctionScope | undefined;
  readonly bindings: Map<string, Binding>;
  readonly children: Block[];
  uses: Use[];
}

/**
 * Names are resolved in two passes. At the top level, where a global may be assigned again, a use
 * sees what was bound before it; in functions and comprehensions uses wait until all is bound.
 */
export class Resolver implements Resolution {
  readonly bindings = new Map<Identifier, Binding>();
  readonly functions = new Map<DefStatement | LambdaExpression, FunctionScope>();
  readonly moduleLocals: Binding[] = [];
  readonly moduleGlobals: Binding[] = [];
  readonly errors: StarlarkSyntaxError[] = [];
  loopDepth = 0;
  branchDepth = 0;
  readonly #names: KnownNames;
  readonly #globals = new Map<string, Binding>();
  readonly #file: Block = {
    parent: undefined,
    function: undefined,
    bindings: new Map(),
    children: [],
    uses: [],
  };
  #block = this.#file;

  constructor(names: KnownNames) {
    this.#names = names;
  }

  get isInFunction(): boolean {
    return this.#container().function !== undefined;
  }

  report(position: Position, message: string): void {
    this.errors.push(new StarlarkSyntaxError(position, message));
  }

  /** Makes a name a variable of the block at hand; says whether it already was one. */
  bind(identifier: Identifier): boolean {
    if (this.#block !== this.#file) return this.bindLocal(identifier);
    const known = this.#file.bindings.get(identifier.name) ?? this.#globals.get(identifier.name);
    const binding = known ?? newBinding("global", this.moduleGlobals, identifier.name);
    if (known === undefined) this.#globals.set(identifier.name, binding);
    this.bindings.set(identifier, binding);
    return known !== undefined;
  }

  /** Loaded names are local to the file even at its top level. */
  bindLocal(identifier: Identifier): boolean {
    const isKnown = this.#block.bindings.has(identifier.name);
    if (!isKnown) {
      const locals = this.#container().function?.locals ?? this.moduleLocals;
      this.#block.bindings.set(identifier.name, newBinding("local", locals, identifier.name));
    }
    this.use(identifier);
    return isKnown;
  }

  use(identifier: Identifier): void {
    const use = { identifier, block: this.#block };
    if (this.#block === this.#file) this.#bindUse(use, this.#lookUpTopLevel(use));
    else this.#container().uses.push(use);
  }

  /** Runs `resolve` inside a new block of a function or, without one, of a comprehension. */
  within(scope: FunctionScope | undefined, resolve: () => void): void {
    const block: Block = {
      parent: this.#block,
      function: scope,
      bindings: new Map(),
      children: [],
      uses: [],
    };
    const outerLoopDepth = this.loopDepth;
    this.#block.children.push(block);
    this.#block = block;
    if (scope !== undefined) this.loopDepth = 0;
    resolve();
    if (scope !== undefined) this.#resolveLocalUses(block);
    this.loopDepth = outerLoopDepth;
    this.#block = block.parent ?? this.#file;
  }

  finish(): void {
    this.#resolveLocalUses(this.#file);
    this.#resolveOuterUses(this.#file);
  }

  #container(): Block {
    let block = this.#block;
    while (block.function === undefined && block.parent !== undefined) block = block.parent;
    return block;
  }

  #bindUse({ identifier }: Use, binding: Binding): void {
    this.bindings.set(identifier, binding);
  }

  #resolveLocalUses(container: Block): void {
    container.uses = container.uses.filter((use) => {
      const binding = lookUpLocal(use);
      if (binding?.scope !== "local" && binding?.scope !== "cell") return true;
      this.#bindUse(use, binding);
      return false;
    });
  }

  #resolveOuterUses(block: Block): void {
    for (const child of block.children) this.#resolveOuterUses(child);
    for (const use of block.uses) this.#bindUse(use, this.#lookUpLexical(use, use.block));
  }

  #lookUpLexical(use: Use, block: Block): Binding {
    if (block.parent === undefined) return this.#lookUpTopLevel(use);
    const known = block.bindings.get(use.identifier.name);
    if (known !== undefined) return known;
    let binding = this.#lookUpLexical(use, block.parent);
    const isCaptured = ["local", "cell", "free"].includes(binding.scope);
    if (block.function !== undefined && isCaptured) {
      if (binding.scope === "local") binding.scope = "cell";
      const { freeVariables } = block.function;
      freeVariables.push(binding);
      binding = { scope: "free", index: freeVariables.length - 1, name: binding.name };
    }
    block.bindings.set(use.identifier.name, binding);
    return binding;
  }

  #lookUpTopLevel(use: Use): Binding {
    const { name, position } = use.identifier;
    const known = this.#file.bindings.get(name) ?? this.#globals.get(name);
    if (known !== undefined) return known;
    if (this.#names.predeclared.has(name)) return { scope: "predeclared", index: -1, name };
    if (this.#names.universal.has(name)) return { scope: "universal", index: -1, name };
    const nearest = this.#nearest(use);
    const hint = nearest === undefined ? "" : ` (did you mean ${decodeText(nearest)}?)`;
    this.report(position, `undefined: ${decodeText(name)}${hint}`);
    return { scope: "undefined", index: -1, name };
  }

  /** Own variables are preferred to what the host and the language provide. */
  #nearest({ identifier, block }: Use): string | undefined {
    const own = this.moduleGlobals.map(({ name }) => name as string);
    for (let at: Block | undefined = block; at !== undefined; at = at.parent) {
      own.push(...at.bindings.keys());
    }
    const provided = [...this.#names.predeclared.keys(), ...this.#names.universal.keys()];
    return nearestName(identifier.name, own.sort()) ?? nearestName(identifier.name, provided);
  }
}

function newBinding(scope: "local" | "global", slots: Binding[], name: ByteText): Binding {
  const binding: Binding = { scope, index: slots.length, name };
  slots.push(binding);
  return binding;
}

function lookUpLocal({ identifier, block }: Use): Binding | undefined {
  for (let at: Block | undefined = block; at !== undefined; at = at.parent) {
    const binding = at.bindings.get(identifier.name);
    if (binding !== undefined || at.function !== undefined) return binding;
  }
  return undefined;
}

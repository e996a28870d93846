import type { Position } from "./position.ts";
import { Scanner } from "./scanner.ts";
import { showToken, type Token, type TokenKind } from "./token.ts";
import type { Identifier } from "./syntax-tree.ts";

const deepestNesting = 1000;

/** One token of lookahead over a file, and the depth to which its constructs nest. */
export class TokenReader {
  readonly #scanner: Scanner;
  #token: Token;
  #depth = 0;

  constructor(file: string, text: string) {
    this.#scanner = new Scanner(file, text);
    this.#token = this.#scanner.next();
  }

  get kind(): TokenKind {
    return this.#token.kind;
  }

  get token(): Token {
    return this.#token;
  }

  is(...kinds: readonly TokenKind[]): boolean {
    return kinds.includes(this.#token.kind);
  }

  /** Passes the token at hand and says where it was. */
  next(): Position {
    const { position } = this.#token;
    this.#token = this.#scanner.next();
    return position;
  }

  consume(kind: TokenKind): Position {
    if (this.#token.kind !== kind)
      this.fail(`got ${showToken(this.kind)}, want ${showToken(kind)}`);
    return this.next();
  }

  /** Reads `not` as the first half of `not in`. */
  joinNotIn(): void {
    this.next();
    if (!this.is("in")) this.fail(`got ${showToken(this.kind)}, want in`);
    this.#token = { ...this.#token, kind: "not in" };
  }

  identifier(): Identifier {
    if (!this.is("identifier")) this.fail("not an identifier");
    const { text: name } = this.#token;
    return { kind: "identifier", position: this.next(), name };
  }

  nested<T>(parse: () => T): T {
    if (++this.#depth > deepestNesting) this.fail("excessive nesting");
    const result = parse();
    this.#depth--;
    return result;
  }

  /** Errors stand behind the token at hand, unless a place is given. */
  fail(message: string, position?: Position): never {
    this.#scanner.fail(message, position);
  }
}

import type { BundleObject, Unreadable } from "../bundles/index.ts";
import { keyOf } from "../bundles/index.ts";
import { DiagnosticError } from "../diagnostics/index.ts";
import { Answers } from "./answers.ts";

/** Rights are not watched: what was forbidden is asked for again after this. */
const lookAgainMs = 30_000;

/**
 * What the account of one owner may read, during one look: asked for first, then found out. A controller
 * sees more than the account does, and what it sees must not reach objects that the account writes.
 */
export class AccountReads {
  readonly #account: string;
  readonly #mayGet: (object: BundleObject) => Promise<boolean>;
  readonly #rights = new Answers<BundleObject, Unreadable | undefined>();

  constructor(account: string, mayGet: (object: BundleObject) => Promise<boolean>) {
    this.#account = account;
    this.#mayGet = mayGet;
  }

  /** What stands against handing on what an object says; what nobody knows yet is asked next. */
  readonly unreadable = (object: BundleObject): Unreadable | undefined =>
    this.#rights.get(keyOf(object), object, {
      kind: "waiting",
      message: `${object.kind} ${object.name} has not been read yet`,
    });

  /** Finds out what was asked for; says whether there was anything. */
  read(): Promise<boolean> {
    return this.#rights.read((object) => this.#ask(object));
  }

  /** When to ask again, if something was forbidden. */
  get againMs(): number | undefined {
    const isRefused = this.#rights.values.some((unreadable) => unreadable !== undefined);
    return isRefused ? lookAgainMs : undefined;
  }

  async #ask(object: BundleObject): Promise<Unreadable | undefined> {
    try {
      if (await this.#mayGet(object)) return undefined;
      const what = `${object.kind} ${object.name}`;
      return {
        kind: "refused",
        message: `service account ${this.#account} may not get ${what}, from which a value is taken`,
      };
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      return { kind: "refused", message: error.message };
    }
  }
}

import type { Random } from "../random.ts";
import type { Store } from "../store/store.ts";

/** Thrown where work cannot go on before somebody outside has been asked. */
export class AnswerNeeded extends Error {
  readonly question: string;
  readonly ask: () => Promise<unknown>;

  constructor(question: string, ask: () => Promise<unknown>) {
    super("the answer of somebody outside is needed");
    this.question = question;
    this.ask = ask;
  }
}

/** What one piece of work has learned and chosen so far, for its next round. */
export class Tape {
  readonly #answers = new Map<string, unknown>();
  readonly #chosen: string[] = [];
  #position = 0;

  rewind(): void {
    this.#position = 0;
  }

  /** After something was written, the work goes on from there: nothing of before counts. */
  clear(): void {
    this.#answers.clear();
    this.#chosen.length = 0;
  }

  addAnswer(question: string, answer: unknown): void {
    this.#answers.set(question, answer);
  }

  answerTo(question: string, ask: () => Promise<unknown>): unknown {
    if (!this.#answers.has(question)) throw new AnswerNeeded(question, ask);
    return this.#answers.get(question);
  }

  /** The same choice as in the round before. */
  choose(make: () => string): string {
    const choice = this.#chosen[this.#position] ?? make();
    this.#chosen[this.#position++] = choice;
    return choice;
  }
}

/**
 * Runs work that is synchronous, so that it is a transaction, although it needs answers from outside:
 * where one is missing the work is left, and begun anew when the answer is there. Chance makes the
 * same choices again, or no two rounds would ask the same.
 */
export class Rounds {
  readonly #store: Store;
  #tape: Tape | undefined;

  constructor(store: Store) {
    this.#store = store;
  }

  /** One round; throws AnswerNeeded where an answer is missing. */
  play<Result>(tape: Tape, work: () => Result): Result {
    const outer = this.#tape;
    const { revision } = this.#store;
    tape.rewind();
    this.#tape = tape;
    try {
      return work();
    } catch (error) {
      if (error instanceof AnswerNeeded && this.#store.revision !== revision) tape.clear();
      throw error;
    } finally {
      this.#tape = outer;
    }
  }

  /** Whether there is somebody who would come back with an answer. */
  get canAsk(): boolean {
    return this.#tape !== undefined;
  }

  answerTo(question: string, ask: () => Promise<unknown>): unknown {
    if (this.#tape === undefined) throw new AnswerNeeded(question, ask);
    return this.#tape.answerTo(question, ask);
  }

  /** Chance that repeats itself within a piece of work. */
  steady(random: Random): Random {
    const choose = (make: () => string): string =>
      this.#tape === undefined ? make() : this.#tape.choose(make);
    return {
      uuid: () => choose(random.uuid),
      suffix: (length) => choose(() => random.suffix(length)),
    };
  }
}

const mostRounds = 1000;

/** The result of work, after as many rounds as it has questions. */
export function playRounds<Result>(
  rounds: Rounds,
  work: () => Result,
  exhausted: () => Result,
): Result | Promise<Result> {
  const tape = new Tape();
  try {
    return rounds.play(tape, work);
  } catch (error) {
    if (!(error instanceof AnswerNeeded)) throw error;
    return playOn(rounds, tape, work, exhausted, error);
  }
}

async function playOn<Result>(
  rounds: Rounds,
  tape: Tape,
  work: () => Result,
  exhausted: () => Result,
  first: AnswerNeeded,
): Promise<Result> {
  let needed = first;
  for (let round = 0; round < mostRounds; round++) {
    tape.addAnswer(needed.question, await needed.ask());
    try {
      return rounds.play(tape, work);
    } catch (error) {
      if (!(error instanceof AnswerNeeded)) throw error;
      needed = error;
    }
  }
  return exhausted();
}

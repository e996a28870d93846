/** What one look asks of the cluster: questions come up while it computes, and are answered, each once, before the next. */
export class Answers<Question, Answer> {
  readonly #known = new Map<string, Answer>();
  readonly #open = new Map<string, Question>();

  /** The answer to a question; what counts until it is known, when nobody asked before. */
  get(key: string, question: Question, until: Answer): Answer {
    if (this.#known.has(key)) return this.#known.get(key) as Answer;
    this.#open.set(key, question);
    return until;
  }

  get values(): readonly Answer[] {
    return [...this.#known.values()];
  }

  /** Finds out what was asked; says whether there was anything. */
  async read(find: (question: Question) => Promise<Answer>): Promise<boolean> {
    const open = [...this.#open];
    this.#open.clear();
    await Promise.all(
      open.map(async ([key, question]) => {
        this.#known.set(key, await find(question));
      }),
    );
    return open.length > 0;
  }
}

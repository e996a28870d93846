import xterm, { type IBuffer, type IMarker, type Terminal } from "@xterm/headless";

const scrollback = 5_000;

/** What a terminal shows, as somebody in front of it reads it: after all colours and redrawing. */
export class Screen {
  readonly #terminal: Terminal;
  #began: IMarker | undefined;

  /** `onEnd` hears how every command ended, as the prompt of the shell tells it, and what it printed. */
  constructor(
    size: { readonly cols: number; readonly rows: number },
    onEnd: (code: number, printed: string) => void,
  ) {
    this.#terminal = new xterm.Terminal({ ...size, scrollback, allowProposedApi: true });
    // The marks by which shells tell terminals where the output of a command begins and ends.
    this.#terminal.parser.registerOscHandler(133, (mark) => {
      const [kind, code] = mark.split(";");
      if (kind === "C") this.#began = this.#terminal.registerMarker(0);
      if (kind === "D") onEnd(Number(code), this.printed);
      return true;
    });
  }

  /** Answers such as the place of the cursor, which programs ask terminals for. */
  onAnswer(listener: (text: string) => void): void {
    this.#terminal.onData(listener);
  }

  /** Shows more; `then` is called when it is to be seen. */
  write(text: string, then: () => void): void {
    this.#terminal.write(text, then);
  }

  /** What the last command has printed so far. Lines that were too wide for the terminal are whole. */
  get printed(): string {
    const { normal } = this.#terminal.buffer;
    return this.#text(normal, this.#began?.line ?? 0, normal.baseY + normal.cursorY + 1);
  }

  /** What is to be seen without scrolling, line by line. */
  get visible(): string {
    const { active } = this.#terminal.buffer;
    const lines = Array.from({ length: this.#terminal.rows }, (_, index) =>
      active.getLine(active.baseY + index)?.translateToString(true),
    );
    return lines.join("\n");
  }

  #text(buffer: IBuffer, from: number, to: number): string {
    let text = "";
    for (let at = from; at < to; at++) {
      const line = buffer.getLine(at);
      const isContinued = buffer.getLine(at + 1)?.isWrapped === true && at + 1 < to;
      text += `${line?.translateToString(!isContinued) ?? ""}${isContinued ? "" : "\n"}`;
    }
    return text;
  }
}

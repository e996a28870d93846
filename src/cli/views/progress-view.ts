import type { RunEvent, TimedEvent } from "../../events/index.ts";
import { formatIdentity, identityKey, type ObjectIdentity } from "../../objects/index.ts";
import type { CliContext, OutputStream } from "../context.ts";
import { formatDuration } from "../duration.ts";
import { controlSequence } from "../terminal.ts";
import { cutLine } from "./cut-line.ts";
import { linesOfEvent, type LinesOptions } from "./lines-view.ts";
import type { RunView } from "./run-view.ts";
import { wrapText } from "./wrap-text.ts";

const redrawMs = 100;
const mostWaiting = 8;

interface Waiting {
  readonly object: ObjectIdentity;
  readonly message: string;
  readonly since: number;
}

/**
 * For a terminal: what has happened scrolls by, and below it stands what is going on: how far the run
 * is, what it waits for, why, and for how long.
 */
export function progressView(context: CliContext, options: LinesOptions): RunView {
  const { stdout } = context.process;
  const { dim, bold, cyan } = context.style.stdout;
  let started = Date.now();
  const waiting = new Map<string, Waiting>();
  let planned = 0;
  let done = 0;
  let drawn = 0;
  let isClosed = false;
  // A line that somebody else has not ended: a question, which waits for its answer.
  let question: { readonly on: OutputStream; readonly since: number } | undefined;

  const answered = (): void => {
    // How long somebody thinks is not how long the run takes.
    if (question !== undefined) started += Date.now() - question.since;
    question = undefined;
  };

  const erase = (): void => {
    // A terminal echoes what is typed, Ctrl-C too: the cursor need not be where the drawing ended.
    if (drawn > 0) stdout.write(controlSequence(`\r\u001B[${drawn}A\u001B[J`));
    drawn = 0;
  };
  const draw = (): void => {
    if (isClosed || question !== undefined) return;
    erase();
    const width = stdout.columns ?? 80;
    const lines = [
      `${planned === 0 ? "" : `${bold(`${done}/${planned}`)} ${dim("done, ")}`}${dim(formatDuration(Date.now() - started))}`,
      ...[...waiting.values()].slice(0, mostWaiting).flatMap(({ object, message, since }) => {
        const age = formatDuration(Date.now() - since);
        const text = `${formatIdentity(object)}: ${message} (${age})`;
        return wrapText(text, width - 5).map((line, index) =>
          index === 0 ? `  ${cyan("…")} ${line}` : `    ${line}`,
        );
      }),
      ...(waiting.size > mostWaiting ? [dim(`  and ${waiting.size - mostWaiting} more`)] : []),
    ];
    stdout.write(lines.map((line) => `${cutLine(line, width)}\n`).join(""));
    drawn = lines.length;
  };
  const timer = setInterval(draw, redrawMs);
  timer.unref();

  const note = (event: RunEvent): void => {
    if (event.type === "plan" && event.status !== "skip") planned++;
    if (
      event.type !== "wait" &&
      event.type !== "status" &&
      event.type !== "apply" &&
      event.type !== "prune" &&
      event.type !== "delete"
    )
      return;
    const key = identityKey(event.object);
    const isOver =
      event.type !== "status" &&
      event.status !== "pending" &&
      !(event.type === "apply" && event.status === "successful");
    if (isOver) {
      waiting.delete(key);
      if (event.status === "successful") done++;
    } else if (event.type === "wait" || (event.type === "status" && waiting.has(key))) {
      waiting.set(key, {
        object: event.object,
        message: event.message ?? "",
        since: waiting.get(key)?.since ?? Date.now(),
      });
    }
  };

  return {
    show: (event: TimedEvent) => {
      note(event);
      // What is waited for stands below; it need not scroll by as well.
      if (event.type === "wait" && event.status === "pending") return;
      const lines = linesOfEvent(event, context, options);
      if (lines.length === 0) return;
      erase();
      answered();
      stdout.write(lines.map((line) => `${line}\n`).join(""));
      if (event.type === "summary") {
        isClosed = true;
        clearInterval(timer);
        stdout.write(`${dim(`took ${formatDuration(Date.now() - started)}`)}\n`);
      } else {
        draw();
      }
    },
    share: (stream) =>
      writingThrough(stream, (text) => {
        erase();
        if (question !== undefined && question.on !== stream) stream.write("\n");
        answered();
        stream.write(text);
        if (!text.endsWith("\n")) question = { on: stream, since: Date.now() };
      }),
    close: () => {
      isClosed = true;
      clearInterval(timer);
      erase();
    },
  };
}

function writingThrough(stream: OutputStream, write: (text: string) => void): OutputStream {
  return new Proxy(stream, {
    get: (target, key) => (key === "write" ? write : Reflect.get(target, key)),
  });
}

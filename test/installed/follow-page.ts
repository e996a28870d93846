import { expect } from "vitest";
import { departure, type PageStep } from "./read-page.ts";
import type { TerminalShell } from "./terminal-shell.ts";

/** Does what a page says, in its order, and compares what stands on the terminal with the page. */
export async function followPage(shell: TerminalShell, steps: readonly PageStep[]): Promise<void> {
  for (const step of steps)
    switch (step.kind) {
      case "file":
        await shell.write(step.path, step.content);
        break;
      case "command":
        await typeCommand(shell, step.line, step.output);
        break;
      case "line":
        await typeLine(shell, step.line);
        break;
      case "skipped":
        break;
    }
}

async function typeCommand(shell: TerminalShell, line: string, output: string): Promise<void> {
  shell.type(line);
  for (const { after, keys } of keysIn(output)) {
    await shell.shows((printed) => departure(printed, after) === undefined);
    shell.press(keys);
  }
  const { printed, code } = await shell.ended();
  // npx ends with the signal, whatever the command says.
  const isInterrupted = output.endsWith("^C\n") && code === 130;
  expect(isInterrupted ? 0 : code, `${line}\n${printed}`).toBe(0);
  expect(departure(printed, output), `${line}\n${printed}`).toBe(undefined);
}

async function typeLine(shell: TerminalShell, line: string): Promise<void> {
  shell.type(line);
  await shell.shows((printed, hasEnded) => hasEnded || asks(printed));
  if (asks(shell.printed)) shell.press("y\r");
  const { printed, code } = await shell.ended();
  expect(code, `${line}\n${printed}`).toBe(0);
}

function asks(printed: string): boolean {
  return printed.trimEnd().endsWith(" [y/N]");
}

interface Keys {
  /** What the page shows before they are pressed. */
  readonly after: string;
  readonly keys: string;
}

/** What the reader types according to the output on a page: answers to questions, and Ctrl-C. */
export function keysIn(output: string): readonly Keys[] {
  const found: Keys[] = [];
  let before = "";
  for (const line of output.split("\n")) {
    const [, question, answer = ""] = /^(.* \[y\/N\]) (\S+)$/.exec(line) ?? [];
    if (question !== undefined) found.push({ after: before + question, keys: `${answer}\r` });
    if (line === "^C") found.push({ after: before, keys: "\u0003" });
    before += `${line}\n`;
  }
  return found;
}

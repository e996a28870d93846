import { fail } from "../../../diagnostics/index.ts";
import {
  anyValue,
  bool,
  EvaluationError,
  hostFunction,
  optionalOrNone,
  required,
  type Value,
} from "../../starlark/index.ts";
import { commandLine, pathText, textDict, textOrBlob } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { Blob } from "../values/blob.ts";

const timeoutMs = 600_000;
const mostShown = 4000;

/** `local`: runs a command of this machine while the file is read. */
export function localFunction(state: TiltfileState): Readonly<Record<string, Value>> {
  return {
    local: hostFunction("local", (call) => {
      const given = call.unpack({
        command: required(commandLine),
        quiet: optionalOrNone(bool),
        command_bat: optionalOrNone(anyValue),
        echo_off: optionalOrNone(bool),
        env: optionalOrNone(textDict),
        dir: optionalOrNone(pathText),
        stdin: optionalOrNone(textOrBlob),
      });
      const { command } = given;
      if (command.length === 0) throw new EvaluationError("local: command is empty");
      const shown = command[0] === "sh" ? (command[2] ?? "") : command.join(" ");
      const directory = state.resolve(call, given.dir ?? ".");
      if (state.files.kindOf(directory) !== "directory") {
        const summary = `local: there is no directory ${state.displayPath(directory)} to run in`;
        return fail({ code: "tiltfile.file", summary });
      }
      const source = state.placeOf(call);
      if (given.echo_off !== true) state.print({ kind: "echo", text: `local: ${shown}`, source });
      const outcome = state.run({
        command,
        directory,
        environment: { ...state.environmentRecord(), ...given.env },
        input: given.stdin,
        timeoutMs,
      });
      const code = "tiltfile.command-failed";
      if (outcome.kind === "not-found") {
        return fail({ code, summary: `local: ${command[0] ?? ""} was not found` });
      }
      if (outcome.kind === "failed") {
        return fail({ code, summary: `local: \`${shown}\` was stopped: ${outcome.reason}` });
      }
      const { status, stdout, stderr } = outcome;
      const said = [stdout, stderr].filter((each) => each !== "").join("\n");
      if (status !== 0) {
        const how = status === undefined ? "was ended by a signal" : `ended with status ${status}`;
        return fail({
          code,
          summary: `local: \`${shown}\` ${how}`,
          detail: said.trim().slice(-mostShown),
        });
      }
      if (given.quiet !== true) {
        for (const line of lines(said))
          state.print({ kind: "command", text: ` → ${line}`, source });
      }
      call.allocate(stdout.length);
      return new Blob(`local: ${shown}`, stdout);
    }),
  };
}

function lines(text: string): readonly string[] {
  return text.split("\n").filter((line) => line !== "");
}

import {
  anyValue,
  decodeText,
  display,
  EvaluationError,
  hostFunction,
  optional,
  required,
  type Value,
} from "../../starlark/index.ts";
import { textOrBlob } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { TriggerModeValue } from "../values/tiltfile-values.ts";
import { triggerMode } from "./component-arguments.ts";

/** `warn`, `fail`, `exit` and `trigger_mode`. */
export function control(state: TiltfileState): Readonly<Record<string, Value>> {
  return {
    warn: hostFunction("warn", (call) => {
      const { msg } = call.unpack({ msg: required(textOrBlob) });
      state.print({ kind: "warning", text: msg, source: state.placeOf(call) });
      state.warn(call, { code: "tiltfile.warning", summary: told(msg, "warn") });
      return null;
    }),

    fail: hostFunction("fail", (call) => {
      const { msg } = call.unpack({ msg: required(anyValue) });
      throw new EvaluationError(told(decodeText(display(msg)), "fail"));
    }),

    // Programs cannot catch what is thrown, so it ends all files that are running.
    exit: hostFunction("exit", (call) => {
      const { code } = call.unpack({ code: optional(anyValue) });
      const message = code === undefined || code === null ? "" : decodeText(display(code));
      state.exitMessage = message;
      if (message !== "")
        state.print({ kind: "print", text: message, source: state.placeOf(call) });
      throw new EvaluationError("exit");
    }),

    trigger_mode: hostFunction("trigger_mode", (call) => {
      const given = call.unpack({ trigger_mode: required(triggerMode) });
      if (state.settings.triggerMode !== undefined) {
        throw new EvaluationError("trigger_mode: it can only be called once");
      }
      state.settings.triggerMode = given.trigger_mode;
      return null;
    }),
    TRIGGER_MODE_AUTO: new TriggerModeValue("auto"),
    TRIGGER_MODE_MANUAL: new TriggerModeValue("manual"),
  };
}

function told(message: string, name: string): string {
  return message === "" ? `${name} was called with an empty message` : message;
}

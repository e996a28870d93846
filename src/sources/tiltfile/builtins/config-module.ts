import { dirname, join } from "node:path";
import { fail } from "../../../diagnostics/index.ts";
import { isJsonObject, parseJson } from "../../../json/index.ts";
import {
  bool,
  encodeText,
  EvaluationError,
  hostFunction,
  optionalOrNone,
  required,
  StarlarkDict,
  StarlarkModule,
  text,
  valueFromData,
  type Value,
} from "../../starlark/index.ts";
import { textList } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import type { ConfigSetting, ConfigValue } from "./config-setting.ts";
import { parseConfigArgs, readConfigFile } from "./parse-config.ts";

/** `config`: what the user of a Tiltfile may choose on the command line or in tilt_config.json. */
export function configModule(state: TiltfileState): Readonly<Record<string, Value>> {
  const settings = new Map<string, ConfigSetting>();
  const args = state.options.args ?? [];
  let isParsed = false;
  let isChosen = false;
  // Words on the command line name components, until the Tiltfile takes them over.
  if (args.length > 0) state.settings.enabledComponents = args;

  const define = (type: ConfigSetting["type"]): Value => {
    const name = `config.define_${type}`;
    return hostFunction(name, (call) => {
      const given = call.unpack({
        name: required(text),
        args: optionalOrNone(bool),
        usage: optionalOrNone(text),
      });
      if (isParsed) throw new EvaluationError(`${name}: config.parse was called already`);
      if (given.name === "") throw new EvaluationError(`${name}: name is empty`);
      if (settings.has(given.name))
        throw new EvaluationError(`${name}: ${given.name} is defined twice`);
      const other = [...settings.values()].find(({ isPositional }) => isPositional);
      if (given.args === true && other !== undefined) {
        throw new EvaluationError(`${name}: both ${other.name} and ${given.name} have args=True`);
      }
      settings.set(given.name, {
        name: given.name,
        type,
        isPositional: given.args ?? false,
        usage: given.usage ?? "",
      });
      return null;
    });
  };

  const parse = hostFunction("config.parse", (call) => {
    call.unpack({});
    if (!isChosen) delete state.settings.enabledComponents;
    isParsed = true;
    const file = readConfigFile(settings, configFile(state, state.directoryOf(call)));
    const line = parseConfigArgs(settings, args);
    const problems = [...file.problems, ...line.problems];
    if (problems.length > 0) {
      fail({
        code: "tiltfile.config",
        summary: problems.join("; "),
        hint: settings.size === 0 ? "The Tiltfile defines no setting." : describe(settings),
      });
    }
    const values = new Map([...file.values, ...line.values]);
    return new StarlarkDict(
      [...values].map(([name, value]): [Value, Value] => [encodeText(name), valueFromData(value)]),
    );
  });

  return {
    config: new StarlarkModule("config", {
      define_string: define("string"),
      define_string_list: define("string_list"),
      define_bool: define("bool"),
      define_object: define("object"),
      parse,
      set_enabled_resources: hostFunction("config.set_enabled_resources", (call) => {
        const { resources } = call.unpack({ resources: required(textList) });
        isChosen = true;
        if (resources.length === 0) delete state.settings.enabledComponents;
        else state.settings.enabledComponents = resources;
        return null;
      }),
      clear_enabled_resources: hostFunction("config.clear_enabled_resources", (call) => {
        call.unpack({});
        isChosen = true;
        state.settings.enabledComponents = [];
        return null;
      }),
      tilt_subcommand: encodeText(state.options.subcommand ?? ""),
      main_path: encodeText(state.mainPath),
      main_dir: encodeText(dirname(state.mainPath)),
    }),
  };
}

function configFile(
  state: TiltfileState,
  directory: string,
): Readonly<Record<string, ConfigValue>> {
  const path = join(directory, "tilt_config.json");
  state.watch(path);
  if (state.files.kindOf(path) !== "file") return {};
  const shown = state.displayPath(path);
  let content: unknown;
  try {
    content = parseJson(state.readText(path));
  } catch {
    content = undefined;
  }
  if (isJsonObject(content)) return content;
  return fail({ code: "tiltfile.config", summary: `${shown} is no JSON object` });
}

function describe(settings: ReadonlyMap<string, ConfigSetting>): string {
  const lines = [...settings.values()].map(({ name, type, isPositional, usage }) => {
    const form = isPositional ? `words without a name (${name})` : `--${name}`;
    return `  ${form}: ${type.replace("_", " ")}${usage === "" ? "" : `, ${usage}`}`;
  });
  return ["The Tiltfile defines:", ...lines].join("\n");
}

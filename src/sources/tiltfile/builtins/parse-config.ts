import { addWord, fits, type ConfigSetting, type ConfigValue } from "./config-setting.ts";

export interface ParsedConfig {
  readonly values: ReadonlyMap<string, ConfigValue>;
  readonly problems: readonly string[];
}

/** Settings of the file tilt_config.json. */
export function readConfigFile(
  settings: ReadonlyMap<string, ConfigSetting>,
  content: Readonly<Record<string, ConfigValue>>,
): ParsedConfig {
  const values = new Map<string, ConfigValue>();
  const problems: string[] = [];
  for (const [name, value] of Object.entries(content)) {
    const setting = settings.get(name);
    if (setting === undefined) problems.push(`tilt_config.json has ${name}, which is not defined`);
    else if (fits(setting, value)) values.set(name, value);
    else problems.push(`tilt_config.json: ${name} is no ${setting.type}`);
  }
  return { values, problems };
}

/** Settings of the command line: `--name value`, `--name=value`, and words without a name. */
export function parseConfigArgs(
  settings: ReadonlyMap<string, ConfigSetting>,
  args: readonly string[],
): ParsedConfig {
  const values = new Map<string, ConfigValue>();
  const problems: string[] = [];
  const positional = [...settings.values()].find(({ isPositional }) => isPositional);
  const add = (setting: ConfigSetting, word: string): void => {
    const added = addWord(setting, values.get(setting.name), word);
    if ("problem" in added) problems.push(added.problem);
    else values.set(setting.name, added.value);
  };
  let index = 0;
  for (; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (arg === "--") index++;
    const flag = /^--?([^=-][^=]*)(?:=([\s\S]*))?$/.exec(arg);
    if (flag === null) break;
    const [, name = "", inline] = flag;
    const setting = settings.get(name);
    if (setting === undefined || setting.isPositional) {
      problems.push(`--${name} is not defined`);
    } else if (inline !== undefined) {
      add(setting, inline);
    } else if (setting.type === "bool") {
      add(setting, "true");
    } else if (index + 1 < args.length) {
      add(setting, args[++index] ?? "");
    } else {
      problems.push(`--${name} needs a value`);
    }
  }
  for (const word of args.slice(index)) {
    if (positional === undefined)
      problems.push(`${JSON.stringify(word)}: no setting takes words without a name`);
    else add(positional, word);
  }
  return { values, problems };
}

/** A flag that is there or not. */
export function switchFlag(brief: string, isOn = false): SwitchFlag {
  return { kind: "boolean", default: isOn, brief };
}

/** A flag that is on, and is taken for the sake of other tools' command lines only. */
export function hiddenSwitch(brief: string): SwitchFlag & { readonly hidden: true } {
  return { ...switchFlag(brief, true), hidden: true };
}

export const yesFlag = { yes: switchFlag("Do not ask on a terminal") } as const;

interface SwitchFlag {
  readonly kind: "boolean";
  readonly default: boolean;
  readonly brief: string;
}

/** A flag with a text that may be left out. */
export function textFlag(brief: string, placeholder: string): OptionalFlag<string> {
  return parsedFlag(String, brief, placeholder);
}

/** A flag with a value that may be left out. */
export function parsedFlag<Value>(
  parse: (text: string) => Value,
  brief: string,
  placeholder: string,
): OptionalFlag<Value> {
  return { kind: "parsed", parse, optional: true, brief, placeholder };
}

interface OptionalFlag<Value> {
  readonly kind: "parsed";
  readonly parse: (text: string) => Value;
  readonly optional: true;
  readonly brief: string;
  readonly placeholder: string;
}

/** A word of the command line that must be there. */
export function word(brief: string, placeholder: string): Word {
  return { brief, placeholder, parse: String };
}

interface Word {
  readonly brief: string;
  readonly placeholder: string;
  readonly parse: (text: string) => string;
}

/** The only word of a command line, which may be left out. */
export function onlyWord(brief: string, placeholder: string, otherwise: string): OnlyWord {
  return { kind: "tuple", parameters: [{ brief, placeholder, parse: String, default: otherwise }] };
}

interface OnlyWord {
  readonly kind: "tuple";
  readonly parameters: readonly [Word & { readonly default: string }];
}

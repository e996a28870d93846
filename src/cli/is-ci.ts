/** Whether a pipeline runs this: nobody answers questions, nobody looks at what changes on a screen. */
export function isCi(env: Readonly<Partial<Record<string, string>>>): boolean {
  return isSwitchedOn(env, "CI");
}

/** Whether a variable is set to anything but what means no. */
export function isSwitchedOn(
  env: Readonly<Partial<Record<string, string>>>,
  variable: string,
): boolean {
  return !["", "0", "false"].includes(env[variable] ?? "");
}

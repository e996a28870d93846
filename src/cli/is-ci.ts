/** Whether a pipeline runs this: nobody answers questions, nobody looks at what changes on a screen. */
export function isCi(env: Readonly<Partial<Record<string, string>>>): boolean {
  return !["", "0", "false"].includes(env["CI"] ?? "");
}

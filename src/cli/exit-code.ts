/** The exit codes of every command. */
export const exitCode = {
  /** All applied and ready. */
  success: 0,
  /** Usage, load, validation or fatal error: nothing was written. */
  invalid: 1,
  /** Something was refused or skipped by policy. */
  refused: 2,
  /** The run finished with failures or timeouts. */
  failed: 3,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

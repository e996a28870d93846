import { pino, type Logger } from "pino";
import type { LogLevel } from "./log-level.ts";

/** A line for whoever runs the controller: words, and facts as fields. Values of secrets are never facts. */
export interface Log {
  debug(facts: Facts, message: string): void;
  info(facts: Facts, message: string): void;
  warn(facts: Facts, message: string): void;
  error(facts: Facts, message: string): void;
  /** The same log, with these facts in every line. */
  with(facts: Facts): Log;
}

export type Facts = Readonly<Record<string, string | number | boolean | undefined>>;

export interface LogOptions {
  readonly level: LogLevel;
  readonly write: (line: string) => void;
}

/** Structured lines of JSON. */
export function jsonLog({ level, write }: LogOptions): Log {
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write },
  );
  return over(logger);
}

function over(logger: Pick<Logger, "child" | "debug" | "error" | "info" | "warn">): Log {
  return {
    debug: (facts, message) => {
      logger.debug(facts, message);
    },
    info: (facts, message) => {
      logger.info(facts, message);
    },
    warn: (facts, message) => {
      logger.warn(facts, message);
    },
    error: (facts, message) => {
      logger.error(facts, message);
    },
    with: (facts) => over(logger.child(facts)),
  };
}

/** A log that nobody reads. */
export const silentLog: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  with: () => silentLog,
};

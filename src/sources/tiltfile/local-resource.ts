import type { SourceRange } from "../../diagnostics/index.ts";

/** A command of this machine. */
export interface LocalCommand {
  /** The program and its arguments; a command given as text runs in a shell. */
  readonly command: readonly string[];
  readonly directory: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What a component without objects runs: a command to its end, a server, or first one, then the other. */
export interface LocalResource {
  readonly name: string;
  readonly update?: LocalCommand;
  readonly serve?: LocalCommand;
  /** Files and directories whose change runs it again. */
  readonly dependencies: readonly string[];
  /** Patterns in the syntax of `.dockerignore`, relative to `ignoreDirectory`. */
  readonly ignore: readonly string[];
  readonly ignoreDirectory: string;
  readonly allowsParallel: boolean;
  /** Says when the server is ready. */
  readonly readinessProbe?: LocalProbe;
  readonly source?: SourceRange | undefined;
}

export interface LocalProbe {
  readonly action: ProbeAction;
  readonly initialDelaySeconds: number;
  readonly timeoutSeconds: number;
  readonly periodSeconds: number;
  readonly successThreshold: number;
  readonly failureThreshold: number;
}

export type ProbeAction =
  | { readonly kind: "exec"; readonly command: readonly string[] }
  | {
      readonly kind: "http-get";
      readonly scheme: "http" | "https";
      readonly host: string;
      readonly port: number;
      readonly path: string;
    }
  | { readonly kind: "tcp-socket"; readonly host: string; readonly port: number };

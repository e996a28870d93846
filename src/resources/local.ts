/** Things on the machine that runs Keelson, as resources. */
import { acceptProvisioned, provisioned } from "./provisioned/index.ts";
import { Resource } from "./resource.ts";
import type { ResourceParameters } from "./resource.ts";
import type { ResourceOptions } from "./resource-options.ts";
import { registerClass } from "./type-token.ts";

export interface FileProps {
  readonly path: string;
  readonly content: string;
  /** Permissions in octal, such as `"0600"`. */
  readonly mode?: string;
}

/** A file with a content. */
export class File extends Resource {
  declare readonly path: string;
  declare readonly content: string;
  /** The SHA-256 of the content, in hexadecimal. */
  readonly sha256: string = provisioned();

  constructor(props: FileProps, options?: ResourceOptions);
  constructor(id: string | undefined, props: FileProps, options?: ResourceOptions);
  constructor(...args: readonly unknown[]) {
    super(...(args as ResourceParameters));
  }
}

export interface CommandProps {
  /** A program and its arguments, or a line for the shell. */
  readonly command: string | readonly string[];
  /** Run when the resource is deleted. */
  readonly delete?: string | readonly string[];
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** Values whose change runs the command again. */
  readonly triggers?: readonly unknown[];
}

/** A command that is run once, and again when its properties change. */
export class Command extends Resource {
  readonly stdout: string = provisioned();
  readonly stderr: string = provisioned();
  readonly exitCode: number = provisioned();

  constructor(props: CommandProps, options?: ResourceOptions);
  constructor(id: string | undefined, props: CommandProps, options?: ResourceOptions);
  constructor(...args: readonly unknown[]) {
    super(...(args as ResourceParameters));
  }
}

export interface ProcessProps {
  readonly command: string | readonly string[];
  readonly directory?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A process that is kept running. */
export class Process extends Resource {
  readonly pid: number = provisioned();
  /** Where its output is kept. */
  readonly logFile: string = provisioned();

  constructor(props: ProcessProps, options?: ResourceOptions);
  constructor(id: string | undefined, props: ProcessProps, options?: ResourceOptions);
  constructor(...args: readonly unknown[]) {
    super(...(args as ResourceParameters));
  }
}

registerClass(File, "keelson:local", "File");
registerClass(Command, "keelson:local", "Command");
registerClass(Process, "keelson:local", "Process");
acceptProvisioned(File, Command, Process);

import type { Position } from "./position.ts";

/** The text is no Starlark program, or names something that is not there. */
export class StarlarkSyntaxError extends Error {
  readonly position: Position;

  constructor(position: Position, message: string) {
    super(message);
    this.name = "StarlarkSyntaxError";
    this.position = position;
  }
}

import type { BuildEvent, TimedEvent } from "../../events/index.ts";

/** A line that is about an image, and therefore about each component that uses it. */
export interface BuildLine {
  readonly image: string;
  readonly timestamp: string;
  readonly message: string;
}

const mostLines = 5_000;

/** The last lines of what builds printed: a build is of an image, and no component's alone. */
export class BuildLines {
  #lines: BuildLine[] = [];

  keep(event: TimedEvent): void {
    const line = buildLine(event);
    if (line === undefined) return;
    this.#lines.push(line);
    // Cut in half at once, so that a full buffer does not move with every line.
    if (this.#lines.length > mostLines) this.#lines = this.#lines.slice(mostLines / 2);
  }

  of(images: ReadonlySet<string>): readonly BuildLine[] {
    return this.#lines.filter(({ image }) => images.has(image));
  }
}

/** What an event says of a build; undefined when it is about something else. */
export function buildLine(event: TimedEvent): BuildLine | undefined {
  if (event.type !== "build") return undefined;
  const { image, timestamp } = event;
  return { image, timestamp, message: textOf(event) };
}

function textOf({ image, status, message = "" }: BuildEvent): string {
  switch (status) {
    case "log":
      return message;
    case "started":
      return `building ${image}`;
    case "cached":
      return `${image} is built already`;
    case "successful":
      return `${image} is built`;
  }
}

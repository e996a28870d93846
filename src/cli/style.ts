import { controlSequence, logText } from "./terminal.ts";

type Paint = (text: string) => string;

/** How text looks on a terminal; plain where colour is off. */
export interface Style {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly inverse: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
  readonly blue: Paint;
  readonly magenta: Paint;
  readonly cyan: Paint;
  /** Text of a log: the colours that its program gave it may stay, nothing else that acts on a terminal. */
  readonly log: Paint;
}

export function createStyle(options: {
  /** Whether what we say has colours. */
  readonly colors: boolean;
  /** Whether logs keep theirs: unless somebody wants none at all. */
  readonly logColors: boolean;
}): Style {
  const paint = (open: number, close: number): Paint =>
    options.colors ? painted(code(open), code(close)) : (text) => text;
  return {
    bold: paint(1, 22),
    dim: paint(2, 22),
    inverse: paint(7, 27),
    red: paint(31, 39),
    green: paint(32, 39),
    yellow: paint(33, 39),
    blue: paint(34, 39),
    magenta: paint(35, 39),
    cyan: paint(36, 39),
    log: (text) => logText(text, options.logColors),
  };
}

function code(number: number): string {
  return controlSequence(`\u001B[${number}m`);
}

/** What ends inside of a painted text begins anew after it. */
function painted(open: string, close: string): Paint {
  const again = `${close}${open}`;
  return (text) => `${open}${text.includes(close) ? text.replaceAll(close, again) : text}${close}`;
}

import { safeLine } from "../../diagnostics/index.ts";
import { textWidth } from "./text-width.ts";

/** A text without colours in lines of at most so many columns; a word that is longer is cut in two. */
export function wrapText(text: string, width: number): readonly string[] {
  const most = Math.max(1, width);
  const lines: string[] = [];
  let line = "";
  for (const word of safeLine(text).split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (textWidth(longer) <= most) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (textWidth(line) > most) {
      const part = fittingPart(line, most);
      lines.push(part);
      line = line.slice(part.length);
    }
  }
  return line === "" ? lines : [...lines, line];
}

/** As many characters of the beginning as fit; at least one. */
function fittingPart(text: string, width: number): string {
  let part = "";
  for (const character of text) {
    if (part !== "" && textWidth(`${part}${character}`) > width) return part;
    part += character;
  }
  return part;
}

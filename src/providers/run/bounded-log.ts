const mostLines = 10_000;
const longestLine = 4_000;

/** Passes lines on until there are too many of them, which it says once. */
export function boundedLog(log: (line: string) => void): (line: string) => void {
  let count = 0;
  return (line) => {
    count += 1;
    if (count <= mostLines) log(shortLine(line));
    else if (count === mostLines + 1) log(`… more than ${mostLines} lines: the rest is left out`);
  };
}

export function shortLine(line: string, longest = longestLine): string {
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}

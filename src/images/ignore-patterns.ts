/** Tells whether a path, relative to the root of the patterns and with `/`, is left out. */
export type IsIgnored = (path: string) => boolean;

/**
 * Patterns in the syntax of `.dockerignore`: the last one that matches decides, `!` takes back, `**`
 * stands for any number of folders, and a folder that is left out takes all below it along.
 */
export function ignorePatterns(lines: readonly string[]): IsIgnored {
  const rules = lines.flatMap((line) => ruleOf(line) ?? []);
  if (rules.length === 0) return () => false;
  return (path) => {
    let isIgnored = false;
    for (const { pattern, negated } of rules) if (pattern.test(path)) isIgnored = !negated;
    return isIgnored;
  };
}

interface Rule {
  readonly pattern: RegExp;
  readonly negated: boolean;
}

function ruleOf(line: string): Rule | undefined {
  const text = line.trim();
  if (text === "" || text.startsWith("#")) return undefined;
  const negated = text.startsWith("!");
  const path = (negated ? text.slice(1) : text)
    .trim()
    .replace(/^\.?\/+/, "")
    .replace(/\/+$/, "");
  if (path === "" || path === ".") return undefined;
  return { pattern: new RegExp(`^${expressionOf(path)}(?:/.*)?$`, "s"), negated };
}

/** One pattern as a regular expression, character by character; what is not special is meant literally. */
function expressionOf(path: string): string {
  let expression = "";
  for (let index = 0; index < path.length; index++) {
    const character = path[index] ?? "";
    if (path.startsWith("**/", index)) {
      expression += "(?:.*/)?";
      index += 2;
    } else if (path.startsWith("**", index)) {
      expression += ".*";
      index += 1;
    } else if (character === "*") {
      expression += "[^/]*";
    } else if (character === "?") {
      expression += "[^/]";
    } else if (character === "[" && path.indexOf("]", index) > index + 1) {
      const end = path.indexOf("]", index);
      expression += `[${path.slice(index + 1, end).replaceAll("\\", "\\\\")}]`;
      index = end;
    } else {
      expression += character.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`);
    }
  }
  return expression;
}

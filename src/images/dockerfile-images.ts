/**
 * The images that a Dockerfile starts from or copies from, in the order in which it names them.
 * Build arguments are filled in; a name that is not known until the build is left out.
 */
export function dockerfileImages(
  text: string,
  buildArgs: Readonly<Record<string, string>> = {},
): readonly string[] {
  const stages = new Set<string>();
  const images = new Set<string>();
  const args = new Map<string, string>();
  const note = (word: string): void => {
    const image = expand(word, args);
    const isStage = stages.has(image.toLowerCase()) || /^\d+$/.test(image);
    if (image !== "" && image !== "scratch" && !image.includes("$") && !isStage) images.add(image);
  };
  for (const line of instructions(text)) {
    const [instruction = "", ...words] = line.split(/\s+/);
    switch (instruction.toUpperCase()) {
      case "ARG":
        for (const word of words) declareArg(word, args, buildArgs);
        break;
      case "FROM": {
        const [image = "", as = "", stage = ""] = words.filter((word) => !word.startsWith("--"));
        note(image);
        if (as.toUpperCase() === "AS") stages.add(stage.toLowerCase());
        break;
      }
      case "COPY":
      case "ADD":
        for (const word of words) {
          if (word.startsWith("--from=")) note(word.slice("--from=".length));
        }
        break;
      default:
    }
  }
  return [...images];
}

/** Lines without comments, with those that end in a backslash joined. */
function instructions(text: string): readonly string[] {
  return text
    .split(/\r?\n/)
    .filter((line) => !line.trimStart().startsWith("#"))
    .join("\n")
    .replaceAll(/\\[ \t]*\n/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function declareArg(
  word: string,
  args: Map<string, string>,
  given: Readonly<Record<string, string>>,
): void {
  const equals = word.indexOf("=");
  const name = equals === -1 ? word : word.slice(0, equals);
  const value = given[name] ?? (equals === -1 ? undefined : unquote(word.slice(equals + 1)));
  if (value !== undefined) args.set(name, expand(value, args));
}

function unquote(word: string): string {
  return /^(["']).*\1$/.test(word) ? word.slice(1, -1) : word;
}

function expand(word: string, args: ReadonlyMap<string, string>): string {
  return word.replaceAll(
    /\$(?:\{(\w+)(?::-([^}]*))?\}|(\w+))/g,
    (whole, braced: string | undefined, fallback: string | undefined, bare: string | undefined) =>
      args.get(braced ?? bare ?? "") ?? fallback ?? whole,
  );
}

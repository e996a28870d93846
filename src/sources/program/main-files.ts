const names = ["main", "index", "keelson", "src/main", "src/index"];
const extensions = [".ts", ".mts", ".js", ".mjs", ".cjs"];

/** Where the program of a directory is looked for, the likeliest first. */
export const mainFiles: readonly string[] = names.flatMap((name) =>
  extensions.map((extension) => name + extension),
);

import { describe, expect, test } from "vitest";
import { programNames, programText } from "./program-world.ts";

const program = `import { k8s, Resource } from "keelson";

function settings(color: string) {
  return new k8s.ConfigMap({ data: { color } });
}

class Shop extends Resource {
  constructor(args: { replicas: number }) {
    super(args);
    const token = new k8s.Secret("token", { stringData: { a: "1" } });
    new k8s.Service({ spec: { clusterIP: "None" } });
    settings(token.metadata.name);
  }
}

const shop = new Shop({ replicas: 3 });
new k8s.Namespace("web", {});
settings("red");
`;

/** Edits that leave the program what it is. */
const edits: Readonly<Record<string, (text: string) => string>> = {
  "blank lines and comments": (text) => text.replaceAll("\n", "\n\n// more\n"),
  "indentation with tabs": (text) => text.replaceAll(/^( {2})+/gm, "\t"),
  "on as few lines as possible": (text) => text.replaceAll(/\n\s*/g, " "),
  "other names of variables": (text) =>
    text.replaceAll("token =", "secret =").replaceAll("token.", "secret.").replaceAll("shop", "s"),
  "unrelated code before": (text) =>
    text.replace(
      "function",
      "const table = new Map([[1, 2]]); class Other { x = new Set(); } new Other();\nfunction",
    ),
  "reordered unrelated allocations": (text) =>
    text.replace(/(const shop .*\n)(new k8s.Namespace.*\n)/, "$2$1"),
  "a class that moved up in the module": (text) => {
    const declaration = /class Shop[^]*?\n}\n/.exec(text)?.[0] ?? "";
    return text.replace(declaration, "").replace("function", `${declaration}function`);
  },
  "an arrow function for a function": (text) =>
    text
      .replace("function settings(color: string) {", "const settings = (color: string) => {")
      .replace("data: { color } });\n}", "data: { color } });\n};"),
  "waiting between the statements": (text) =>
    text.replace("new k8s.Namespace", "await Promise.resolve();\nnew k8s.Namespace"),
  "a loop for a statement": (text) =>
    text.replace('settings("red");', 'for (const color of ["red"]) settings(color);'),
};

describe("no name changes with", () => {
  test.for(Object.entries(edits))("%s", async ([, edit]) => {
    const edited = edit(program);
    expect(edited).not.toBe(program);
    const [names, namesAfter] = await Promise.all([programNames(program), programNames(edited)]);
    expect(names.length).toBe(6);
    expect(namesAfter.toSorted()).toEqual(names.toSorted());
  });
});

test("moving to another module or class, or another class of resource, is another name", async () => {
  const moved = await programNames({
    "main.ts": 'import "./other";',
    "other.ts": program.replaceAll("Shop", "Store"),
  });
  const before = new Set(await programNames(program));
  expect(moved.filter((name) => before.has(name))).toEqual([]);
});

test("two evaluations of one program are equal to the letter", async () => {
  expect(await programText(program)).toBe(await programText(program));
});

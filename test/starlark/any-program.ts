import { array, integer, nat, noBias, tuple, type Arbitrary } from "fast-check";

/**
 * Programs that mostly run: each expression has a type, names are only used after they are
 * assigned, and loops are bounded. What fails must fail in the same way on both sides.
 */
export const anyProgram: Arbitrary<string> = tuple(
  noBias(array(nat(), { minLength: 300, maxLength: 1200 })),
  integer({ min: 5, max: 20 }),
).map(([choices, size]) => new ProgramWriter(choices).write(size));

type Type = "int" | "float" | "string" | "bool" | "list" | "dict" | "tuple";
const types: readonly Type[] = ["int", "float", "string", "bool", "list", "dict", "tuple"];

/** Turns a list of numbers into a program; when they run out, the simplest choice is taken. */
class ProgramWriter {
  readonly #choices: readonly number[];
  #used = 0;
  #names = 0;
  readonly #variables: { readonly name: string; readonly type: Type }[] = [];
  #functions: readonly string[] = [];

  constructor(choices: readonly number[]) {
    this.#choices = choices;
  }

  write(size: number): string {
    const lines: string[] = [];
    for (let index = 0; index < size; index++) lines.push(...this.#statement(2, ""));
    lines.push(`print(${this.#variables.map(({ name }) => name).join(", ")})`);
    return `${lines.join("\n")}\n`;
  }

  #below(count: number): number {
    const choice = this.#choices[this.#used++] ?? 0;
    return choice % count;
  }

  #pick<T>(items: readonly T[], fallback: T): T {
    return items[this.#below(Math.max(1, items.length))] ?? fallback;
  }

  #statement(depth: number, indent: string): string[] {
    const inner = `${indent}  `;
    switch (depth > 0 ? this.#below(9) : this.#below(4)) {
      case 0:
      case 1:
        return [`${indent}${this.#assignment()}`];
      case 2:
        return [`${indent}print(${this.#expression(this.#type(), 3)})`];
      case 3:
        return [`${indent}${this.#change()}`];
      case 4:
        return [
          `${indent}if ${this.#expression("bool", 2)}:`,
          ...this.#block(depth, inner),
          `${indent}else:`,
          ...this.#block(depth, inner),
        ];
      case 5:
      case 6:
        return this.#loop(depth, indent, inner);
      default:
        return indent === "" ? this.#function() : [`${indent}${this.#assignment()}`];
    }
  }

  /** What is assigned inside a block may never be, so it is forgotten after it. */
  #block(depth: number, indent: string): string[] {
    const known = this.#variables.length;
    const lines = [...this.#statement(depth - 1, indent), ...this.#statement(depth - 1, indent)];
    this.#variables.length = known;
    return lines;
  }

  #loop(depth: number, indent: string, inner: string): string[] {
    const name = this.#fresh();
    const known = this.#variables.length;
    const isRange = this.#below(2) === 0;
    const over = isRange ? `range(${this.#below(6)})` : this.#expression("list", 1);
    if (isRange) this.#variables.push({ name, type: "int" });
    const lines = [`${indent}for ${name} in ${over}:`, ...this.#block(depth, inner)];
    const leave = ["break", "continue", "pass"];
    lines.push(`${inner}if ${this.#expression("bool", 1)}: ${this.#pick(leave, "pass")}`);
    lines.push(`${inner}print(${name})`);
    this.#variables.length = known;
    return lines;
  }

  #function(): string[] {
    const name = `f${this.#names++}`;
    const outer = this.#variables.splice(0);
    this.#variables.push({ name: "a", type: "int" }, { name: "b", type: "string" });
    const body = this.#statement(1, "  ");
    const result = `  return ${this.#expression("int", 2)}`;
    this.#variables.splice(0, this.#variables.length, ...outer);
    this.#functions = [...this.#functions, name];
    const signature = this.#pick(
      ["a, b='x'", "a, *, b='y'", "a=3, b='z', *args", "a=1, b='w', **k"],
      "a, b='x'",
    );
    return [`def ${name}(${signature}):`, ...body, result];
  }

  #assignment(): string {
    const type = this.#type();
    const value = this.#expression(type, 3);
    const known = this.#variables.filter((variable) => variable.type === type);
    if (known.length > 0 && this.#below(3) === 0) {
      const { name } = this.#pick(known, { name: "x", type });
      const operators = {
        int: ["+", "-", "*", "|", "&"],
        string: ["+"],
        list: ["+"],
        dict: ["|"],
        float: ["+", "*"],
        tuple: ["+"],
        bool: [],
      }[type];
      if (operators.length > 0) return `${name} ${this.#pick(operators, "+")}= ${value}`;
    }
    const name = this.#fresh();
    this.#variables.push({ name, type });
    return `${name} = ${value}`;
  }

  #change(): string {
    const lists = this.#variables.filter(({ type }) => type === "list");
    const dicts = this.#variables.filter(({ type }) => type === "dict");
    const item = this.#expression(this.#type(), 1);
    if (lists.length > 0 && this.#below(2) === 0) {
      const { name } = this.#pick(lists, { name: "x", type: "list" });
      const index = this.#expression("int", 1);
      return this.#pick(
        [
          `${name}.append(${item})`,
          `${name}.insert(${index} % 7, ${item})`,
          `${name}.extend(${this.#expression("list", 1)})`,
          `${name}[${index} % 4] = ${item}`,
          `print(${name}.pop())`,
          `${name}.remove(${item})`,
        ],
        `${name}.append(${item})`,
      );
    }
    if (dicts.length > 0) {
      const { name } = this.#pick(dicts, { name: "x", type: "dict" });
      const key = this.#expression("string", 1);
      return this.#pick(
        [
          `${name}[${key}] = ${item}`,
          `print(${name}.pop(${key}, None))`,
          `${name}.setdefault(${key}, ${item})`,
          `${name}.update({${key}: ${item}})`,
          `${name}.update(k=${item})`,
          `print(${name}[${key}])`,
        ],
        `${name}[${key}] = ${item}`,
      );
    }
    return `print(${item})`;
  }

  #type(): Type {
    return this.#pick(types, "int");
  }

  #fresh(): string {
    return `v${this.#names++}`;
  }

  #expression(type: Type, depth: number): string {
    const known = this.#variables.filter((variable) => variable.type === type);
    if (known.length > 0 && this.#below(3) > 0) return this.#pick(known, { name: "0", type }).name;
    // One in five hundred expressions has the wrong type, so that errors are compared as well.
    const actual = this.#below(500) === 499 ? this.#type() : type;
    return depth <= 0 ? this.#literal(actual) : this.#compound(actual, depth - 1);
  }

  #literal(type: Type): string {
    const literals: Readonly<Record<Type, readonly string[]>> = {
      int: [
        "0",
        "1",
        "2",
        "-3",
        "7",
        "255",
        "2147483647",
        "9007199254740991",
        "123456789012345678901",
      ],
      float: ["0.0", "1.5", "-2.25", "1e10", "0.1", "3.0", "-0.0"],
      string: [
        "''",
        "'a'",
        "'hello world'",
        "'B,c,,d'",
        "'é☺'",
        "'%s-%d'",
        "'{}'",
        "'12'",
        "' x '",
      ],
      bool: ["True", "False"],
      list: ["[]", "[1, 2, 3]", "['a', 'b']", "[[1], [2]]", "[3, 1, 2]"],
      dict: ["{}", "{'a': 1}", "{'b': [1], 'a': 2}"],
      tuple: ["()", "(1,)", "('a', 2)"],
    };
    return this.#pick(literals[type], "0");
  }

  #compound(type: Type, depth: number): string {
    const sub = (inner: Type): string => this.#expression(inner, depth);
    switch (type) {
      case "int":
        return this.#choose([
          () => this.#literal("int"),
          () =>
            `(${sub("int")} ${this.#pick(["+", "-", "*", "//", "%", "&", "|", "^"], "+")} ${sub("int")})`,
          () => `len(${sub(this.#pick(["list", "string", "dict", "tuple"] as const, "list"))})`,
          () => `(${sub("int")} if ${sub("bool")} else ${sub("int")})`,
          () => `int(${sub("float")})`,
          () =>
            `${sub("string")}.${this.#pick(["find", "count", "rfind"], "find")}(${sub("string")})`,
          () => `abs(${sub("int")})`,
          () => `-${sub("int")}`,
          () => `${sub("list")}.index(${sub("int")})`,
          () => `max([${sub("int")}, ${sub("int")}])`,
          () => `hash(${sub("string")})`,
          () =>
            this.#functions.length > 0
              ? `${this.#pick(this.#functions, "len")}(${sub("int")}, b=${sub("string")})`
              : "4",
        ]);
      case "float":
        return this.#choose([
          () => this.#literal("float"),
          () =>
            `(${sub("float")} ${this.#pick(["+", "-", "*", "/", "//", "%"], "+")} ${sub("float")})`,
          () => `(${sub("int")} / ${sub("int")})`,
          () => `float(${sub("int")})`,
        ]);
      case "string":
        return this.#choose([
          () => this.#literal("string"),
          () => `(${sub("string")} + ${sub("string")})`,
          () =>
            `${sub("string")}.${this.#pick(["upper", "lower", "title", "capitalize", "strip", "lstrip"], "upper")}()`,
          () => `str(${sub(this.#type())})`,
          () => `repr(${sub(this.#type())})`,
          () => `('%s|%r' % (${sub(this.#type())}, ${sub(this.#type())}))`,
          () => `'{}/{!r}'.format(${sub(this.#type())}, ${sub(this.#type())})`,
          () => `${sub("string")}[${this.#slice()}]`,
          () => `${sub("string")}.replace(${sub("string")}, ${sub("string")}, 3)`,
          () => `','.join([str(x) for x in ${sub("list")}])`,
          () => `(${sub("string")} * ${this.#below(4)})`,
          () => `type(${sub(this.#type())})`,
          () =>
            `json.encode(${sub(this.#pick(["int", "string", "list", "dict", "float"] as const, "int"))})`,
        ]);
      case "bool":
        return this.#choose([
          () => this.#literal("bool"),
          () =>
            `(${sub("int")} ${this.#pick(["<", ">", "==", "!=", "<=", ">="], "<")} ${sub("int")})`,
          () =>
            `(${sub("string")} ${this.#pick(["<", "in", "not in", "=="], "<")} ${sub("string")})`,
          () => `(not ${sub(this.#type())})`,
          () => `bool(${sub("bool")} ${this.#pick(["and", "or"], "and")} ${sub("bool")})`,
          () => `(${sub(this.#type())} == ${sub(this.#type())})`,
          () => `(${sub(this.#type())} in ${sub("list")})`,
          () => `${sub("string")}.startswith(${sub("string")})`,
        ]);
      case "list":
        return this.#choose([
          () => this.#literal("list"),
          () => `[${sub(this.#type())}, ${sub(this.#type())}]`,
          () => `(${sub("list")} + ${sub("list")})`,
          () => `[x for x in ${sub("list")} if x != ${sub("int")}]`,
          () => `[(x, y) for x in range(${this.#below(4)}) for y in ${sub("list")}]`,
          () => `list(${sub("tuple")})`,
          () => `sorted([${sub("int")}, ${sub("int")}, ${sub("int")}], reverse=${sub("bool")})`,
          () => `sorted(${sub("list")})`,
          () => `${sub("list")}[${this.#slice()}]`,
          () => `${sub("dict")}.${this.#pick(["keys", "values", "items"], "keys")}()`,
          () => `${sub("string")}.split(${this.#pick(["','", "", "'l', 1"], "','")})`,
          () =>
            `list(${sub("string")}.${this.#pick(["elems", "codepoints", "elem_ords"], "elems")}())`,
          () => `enumerate(${sub("list")})`,
          () => `zip(${sub("list")}, ${sub("list")})`,
          () => `list(set(${sub("list")}))`,
          () => `reversed(${sub("list")})`,
        ]);
      case "dict":
        return this.#choose([
          () => this.#literal("dict"),
          () => `{${sub("string")}: ${sub(this.#type())}}`,
          () => `(${sub("dict")} | ${sub("dict")})`,
          () => `{str(k): v for k, v in enumerate(${sub("list")})}`,
          () => `dict(a=${sub(this.#type())}, b=${sub(this.#type())})`,
          () => `json.decode(json.encode(${sub("dict")}))`,
        ]);
      case "tuple":
        return this.#choose([
          () => this.#literal("tuple"),
          () => `(${sub(this.#type())}, ${sub(this.#type())})`,
          () => `tuple(${sub("list")})`,
          () => `(${sub("tuple")} + ${sub("tuple")})`,
          () => `${sub("string")}.partition(${this.#pick(["','", "'l'"], "','")})`,
        ]);
    }
  }

  #choose(options: readonly (() => string)[]): string {
    const [first] = options;
    const option = options[this.#below(options.length)] ?? first;
    return option === undefined ? "0" : option();
  }

  #slice(): string {
    const part = (): string => (this.#below(3) === 0 ? "" : String(this.#below(9) - 4));
    const step = this.#below(3) === 0 ? `:${this.#pick(["2", "-1", "-2", "1"], "1")}` : "";
    return `${part()}:${part()}${step}`;
  }
}

import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { isJsonObject } from "../../json/index.ts";

/** The package that a module is part of. */
export interface ModulePackage {
  readonly name: string;
  readonly folder: string;
  /** False for a package that knows nothing of Keelson: its modules are left alone. */
  readonly isRead: boolean;
  /** Whether its .js files are ECMAScript modules whatever they look like. */
  readonly isModule: boolean;
  /** The provider that it declares, as an absolute path. */
  readonly provider?: string | undefined;
}

/** Finds the packages of modules; each package.json is read once. */
export class ModulePackages {
  readonly #project: { readonly name: string; readonly folder: string };
  readonly #byFolder = new Map<string, ModulePackage>();

  constructor(project: { readonly name: string; readonly folder: string }) {
    this.#project = project;
  }

  /** Every package.json that was looked at. */
  get files(): readonly string[] {
    return [...new Set(this.#byFolder.values())]
      .map(({ folder }) => join(folder, "package.json"))
      .filter((file) => existsSync(file));
  }

  /** The package of a module by the nearest package.json that has a name, else the project. */
  of(file: string): ModulePackage {
    return this.#ofFolder(dirname(file));
  }

  /** The package of this name that a module was loaded from, if it has a provider. */
  hasProvider(name: string): boolean {
    return [...this.#byFolder.values()].some(
      (each) => each.name === name && each.provider !== undefined,
    );
  }

  manifestOf(name: string): string {
    const found = [...this.#byFolder.values()].find((each) => each.name === name);
    return join((found ?? this.#project).folder, "package.json");
  }

  #ofFolder(folder: string): ModulePackage {
    const known = this.#byFolder.get(folder);
    if (known !== undefined) return known;
    const parent = dirname(folder);
    const found =
      this.#read(folder) ??
      (parent === folder || folder === this.#project.folder
        ? { ...this.#project, isRead: true, isModule: false }
        : this.#ofFolder(parent));
    this.#byFolder.set(folder, found);
    return found;
  }

  #read(folder: string): ModulePackage | undefined {
    const file = join(folder, "package.json");
    if (!existsSync(file)) return undefined;
    const manifest = parse(readFileSync(file, "utf8"));
    const name = manifest["name"];
    if (typeof name !== "string" || name === "") return undefined;
    const isForeign = folder.split(sep).includes("node_modules");
    const settings = manifest["keelson"];
    const provider = isJsonObject(settings) ? settings["provider"] : undefined;
    return {
      name,
      folder,
      isRead: !isForeign || settings !== undefined,
      isModule: manifest["type"] === "module",
      // A provider may be a process of its own, which its package says how to start.
      ...(typeof provider === "string"
        ? { provider: join(folder, provider) }
        : isJsonObject(provider)
          ? { provider: folder }
          : {}),
    };
  }
}

/** `<package>:<path of the module in it, without extension>`. */
export function moduleToken(file: string, { name, folder }: ModulePackage): string {
  const path = relative(folder, file).split(sep).join("/");
  return `${name}:${path.replace(/\.[cm]?[jt]sx?$/, "")}`;
}

/** A package.json that cannot be read says nothing; whoever needs it will report it. */
function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The file that an import without its extension means, as bundlers and editors read it. */
export function completePath(path: string): string | undefined {
  const isFile = (file: string): boolean =>
    statSync(file, { throwIfNoEntry: false })?.isFile() === true;
  if (isFile(path)) return path;
  const stem = /\.[cm]?js$/.test(path) ? path.replace(/js$/, "ts") : undefined;
  const candidates = [
    ...(stem === undefined ? [] : [stem]),
    ...moduleExtensions.map((extension) => path + extension),
    ...packageMain(path),
    ...moduleExtensions.map((extension) => join(path, `index${extension}`)),
  ];
  return candidates.find(isFile);
}

const moduleExtensions = [".ts", ".mts", ".js", ".mjs", ".cts", ".cjs"];

function packageMain(folder: string): readonly string[] {
  const file = join(folder, "package.json");
  if (!existsSync(file)) return [];
  const main = parse(readFileSync(file, "utf8"))["main"];
  return typeof main === "string" ? [join(folder, main)] : [];
}

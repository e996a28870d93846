import { readFile } from "node:fs/promises";
import { fail } from "../diagnostics/index.ts";

export interface PageFile {
  readonly type: string;
  readonly body: Buffer;
}

const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  svg: "image/svg+xml",
};

/** The built page: beside this file in the package, or in the `dist/` of a checkout. */
function builtPage(): URL {
  const here = import.meta.url;
  if (here.endsWith(".ts")) return new URL("../../dist/web/", here);
  return new URL(/\/parts\/[^/]*$/.test(here) ? "../web/" : "./web/", here);
}

/** The files of the page by path. Only names that the build makes are ever looked for. */
export class PageFiles {
  readonly #folder: URL;

  constructor(folder: URL = builtPage()) {
    this.#folder = folder;
  }

  async require(): Promise<void> {
    if ((await this.find("/")) !== undefined) return;
    fail({
      code: "dashboard.page-missing",
      summary: `the page of the dashboard is not in ${this.#folder.pathname}`,
      hint: "in a checkout: npm run build",
    });
  }

  async find(path: string): Promise<PageFile | undefined> {
    const name = path === "/" ? "index.html" : path.slice(1);
    if (!/^(?:index\.html|assets\/[\w-]+\.(?:js|css|svg))$/.test(name)) return undefined;
    const type = types[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream";
    try {
      return { type, body: await readFile(new URL(name, this.#folder)) };
    } catch {
      return undefined;
    }
  }
}

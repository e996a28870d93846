import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { artifacts } from "./build-page.ts";

export type Look = Parameters<Browser["newContext"]>[0];

export const dark: Look = { colorScheme: "dark" };
export const narrow: Look = { viewport: { width: 380, height: 700 } };

/** Opens pages of a dashboard in a browser, and hears what they complain about. */
export class PageVisits {
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  readonly #complaints: string[] = [];

  constructor(browser: Browser) {
    this.#browser = browser;
  }

  /** A view of the dashboard whose link is given, in a browser that nobody used before. */
  async open(link: string, hash = "#/", look: Look = {}): Promise<Page> {
    const context = await this.#browser.newContext({
      viewport: { width: 1200, height: 700 },
      colorScheme: "light",
      ...look,
    });
    this.#contexts.push(context);
    const page = await context.newPage();
    page.on("pageerror", (error) => this.#complaints.push(error.message));
    page.on("console", (message) => {
      const text = message.text();
      // That a server is away, or refuses, is what some tests are about.
      const isExpected = /net::ERR_|status of (?:4\d\d|5\d\d)/.test(text);
      if (message.type() === "error" && !isExpected) this.#complaints.push(text);
    });
    await page.goto(link);
    await page.getByRole("status").getByText("Live").waitFor();
    await page.goto(`${new URL(link).origin}/${hash}`);
    return page;
  }

  /** Closes all pages; fails when one of them had something to complain about. */
  async end(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
    const [complaint] = this.#complaints.splice(0);
    if (complaint !== undefined) throw new Error(`the page complains: ${complaint}`);
  }
}

/** Keeps a picture, and asks axe what is wrong with the page. */
export async function examine(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(artifacts, `${name}.png`) });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("; ")}`),
  ).toEqual([]);
  const overflow = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect(overflow).toBe(0);
}

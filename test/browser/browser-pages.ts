import { join } from "node:path";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { artifacts } from "./build-page.ts";
import { openBrowser } from "./open-browser.ts";

export type Look = Parameters<Browser["newContext"]>[0];
export const dark: Look = { colorScheme: "dark" };
export const narrow: Look = { viewport: { width: 380, height: 700 } };

/** A browser whose pages are let in by the link of a dashboard, and whose complaints are failures. */
export class BrowserPages {
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];
  readonly #complaints: string[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async open(): Promise<BrowserPages> {
    return new BrowserPages(await openBrowser());
  }

  async visit(link: string, hash = "#/", look: Look = {}): Promise<Page> {
    const context = await this.#browser.newContext({
      viewport: { width: 1200, height: 700 },
      colorScheme: "light",
      ...look,
    });
    this.#contexts.push(context);
    const page = await context.newPage();
    page.on("pageerror", (error) => this.#complaints.push(error.message));
    page.on("console", (message) => {
      // That a server is away is what one test is about.
      if (message.type() === "error" && !message.text().includes("net::ERR_"))
        this.#complaints.push(message.text());
    });
    await page.goto(link);
    await page.getByRole("status").getByText("Live").waitFor();
    if (page.url().includes("token")) throw new Error("the token stays in the address");
    await page.goto(`${new URL(link).origin}/${hash}`);
    return page;
  }

  /** After each test: a policy that stopped something, or an error in the page, is said nowhere else. */
  async leave(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
    const [complaint] = this.#complaints.splice(0);
    if (complaint !== undefined) throw new Error(`the page complains: ${complaint}`);
  }

  async close(): Promise<void> {
    await this.#browser.close();
  }
}

/** Keeps a picture, and asks axe what is wrong with the page. */
export async function examine(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: join(artifacts, `${name}.png`) });
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(
    violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join("; ")}`),
  ).toEqual([]);
}

/** That the page has the colours and the width that were asked for, and is otherwise as it should be. */
export async function examineLook(page: Page, name: string, look: Look): Promise<void> {
  const background = await page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  const [red = "255"] = background.match(/\d+/) ?? [];
  expect(Number(red) < 128).toBe(look === dark);
  const overflow = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect(overflow).toBe(0);
  await examine(page, name);
}

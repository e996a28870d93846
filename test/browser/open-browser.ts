import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";
import { patienceMs } from "../patience.ts";

/** A switch that would turn off what the tests are about, or that is for very small machines. */
const unwanted = ["--disable-web-security", "--allow-running-insecure-content", "--single-process"];

/** A real browser, which comes in a package: nothing is installed or fetched. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: sparticuz.args.filter((arg) => !unwanted.includes(arg)),
    headless: true,
  });
  const newContext = browser.newContext.bind(browser);
  browser.newContext = async (options) => {
    const context = await newContext(options);
    context.setDefaultTimeout(patienceMs);
    return context;
  };
  return browser;
}

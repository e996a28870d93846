import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import sparticuz from "@sparticuz/chromium";
import { type Browser, chromium } from "playwright-core";
import manifest from "../../package.json" with { type: "json" };
import { cacheFolder } from "../cluster/cache-folder.ts";
import { withFolderLock } from "../cluster/folder-lock.ts";
import { patienceMs } from "../patience.ts";

/** A switch that would turn off what the tests are about, or that is for very small machines. */
const unwanted = ["--disable-web-security", "--allow-running-insecure-content", "--single-process"];

/** A real browser, which comes in a package: nothing is installed or fetched. */
export async function openBrowser(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: await unpackedBrowser(),
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

/**
 * The package unpacks itself into the temporary folder, where another worker would start it half
 * written: it is unpacked once, behind a lock, into the cache folder.
 */
async function unpackedBrowser(): Promise<string> {
  const folder = cacheFolder("browser", manifest.devDependencies["@sparticuz/chromium"]);
  await mkdir(folder, { recursive: true });
  return withFolderLock(join(folder, "lock"), async () => {
    const before = process.env["TMPDIR"];
    process.env["TMPDIR"] = folder;
    try {
      return await sparticuz.executablePath();
    } finally {
      if (before === undefined) delete process.env["TMPDIR"];
      else process.env["TMPDIR"] = before;
    }
  });
}

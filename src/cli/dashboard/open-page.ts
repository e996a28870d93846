import { startChild } from "../../processes/index.ts";

/** Shows a page in the browser of this machine. False when there is none that could be started. */
export function openPage(
  link: string,
  env: Readonly<Partial<Record<string, string>>>,
): Promise<boolean> {
  const opener = openers[process.platform] ?? ["xdg-open"];
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = startChild([...opener, link], { stdio: "ignore", env: { ...env } });
  child.once("error", () => {
    resolve(false);
  });
  child.once("exit", (code) => {
    resolve(code === 0);
  });
  // A browser may be what it becomes: that is not waited for.
  child.unref();
  return promise;
}

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["cmd", "/c", "start", ""],
};

import { spawn } from "node:child_process";

/** Shows a page in the browser of this machine. False when there is none that could be started. */
export function openPage(
  link: string,
  env: Readonly<Partial<Record<string, string>>>,
): Promise<boolean> {
  const [program = "", ...args] = openers[process.platform] ?? ["xdg-open"];
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const child = spawn(program, [...args, link], {
    stdio: "ignore",
    detached: true,
    env: { ...env },
  });
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

import { chmodSync, existsSync, readFileSync } from "node:fs";
import { delimiter } from "node:path";
import { afterEach, expect, it } from "vitest";
import { DevProject } from "./dev-project.ts";
import type { Terminal } from "./terminal.ts";

let project: DevProject;
let terminal: Terminal;
afterEach(async () => {
  await terminal.close();
  await project.close();
});

const pageUp = "\u001B[5~";
const up = "\u001B[A";
const end = "\u001B[F";

it("scrolls back through the logs, stays there while more comes, and follows again", async () => {
  project = new DevProject({
    Tiltfile: `local_resource('count', serve_cmd='seq -f "line %g" 100; until test -e more; do sleep 0.05; done; echo the end; exec sleep 600')`,
  });
  terminal = project.terminal(["up"]);
  const lines = (): readonly string[] => terminal.screen.match(/(?<=│ ).*\S/g) ?? [];
  await terminal.shows(/line 100\n/);
  const space = lines().length;
  terminal.press(pageUp);
  await terminal.shows(/, \d+ more below ─/);
  const page = Array.from({ length: space }, (_, index) => `line ${101 - 2 * space + 1 + index}`);
  expect(lines()).toEqual(page);
  expect(terminal.screen).toContain("End newest");
  terminal.press(up);
  await terminal.shows((screen) => screen.includes(`, ${space} more below`));
  const above = [`line ${101 - 2 * space}`, ...page.slice(0, -1)];
  expect(lines()).toEqual(above);
  project.write("more", "");
  await terminal.shows((screen) => screen.includes(`, ${space + 1} more below`));
  expect(lines()).toEqual(above);
  terminal.press(end);
  await terminal.shows(/the end\n/);
  expect(terminal.screen).not.toContain("more below");
  terminal.press("q");
  expect(await terminal.exit()).toBe(0);
});

it("shows what the source prints among the logs, also after a change", async () => {
  project = new DevProject({
    Tiltfile: `print('reading one')\nlocal_resource('a', cmd='echo done')\n`,
  });
  terminal = project.terminal(["up"]);
  await terminal.shows(/^keelson │ reading one\n(?:.*\n)*a {7}│ done\n/m);
  project.write("Tiltfile", "print('reading two')\nk8s_yaml('none.yaml')\n");
  await terminal.shows(/^keelson │ reading two\nkeelson │ error\[tiltfile.file\]/m);
  expect((await project.run("logs")).stdout).toMatch(/^keelson │ reading one\n/);

  project.write("Tiltfile", "fail('not yet')\n");
  await terminal.shows(/^keelson │ error.*not yet/m);
});

it("opens the page with a key, and says so, or that there is no browser", async () => {
  project = new DevProject({ Tiltfile: "local_resource('a', cmd='true')" });
  project.write("bin/xdg-open", `#!/bin/sh\necho "$1" > '${project.path("opened")}'\n`);
  chmodSync(project.path("bin/xdg-open"), 0o755);
  const path = [project.path("bin"), process.env["PATH"] ?? ""].join(delimiter);
  terminal = project.terminal(["up", "--dashboard-port", "0"], { PATH: path });
  await terminal.shows(/updated/);
  const link = /http:\/\/127\.0\.0\.1:\d+\/\?token=\S+/.exec(terminal.screen)?.[0];
  terminal.press("o");
  await terminal.shows(/the page was opened/);
  expect(existsSync(project.path("opened"))).toBe(true);
  expect(readFileSync(project.path("opened"), "utf8").trim()).toBe(link);
  project.write("bin/xdg-open", "#!/bin/sh\nexit 3\n");
  terminal.press("o");
  await terminal.shows(/no browser: open the link above/);
  // What is typed into the filter is text, not a key.
  terminal.press("/o");
  await terminal.shows(/filter: o/);
  terminal.press("\u001Bq");
  expect(await terminal.exit()).toBe(0);
});

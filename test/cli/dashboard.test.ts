import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { runKeelson } from "./run-keelson.ts";
import { startKeelson } from "./start-keelson.ts";

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keelson-dashboard-"));
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** Serves the sandbox's dashboard while something is done. */
async function serving(run: (link: string) => Promise<void>): Promise<void> {
  const keelson = startKeelson(["dashboard", "--sandbox", "--port", "0", "--output", "json"], {
    XDG_STATE_HOME: folder,
  });
  const line = await keelson.nextLine();
  expect(keelson.errors()).toBe("");
  await run((JSON.parse(line ?? "{}") as { readonly link: string }).link);
  keelson.child.kill("SIGTERM");
  expect(await keelson.exited).toBe(0);
}

test("serves a page to whoever has the link, which stays the same", async () => {
  const tokens: (string | null)[] = [];
  for (let time = 0; time < 2; time++)
    await serving(async (link) => {
      tokens.push(new URL(link).searchParams.get("token"));
      const { origin } = new URL(link);
      expect((await fetch(origin)).status).toBe(401);
      const entered = await fetch(link, { redirect: "manual" });
      const cookie = entered.headers.get("set-cookie")?.split(";")[0] ?? "";
      const page = await fetch(origin, { headers: { cookie } });
      expect(await page.text()).toContain("<title>Keelson</title>");
    });
  expect(tokens[0]).toMatch(/^[\w-]{43}$/);
  expect(tokens[1]).toBe(tokens[0]);
  const { mode } = await stat(join(folder, "keelson", "dashboard-token"));
  expect(mode & 0o777).toBe(0o600);
});

test("says so when the token cannot be kept", async () => {
  const file = join(folder, "a-file");
  await writeFile(file, "");
  const ran = await runKeelson(["dashboard", "--sandbox"], { env: { XDG_STATE_HOME: file } });
  expect(ran.code).toBe(1);
  expect(ran.stderr).toContain("error[dashboard.token-unwritable]");
});

import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { password, type ShopWorld, shopWorld } from "../../test/browser/shop-world.ts";
import type { ComponentDetail, DashboardView, GraphLayout, PodLogLine } from "./dashboard-view.ts";
import { type DashboardServer, serveDashboard } from "./index.ts";

let folder: string;
let page: URL;
let world: ShopWorld;
let server: DashboardServer;
let cookie: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keelson-page-"));
  page = pathToFileURL(`${folder}/`);
  await mkdir(join(folder, "assets"));
  await writeFile(join(folder, "index.html"), "<!doctype html>the page");
  await writeFile(join(folder, "assets", "index-1.js"), "// the script");
  world = await shopWorld(page);
  await world.apply(["web"]);
  server = await world.serve();
  const { headers } = await ask(new URL(server.link).search.replace(/^/, "/"));
  cookie = String(headers["set-cookie"]).split(";")[0] ?? "";
  await ask("/api/events", { cookie }, { until: (text) => text.includes('"isComplete":true') });
});

afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

interface Answer {
  readonly status: number;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: string;
}

/** Asks with exactly these headers, as no browser would let a page do; `until` ends an endless answer. */
function ask(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  { method = "GET", until }: { method?: string; until?: (body: string) => boolean } = {},
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const asked = request(
    { host: "127.0.0.1", port: server.port, path, method, headers },
    (response) => {
      let body = "";
      const done = (): void => {
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body });
      };
      response.on("data", (chunk) => {
        body += String(chunk);
        if (until?.(body) !== true) return;
        done();
        asked.destroy();
      });
      response.on("end", done);
      response.on("error", reject);
    },
  );
  asked.on("error", reject);
  asked.end();
  return promise;
}

it("exchanges the token of the link for a cookie", async () => {
  const { status, headers } = await ask(`/?${new URL(server.link).searchParams.toString()}`);
  expect(status).toBe(303);
  expect(headers["location"]).toBe("/");
  expect(String(headers["set-cookie"])).toMatch(
    /^keelson-dashboard-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/,
  );
  const token = new URL(server.link).searchParams.get("token") ?? "";
  expect(String(headers["set-cookie"])).not.toContain(token);
  expect((await ask("/", { cookie })).body).toContain("the page");
  expect((await ask("/assets/index-1.js", { cookie })).body).toBe("// the script");
});

const own = (): string => `127.0.0.1:${server.port}`;

it.each<[string, () => Promise<Answer>, number]>([
  ["no cookie", () => ask("/"), 401],
  ["no cookie, data", () => ask("/api/events"), 401],
  ["a wrong token", () => ask("/?token=guess"), 401],
  ["a wrong cookie", () => ask("/", { cookie: `${cookie.split("=")[0] ?? ""}=guess` }), 401],
  ["another name for this machine", () => ask("/", { cookie, host: "evil.example" }), 421],
  [
    "another name with our port",
    () => ask("/", { cookie, host: `evil.example:${server.port}` }),
    421,
  ],
  [
    "another name with the token",
    () => ask(new URL(server.link).search.replace(/^/, "/"), { host: "evil.example" }),
    421,
  ],
  [
    "another origin",
    () => ask("/api/graph", { cookie, host: own(), origin: "http://evil.example" }),
    403,
  ],
  [
    "a page of another port",
    () => ask("/api/graph", { cookie, origin: "http://127.0.0.1:1" }),
    403,
  ],
  [
    "a request of another site",
    () =>
      ask("/api/graph", { cookie, "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors" }),
    403,
  ],
  [
    "a link of another site to data",
    () => ask("/api/plan", { cookie, "sec-fetch-site": "same-site", "sec-fetch-mode": "navigate" }),
    403,
  ],
  [
    "a link of another site to the page",
    () => ask("/", { cookie, "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }),
    200,
  ],
  ["a plan without a source", () => ask("/api/plan", { cookie }), 404],
  ["a write", () => ask("/api/graph", { cookie }, { method: "POST" }), 405],
  ["a deletion", () => ask("/api/component", { cookie }, { method: "DELETE" }), 405],
  ["two slashes", () => ask("//", { cookie }), 404],
  ["two slashes and a name", () => ask("//127.0.0.1/", { cookie }), 404],
  ["three slashes", () => ask("///api/events", { cookie }), 404],
  ["a host that cannot be", () => ask("//[", { cookie }), 404],
  ["another address", () => ask("http://127.0.0.1/", { cookie }), 404],
  ["a star", () => ask("*", { cookie }), 404],
  ["a file outside", () => ask("/../../etc/passwd", { cookie }), 404],
  ["a file outside, encoded", () => ask("/assets/%2e%2e%2findex.html", { cookie }), 404],
  ["our own origin", () => ask("/api/graph", { cookie, origin: `http://${own()}` }), 200],
  ["our other name", () => ask("/", { cookie, host: `localhost:${server.port}` }), 200],
])("%s", async (_what, run, status) => {
  const answer = await run();
  expect(answer.status).toBe(status);
  const policy = String(answer.headers["content-security-policy"]);
  expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
  expect(policy).not.toMatch(/unsafe|\*|http/);
  expect(answer.headers["x-content-type-options"]).toBe("nosniff");
  expect(answer.headers["cache-control"]).toBe("no-store");
});

/** The data of the events of this name that an endless answer has told. */
function told(body: string, event: string): readonly unknown[] {
  return [...body.matchAll(/^event: (.*)\ndata: (.*)\n\n/gm)]
    .filter(([, name]) => name === event)
    .map(([, , data = ""]) => JSON.parse(data));
}

const key = `/api/component?key=${encodeURIComponent("shop/shop-shop/web")}`;

it("tells what is there, what belongs together and how it is", async () => {
  const { body } = await ask(
    "/api/events",
    { cookie },
    { until: (text) => text.includes('"isComplete":true') && text.endsWith("\n\n") },
  );
  expect(told(body, "snapshot")).toHaveLength(1);
  const again = await ask("/api/events", { cookie }, { until: (text) => text.endsWith("}\n\n") });
  const view = told(again.body, "snapshot")[0] as DashboardView;
  expect(view.inventories).toMatchObject([{ namespace: "shop", name: "shop", objects: 4 }]);
  expect(
    view.components.map(({ name, status, endpoints, objects }) => ({
      name,
      status,
      endpoints,
      objects: objects.map(({ kind }) => kind).sort(),
    })),
  ).toEqual([
    { name: "uncategorized", status: "Current", endpoints: [], objects: ["Namespace"] },
    {
      name: "web",
      status: "Current",
      endpoints: ["web:80"],
      objects: ["Deployment", "Secret", "Service"],
    },
  ]);
});

it("never sends the value of a Secret", async () => {
  const detail = JSON.parse((await ask(key, { cookie })).body) as ComponentDetail;
  const secret = detail.objects.find(({ yaml }) => yaml.includes("kind: Secret"));
  expect(secret?.yaml).toContain('password: "***"');
  const encoded = Buffer.from(password).toString("base64");
  const bodies = [
    JSON.stringify(detail),
    (await ask("/api/graph", { cookie })).body,
    (await ask("/api/events", { cookie }, { until: (text) => text.endsWith("}\n\n") })).body,
  ].join("");
  expect(bodies).not.toContain(password);
  expect(bodies).not.toContain(encoded);
});

it("lays out the graph", async () => {
  const graph = JSON.parse((await ask("/api/graph", { cookie })).body) as GraphLayout;
  expect(graph.nodes).toHaveLength(4);
  expect(graph.edges.map(({ reason }) => reason)).toContain("it is in the namespace shop");
  for (const { path } of graph.edges) expect(path).toMatch(/^M[\d.]+,[\d.]+C/);
  for (const { x, y, width, height } of graph.nodes) {
    expect(x >= 0 && x + width <= graph.width + 1).toBe(true);
    expect(y >= 0 && y + height <= graph.height + 1).toBe(true);
  }
});

it("streams the logs of a component", async () => {
  const { body } = await ask(
    key.replace("component", "logs"),
    { cookie },
    {
      until: (text) => text.includes("line 5000 of the log"),
    },
  );
  const lines = (told(body, "lines") as readonly (readonly PodLogLine[])[]).flat();
  expect(lines.at(-1)).toMatchObject({ container: "app", text: "line 5000 of the log" });
});

it("tells of changes as they happen", async () => {
  const removed = ask("/api/events", { cookie }, { until: (text) => /"removed":\["/.test(text) });
  await world.apply(["web", "other"]);
  await world.apply(["web"]);
  const changes = told((await removed).body, "change") as readonly { removed: string[] }[];
  expect(changes.at(-1)?.removed).toEqual(["shop/shop-shop/other"]);
});

it("says what is wrong when it cannot be served", async () => {
  const { cluster } = world;
  const given = { cluster, description: "", page };
  await expect(serveDashboard({ ...given, port: server.port })).rejects.toMatchObject({
    diagnostics: [{ code: "dashboard.port-taken" }],
  });
  const nowhere = pathToFileURL(`${folder}/nowhere/`);
  await expect(serveDashboard({ ...given, port: 0, page: nowhere })).rejects.toMatchObject({
    diagnostics: [{ code: "dashboard.page-missing" }],
  });
});

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Answer, Asking } from "./dashboard-client.ts";
import { cart, cartReference, type DashboardShop, openDashboardShop } from "./dashboard-shop.ts";

// What is refused changes nothing: one shop serves all tests.
let shop: DashboardShop;

beforeAll(async () => {
  shop = await openDashboardShop();
});

afterAll(() => shop.close());

const restart = { kind: "restart", component: cart } as const;

describe("an action is refused when it comes", () => {
  const act = (headers: Asking["headers"]) => (): Promise<Answer> =>
    shop.client.act(restart, headers);

  it.each<[string, () => Promise<Answer>, number]>([
    ["without an origin", act({ origin: undefined }), 403],
    ["from another origin", act({ origin: "http://evil.example" }), 403],
    ["from a page of another port", act({ origin: "http://127.0.0.1:1" }), 403],
    ["from a page without an origin", act({ origin: "null" }), 403],
    ["from another site", act({ "sec-fetch-site": "cross-site" }), 403],
    ["from a neighbour", act({ "sec-fetch-site": "same-site" }), 403],
    ["from outside of a page", act({ "sec-fetch-site": "none" }), 403],
    [
      "from another site by a form",
      act({ "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate" }),
      403,
    ],
    ["as text", act({ "content-type": "text/plain" }), 403],
    ["as a form", act({ "content-type": "application/x-www-form-urlencoded" }), 403],
    ["without our header", act({ "x-keelson-action": undefined }), 403],
    ["without the cookie", act({ cookie: undefined }), 401],
    ["with another cookie", act({ cookie: "keelson-dashboard-1=guess" }), 401],
    ["under another name of this machine", act({ host: "evil.example" }), 421],
    ["with another method", () => shop.client.ask("/api/actions", { method: "PUT" }), 405],
    ["to another place", () => shop.client.ask("/api/plan", { method: "POST" }), 405],
    ["as a question", () => shop.client.ask("/api/actions"), 404],
  ])("%s", async (_what, run, status) => {
    expect((await run()).status).toBe(status);
    const { spec } = await shop.cluster.get(cartReference);
    expect(JSON.stringify(spec)).not.toContain("restartedAt");
  });

  it("with the token in the place of the cookie", async () => {
    const { search } = new URL(shop.link);
    const { status } = await shop.client.ask(`/api/actions${search}`, {
      method: "POST",
      headers: {
        cookie: undefined,
        origin: new URL(shop.link).origin,
        "content-type": "application/json",
        "x-keelson-action": "1",
      },
      body: JSON.stringify(restart),
    });
    expect(status).toBe(401);
  });

  it.each<[string, string, number, string]>([
    ["no JSON", "restart", 400, "dashboard.bad-request"],
    ["no object", "[]", 400, "dashboard.bad-request"],
    ["no known kind", '{"kind":"explode","component":"a"}', 400, "dashboard.bad-request"],
    ["too long", `{"kind":"${"x".repeat(70_000)}"}`, 400, "dashboard.bad-request"],
    ["without a target", '{"kind":"restart"}', 400, "dashboard.bad-request"],
    ["without a word", JSON.stringify({ kind: "delete", component: cart }), 400, "bad-request"],
    [
      "with the wrong word",
      JSON.stringify({ kind: "delete", component: cart, confirmation: "web" }),
      400,
      "dashboard.unconfirmed",
    ],
    [
      "for an inventory with the wrong word",
      JSON.stringify({ kind: "destroy", inventory: "shop/shop-shop", confirmation: "yes" }),
      400,
      "dashboard.unconfirmed",
    ],
    ["for nothing", '{"kind":"restart","component":"nobody"}', 404, "dashboard.not-offered"],
    [
      "for what cannot be triggered",
      JSON.stringify({ kind: "trigger", component: cart }),
      404,
      "dashboard.not-offered",
    ],
    [
      "for no inventory",
      '{"kind":"destroy","inventory":"nobody","confirmation":"nobody"}',
      404,
      "dashboard.not-offered",
    ],
  ])("as %s", async (_what, body, status, code) => {
    const answer = await shop.client.act(body);
    expect(answer.status).toBe(status);
    expect(answer.body).toContain(code);
  });

  it("to a server that is only for reading, whatever it is", async () => {
    for (const order of [
      restart,
      { kind: "apply", plan: "any" } as const,
      { kind: "destroy", inventory: "shop/shop-shop", confirmation: "shop" } as const,
    ]) {
      const { status, body } = await shop.reader.act(order);
      expect(status).toBe(403);
      expect(body).toContain("dashboard.read-only");
    }
    const { control, components } = await shop.reader.view(({ isComplete }) => isComplete);
    expect(control).toMatchObject({ isReadOnly: true, canApply: false, destroyable: [] });
    expect(components.flatMap(({ offers }) => offers)).toEqual([]);
  });
});

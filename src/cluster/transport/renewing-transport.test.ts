import { expect, it } from "vitest";
import type { Credentials } from "../credentials/credentials.ts";
import type { HttpTransport } from "./http-transport.ts";
import { RenewingTransport } from "./renewing-transport.ts";
import type { TransportAnswer } from "./transport.ts";

const get = { method: "GET", path: "/api" } as const;

it("looks for newer credentials again, when the last look was before the request", async () => {
  const looks: PromiseWithResolvers<boolean>[] = [];
  let isValid = false;
  const inner = {
    request: (): Promise<TransportAnswer> =>
      Promise.resolve({ status: isValid ? 200 : 401, headers: {}, text: "" }),
    renewConnections: () => Promise.resolve(),
  };
  const credentials = {
    certificate: () => Promise.resolve(undefined),
    renew: () => {
      const look = Promise.withResolvers<boolean>();
      looks.push(look);
      return look.promise;
    },
  };
  const transport = new RenewingTransport(
    inner as unknown as HttpTransport,
    credentials as unknown as Credentials,
  );
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const early = [transport.request(get), transport.request(get)];
  await settle();
  // Both heard 401, and share one look.
  expect(looks).toHaveLength(1);
  const late = transport.request(get);
  await settle();
  looks[0]?.resolve(false);
  expect((await Promise.all(early)).map(({ status }) => status)).toEqual([401, 401]);
  await settle();
  expect(looks).toHaveLength(2);
  isValid = true;
  looks[1]?.resolve(true);
  expect((await late).status).toBe(200);
});

it("sends a request again that went out with credentials which were renewed while it was under way", async () => {
  let sentWith = "old";
  let current = "old";
  const answers: (() => void)[] = [];
  const inner = {
    request: (): Promise<TransportAnswer> => {
      const credentials = sentWith;
      const status = credentials === "new" ? 200 : 401;
      return new Promise((resolve) =>
        answers.push(() => resolve({ status, headers: {}, text: "" })),
      );
    },
    renewConnections: () => Promise.resolve(),
  };
  const credentials = {
    certificate: () => Promise.resolve(undefined),
    renew: () => {
      const isNewer = current !== sentWith;
      sentWith = current;
      return Promise.resolve(isNewer);
    },
  };
  const transport = new RenewingTransport(
    inner as unknown as HttpTransport,
    credentials as unknown as Credentials,
  );
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const first = transport.request(get);
  const second = transport.request(get);
  current = "new";
  answers[0]?.();
  await settle();
  // The renewal for the first request is over when the second hears 401.
  answers[1]?.();
  await settle();
  for (const answer of answers.slice(2)) answer();
  expect((await first).status).toBe(200);
  expect((await second).status).toBe(200);
});

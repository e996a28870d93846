import { describe, expect, it } from "vitest";
import { ApiError, type Cluster, type Credentials, isNotFound } from "../cluster/index.ts";
import { AccountError } from "./account-error.ts";
import { AccountClusters, tokenCredentials } from "./account-clusters.ts";

const account = { namespace: "apps", name: "builder" };

/** Gives tokens with numbers, and counts who asked. */
function issuer(fails: () => boolean = () => false) {
  const asked: string[] = [];
  return {
    asked,
    serviceAccountToken: ({ namespace, name }: typeof account) => {
      asked.push(`${namespace}/${name}`);
      return fails()
        ? Promise.reject(new Error("no token"))
        : Promise.resolve({ token: `token-${asked.length}`, expiresAt: 0 });
    },
  };
}

describe("tokens of service accounts", () => {
  it("are used until four fifths of their time have gone", async () => {
    let now = 0;
    const cluster = issuer();
    const credentials = tokenCredentials(cluster, account, () => now);
    expect(await Promise.all([credentials.authorization(), credentials.authorization()])).toEqual([
      "Bearer token-1",
      "Bearer token-1",
    ]);
    now = 2_879_000;
    expect(await credentials.authorization()).toBe("Bearer token-1");
    now = 2_880_000;
    expect(await credentials.authorization()).toBe("Bearer token-2");
  });

  it("are renewed when the server no longer takes them", async () => {
    const credentials = tokenCredentials(issuer(), account, () => 0);
    await credentials.authorization();
    expect(await credentials.renew()).toBe(true);
    expect(await credentials.authorization()).toBe("Bearer token-2");
  });

  it("that could not be had are asked for again", async () => {
    let isBroken = true;
    const credentials = tokenCredentials(
      issuer(() => isBroken),
      account,
      () => 0,
    );
    await expect(credentials.authorization()).rejects.toThrow("no token");
    isBroken = false;
    expect(await credentials.authorization()).toBe("Bearer token-2");
  });
});

it.each([
  [404, "NotFound", "service account builder does not exist"],
  [403, "Forbidden", /^service account builder gets no token: /],
])("that there is none (%i) is no answer about an object", async (code, reason, said) => {
  const purpose = { verb: "create", resource: "serviceaccounts/token", ...account };
  const status = { code, reason, message: "forbidden" };
  const serviceAccountToken = () => Promise.reject(new ApiError(purpose, status));
  const asked = tokenCredentials({ serviceAccountToken }, account).authorization();
  const error = await asked.catch((each: unknown) => each);
  expect(error).toBeInstanceOf(AccountError);
  expect(isNotFound(error)).toBe(false);
  const [first] = (error as AccountError).diagnostics;
  expect(first?.code).toBe("controller.no-account");
  expect(first?.summary).toMatch(said);
});

describe("clients of service accounts", () => {
  function world() {
    const closed: string[] = [];
    let made = 0;
    const cluster = {
      ...issuer(),
      as: (_credentials: Credentials) => {
        const name = `client-${made++}`;
        return {
          namespace: name,
          close: () => {
            closed.push(name);
            return Promise.resolve();
          },
        } as unknown as Cluster;
      },
    };
    return { clients: new AccountClusters(cluster), closed };
  }
  const use = (clients: AccountClusters, name: string): Promise<string> =>
    clients.as({ namespace: "apps", name }, ({ namespace }) => Promise.resolve(namespace));

  it("are kept, one for each account, and the longest unused one goes when there are too many", async () => {
    const { clients, closed } = world();
    expect(await use(clients, "a0")).toBe("client-0");
    for (let index = 1; index < 64; index++) await use(clients, `a${index}`);
    expect(await use(clients, "a0")).toBe("client-0");
    expect(closed).toEqual([]);
    await use(clients, "a64");
    expect(closed).toEqual(["client-1"]);
    await clients.close();
    expect(closed).toHaveLength(65);
  });

  it("nobody is stamped for with the rights of the controller instead", async () => {
    const clients = new AccountClusters({ ...issuer(), as: undefined });
    await expect(use(clients, "a")).rejects.toThrow("nobody but itself");
  });
});

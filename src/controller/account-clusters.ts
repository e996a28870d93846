import type { ServiceAccount } from "../blueprints/index.ts";
import type { Cluster, Credentials, IssuedToken } from "../cluster/index.ts";
import { AccountError } from "./account-error.ts";

interface Client {
  readonly cluster: Cluster;
  users: number;
}

/** More accounts than this are not kept at once: each has connections of its own. */
const mostClients = 64;
/** Tokens of more accounts than this are not kept: they cost little, and each one a request. */
const mostTokens = 10_000;
const tokenSeconds = 3600;
/** A token is replaced when this part of its time has gone. */
const renewAfterMs = tokenSeconds * 1000 * 0.8;

/** A client for every service account that objects are written as; each proves who it is by a token. */
export class AccountClusters {
  readonly #cluster: Pick<Cluster, "serviceAccountToken" | "as">;
  /** The one that was used last is at the end. */
  readonly #clients = new Map<string, Client>();
  /** They outlive connections: an account that is back after others needs no new token. */
  readonly #credentials = new Map<string, Credentials>();

  constructor(cluster: Pick<Cluster, "serviceAccountToken" | "as">) {
    this.#cluster = cluster;
  }

  /** Does something as a service account. */
  async as<T>(account: ServiceAccount, work: (cluster: Cluster) => Promise<T>): Promise<T> {
    const client = this.#client(account);
    client.users++;
    try {
      return await work(client.cluster);
    } finally {
      client.users--;
      this.#shrink();
    }
  }

  async close(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    await Promise.all(clients.map(({ cluster }) => cluster.close()));
  }

  #client(account: ServiceAccount): Client {
    const key = `${account.namespace}/${account.name}`;
    const client = this.#clients.get(key) ?? {
      cluster: this.#connect(key, account),
      users: 0,
    };
    this.#clients.delete(key);
    this.#clients.set(key, client);
    return client;
  }

  #connect(key: string, account: ServiceAccount): Cluster {
    const { as } = this.#cluster;
    // Objects are never written with the rights of the controller instead.
    if (as === undefined) throw new Error("this connection can be nobody but itself");
    const credentials = this.#credentials.get(key) ?? tokenCredentials(this.#cluster, account);
    this.#credentials.delete(key);
    this.#credentials.set(key, credentials);
    for (const oldest of this.#credentials.keys()) {
      if (this.#credentials.size <= mostTokens) break;
      this.#credentials.delete(oldest);
    }
    return as(credentials);
  }

  #shrink(): void {
    for (const [key, { cluster, users }] of this.#clients) {
      if (this.#clients.size <= mostClients) return;
      if (users > 0) continue;
      this.#clients.delete(key);
      void cluster.close();
    }
  }
}

/** Tokens by TokenRequest, one at a time, each used until it is old or no longer accepted. */
export function tokenCredentials(
  cluster: Pick<Cluster, "serviceAccountToken">,
  account: ServiceAccount,
  now: () => number = Date.now,
): Credentials {
  let issued: { readonly token: Promise<IssuedToken>; readonly at: number } | undefined;
  const renewed = (): Promise<IssuedToken> => {
    const token = cluster
      .serviceAccountToken(account, { expirationSeconds: tokenSeconds })
      .catch((error: unknown) => {
        // What the server says of the account must not be taken for an answer about an object.
        throw AccountError.of(error, account) ?? error;
      });
    const current = { token, at: now() };
    issued = current;
    // What failed is asked for again by the next request.
    token.catch(() => {
      if (issued === current) issued = undefined;
    });
    return token;
  };
  return {
    authorization: async () => {
      const isFresh = issued !== undefined && now() - issued.at < renewAfterMs;
      const { token } = await (isFresh && issued !== undefined ? issued.token : renewed());
      return `Bearer ${token}`;
    },
    certificate: () => Promise.resolve(undefined),
    renew: async () => {
      await renewed();
      return true;
    },
  };
}

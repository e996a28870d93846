import type { ServiceAccount } from "../blueprints/index.ts";
import type { Cluster, ObjectReference } from "../cluster/index.ts";
import { fieldAt } from "../json/index.ts";
import type { AccountClusters } from "./account-clusters.ts";

/** For so long a right that an account had counts, so that many owners of one account ask once. */
const rememberedMs = 10_000;
/** More answers than this are not kept. */
const mostAnswers = 10_000;

/**
 * What service accounts may read, as the server says it of itself. A controller sees more than its
 * owners: what it hands on to one must be what that one's account could have read.
 */
export class AccountRights {
  readonly #accounts: AccountClusters;
  readonly #now: () => number;
  /** When it was last heard that something is allowed; what is forbidden is asked each time. */
  readonly #allowed = new Map<string, number>();
  /** What is being asked now, so that many owners of one account share the answer. */
  readonly #asking = new Map<string, Promise<boolean>>();

  constructor(accounts: AccountClusters, now: () => number = Date.now) {
    this.#accounts = accounts;
    this.#now = now;
  }

  /** Whether an account may get an object: as one of its kind, or as the one of this name. */
  async mayGet(account: ServiceAccount, object: ObjectReference): Promise<boolean> {
    const { apiVersion, kind, namespace = "", name } = object;
    const key = `${account.namespace}/${account.name} ${apiVersion} ${kind} ${namespace}`;
    if (this.#isRemembered(`${key}/${name}`)) return true;
    return (
      (await this.#ask(account, key, { apiVersion, kind, namespace })) ||
      this.#ask(account, `${key}/${name}`, object)
    );
  }

  #ask(account: ServiceAccount, key: string, what: Readable): Promise<boolean> {
    if (this.#isRemembered(key)) return Promise.resolve(true);
    const under = this.#asking.get(key);
    if (under !== undefined) return under;
    const asking = this.#accounts
      .as(account, (cluster) => isAllowed(cluster, what))
      .then((isYes) => {
        if (isYes) this.#remember(key);
        return isYes;
      })
      .finally(() => this.#asking.delete(key));
    this.#asking.set(key, asking);
    return asking;
  }

  #isRemembered(key: string): boolean {
    const at = this.#allowed.get(key);
    return at !== undefined && this.#now() - at < rememberedMs;
  }

  #remember(key: string): void {
    this.#allowed.delete(key);
    this.#allowed.set(key, this.#now());
    for (const oldest of this.#allowed.keys()) {
      if (this.#allowed.size <= mostAnswers) return;
      this.#allowed.delete(oldest);
    }
  }
}

/** All objects of a kind in a namespace, or one of them. */
type Readable = Omit<ObjectReference, "name"> & { readonly name?: string };

async function isAllowed(cluster: Cluster, object: Readable): Promise<boolean> {
  const { group, version, plural } = await cluster.resource(object);
  const { namespace = "", name } = object;
  const answer = await cluster.create({
    apiVersion: "authorization.k8s.io/v1",
    kind: "SelfSubjectAccessReview",
    metadata: {},
    spec: {
      resourceAttributes: {
        verb: "get",
        group,
        version,
        resource: plural,
        namespace,
        ...(name === undefined ? {} : { name }),
      },
    },
  });
  return fieldAt(answer, "status", "allowed") === true;
}

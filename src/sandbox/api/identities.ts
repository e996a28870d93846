import { createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import type { Store } from "../store/store.ts";
import type { User } from "./request.ts";

export interface IdentitiesOptions {
  /** The token of the administrator; service accounts' tokens are signed with what follows from it. */
  readonly adminToken: string;
  readonly store: Store;
  readonly now: () => number;
}

/** What the token of a service account says. */
export interface TokenClaims {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly audiences: readonly string[];
  /** Milliseconds since 1970. */
  readonly expires: number;
  /** The object with which the token ends. */
  readonly bound?: { readonly kind: string; readonly name: string; readonly uid: string };
}

export interface Authenticated {
  readonly user: User;
  readonly audiences: readonly string[];
}

interface SignedClaims extends TokenClaims {
  readonly id: string;
}

const issuer = "https://kubernetes.default.svc";
/** Who holds the sandbox's own token, and whoever runs in its process. */
export const administrator: User = {
  name: "admin",
  groups: ["system:masters", "system:authenticated"],
};
const boundTables: Readonly<Record<string, string>> = {
  Pod: "/pods",
  Secret: "/secrets",
  Node: "/nodes",
};

/**
 * Who a token belongs to. Tokens of service accounts are signed and say everything themselves, so
 * none is stored, and they outlive a restart as long as their account does.
 */
export class Identities {
  readonly #options: IdentitiesOptions;
  readonly #key: Buffer;

  constructor(options: IdentitiesOptions) {
    this.#options = options;
    this.#key = createHmac("sha256", options.adminToken).update("service accounts").digest();
  }

  issue(claims: TokenClaims): string {
    const { namespace, name, uid, audiences, expires, bound } = claims;
    const now = Math.floor(this.#options.now() / 1000);
    const payload = {
      aud: audiences,
      exp: Math.floor(expires / 1000),
      iat: now,
      nbf: now,
      iss: issuer,
      jti: randomUUID(),
      "kubernetes.io": {
        namespace,
        ...(bound === undefined
          ? {}
          : { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } }),
        serviceaccount: { name, uid },
      },
      sub: userName(namespace, name),
    };
    const text = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(payload)}`;
    return `${text}.${this.#sign(text)}`;
  }

  /** The user that a token makes of its bearer; undefined for a token that is not, or no longer, good. */
  authenticate(token: string): Authenticated | undefined {
    if (sameText(token, this.#options.adminToken)) {
      return { user: administrator, audiences: [issuer] };
    }
    const claims = this.#verify(token);
    if (claims === undefined) return undefined;
    const { namespace, name, uid, bound } = claims;
    return {
      audiences: claims.audiences,
      user: {
        name: userName(namespace, name),
        uid,
        groups: [
          "system:serviceaccounts",
          `system:serviceaccounts:${namespace}`,
          "system:authenticated",
        ],
        extra: {
          "authentication.kubernetes.io/credential-id": [`JTI=${claims.id}`],
          ...(bound?.kind === "Pod"
            ? {
                "authentication.kubernetes.io/pod-name": [bound.name],
                "authentication.kubernetes.io/pod-uid": [bound.uid],
              }
            : {}),
        },
      },
    };
  }

  #verify(token: string): SignedClaims | undefined {
    const match = /^([\w-]+\.[\w-]+)\.([\w-]+)$/.exec(token);
    const [, text = "", signature = ""] = match ?? [];
    if (match === null || !sameText(signature, this.#sign(text))) return undefined;
    const claims = readClaims(text.split(".")[1] ?? "");
    if (claims.expires <= this.#options.now()) return undefined;
    const { store } = this.#options;
    const account = store.get("/serviceaccounts", claims.namespace, claims.name)?.object;
    if (account?.metadata.uid !== claims.uid) return undefined;
    return this.#isBoundAlive(claims) ? claims : undefined;
  }

  #isBoundAlive({ bound, namespace }: SignedClaims): boolean {
    if (bound === undefined) return true;
    const table = boundTables[bound.kind] ?? "";
    const object = this.#options.store.get(
      table,
      bound.kind === "Node" ? "" : namespace,
      bound.name,
    );
    return object !== undefined && (bound.uid === "" || object.object.metadata.uid === bound.uid);
  }

  #sign(text: string): string {
    return createHmac("sha256", this.#key).update(text).digest("base64url");
  }
}

function userName(namespace: string, name: string): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

/** The signature was checked, so the claims are our own. */
function readClaims(payload: string): SignedClaims {
  const {
    aud,
    exp,
    jti,
    "kubernetes.io": subject,
  } = JSON.parse(Buffer.from(payload, "base64url").toString()) as {
    readonly aud: readonly string[];
    readonly exp: number;
    readonly jti: string;
    readonly "kubernetes.io": {
      readonly namespace: string;
      readonly serviceaccount: { readonly name: string; readonly uid: string };
    };
  };
  const kind = Object.keys(boundTables).find((each) => each.toLowerCase() in subject);
  const bound =
    kind === undefined
      ? undefined
      : (subject as unknown as Record<string, { name: string; uid: string }>)[kind.toLowerCase()];
  return {
    namespace: subject.namespace,
    ...subject.serviceaccount,
    audiences: aud,
    expires: exp * 1000,
    id: jti,
    ...(kind === undefined || bound === undefined ? {} : { bound: { kind, ...bound } }),
  };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function sameText(left: string, right: string): boolean {
  const a = Buffer.from(left);
  const b = Buffer.from(right);
  return a.length === b.length && timingSafeEqual(a, b);
}

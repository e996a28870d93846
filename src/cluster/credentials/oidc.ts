import { fail } from "../../diagnostics/index.ts";
import { readNamedFile } from "../kubeconfig/connection-settings.ts";
import type { UserEntry } from "../kubeconfig/kubeconfig.ts";
import type { Timing } from "../timing.ts";
import { errorCode } from "../transport/connection-error.ts";
import type { Credentials } from "./credentials.ts";
import { fetchTrusting } from "./fetch-trusting.ts";
import { storeTokens } from "./store-tokens.ts";

type OidcConfig = Readonly<Record<string, string>>;

const renewBeforeMs = 10_000;

/** The ID token of an identity provider, renewed by its refresh token and stored for the next run. */
export function oidcCredentials(user: UserEntry, config: OidcConfig, timing: Timing): Credentials {
  let idToken = config["id-token"];
  let refreshToken = config["refresh-token"];
  let refreshing: Promise<void> | undefined;

  const refreshOnce = async (): Promise<void> => {
    const tokens = await refreshTokens(user, config, refreshToken);
    idToken = tokens.idToken;
    refreshToken = tokens.refreshToken ?? refreshToken;
    await storeTokens(user, { "id-token": idToken, "refresh-token": refreshToken });
  };
  const refresh = (): Promise<void> => {
    refreshing ??= refreshOnce().finally(() => {
      refreshing = undefined;
    });
    return refreshing;
  };
  return {
    async authorization() {
      if (idToken === undefined || timing.now() >= expiresAtMs(idToken) - renewBeforeMs)
        await refresh();
      return `Bearer ${idToken ?? ""}`;
    },
    certificate: () => Promise.resolve(undefined),
    async renew() {
      if (refreshToken === undefined) return false;
      await refresh();
      return true;
    },
  };
}

interface Tokens {
  readonly idToken: string;
  readonly refreshToken?: string | undefined;
}

async function refreshTokens(
  user: UserEntry,
  config: OidcConfig,
  refreshToken: string | undefined,
): Promise<Tokens> {
  const issuer = config["idp-issuer-url"];
  const clientId = config["client-id"];
  if (
    issuer === undefined ||
    !URL.canParse(issuer) ||
    clientId === undefined ||
    refreshToken === undefined
  ) {
    return fail({
      code: "cluster.oidc",
      summary: `the user ${user.name} cannot log in: its ID token has expired, and idp-issuer-url, client-id or refresh-token are missing in ${user.file}`,
      hint: "log in again",
    });
  }
  const authority =
    config["idp-certificate-authority-data"] === undefined
      ? await readNamedFile(
          config["idp-certificate-authority"],
          "idp-certificate-authority",
          user.file,
        )
      : Buffer.from(config["idp-certificate-authority-data"], "base64").toString("utf8");
  const { allowInsecureRequests, customFetch, discovery, refreshTokenGrant } =
    await import("openid-client");
  try {
    const client = await discovery(new URL(issuer), clientId, config["client-secret"], undefined, {
      // The issuer of the kubeconfig decides on TLS, as for kubectl.
      execute: issuer.startsWith("http://") ? [allowInsecureRequests] : [],
      ...(authority === undefined ? {} : { [customFetch]: fetchTrusting(authority) }),
    });
    const answer = await refreshTokenGrant(client, refreshToken);
    if (answer.id_token === undefined) throw new Error("no ID token");
    return { idToken: answer.id_token, refreshToken: answer.refresh_token };
  } catch (error) {
    return fail({
      code: "cluster.oidc",
      summary: `the identity provider ${issuer} gave no new token for the user ${user.name} (${errorCode(error)})`,
      hint: "log in again",
      cause: error,
    });
  }
}

/** When a JWT says that it expires; one that cannot be read counts as expired. */
function expiresAtMs(token: string): number {
  try {
    const payload = Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8");
    const { exp } = JSON.parse(payload) as { readonly exp?: number };
    return (exp ?? 0) * 1000;
  } catch {
    return 0;
  }
}

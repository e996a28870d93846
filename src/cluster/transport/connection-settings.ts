import type { Credentials } from "../credentials/credentials.ts";

/** How to reach one API server, and as whom. */
export interface ConnectionSettings {
  /** The address, with a path when the API is served below one. */
  readonly server: string;
  /** Certificates of authorities, PEM; without it those of the system are trusted. */
  readonly certificateAuthority?: string | undefined;
  /** The name that the server's certificate must have, when it is not the host of the address. */
  readonly tlsServerName?: string | undefined;
  readonly skipTlsVerify: boolean;
  /** `http://`, `https://` or `socks5://`. */
  readonly proxyUrl?: string | undefined;
  readonly impersonate?: Impersonation | undefined;
  readonly credentials: Credentials;
}

/** Acting as somebody else, for users that may. */
export interface Impersonation {
  readonly user?: string | undefined;
  readonly uid?: string | undefined;
  readonly groups: readonly string[];
  readonly extra: Readonly<Record<string, readonly string[]>>;
}

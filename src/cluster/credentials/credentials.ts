/** A certificate that proves who the client is, PEM. */
export interface ClientCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Who the client is. Values may change while the program runs: tokens rotate. */
export interface Credentials {
  /** The Authorization header, when there is one. */
  authorization(): Promise<string | undefined>;
  certificate(): Promise<ClientCertificate | undefined>;
  /**
   * Called when the server answered 401: gets newer credentials, and says whether there are any, so
   * that the request is worth sending again.
   */
  renew(): Promise<boolean>;
}

/** Credentials that never change. */
export function fixedCredentials({
  authorization,
  certificate,
}: {
  readonly authorization?: string | undefined;
  readonly certificate?: ClientCertificate | undefined;
} = {}): Credentials {
  return {
    authorization: () => Promise.resolve(authorization),
    certificate: () => Promise.resolve(certificate),
    renew: () => Promise.resolve(false),
  };
}

/** The parts of kubeconfig files that Keelson reads, after merging. Paths are absolute. */
export interface Kubeconfig {
  readonly currentContext?: string | undefined;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
}

export interface ContextEntry {
  readonly file: string;
  readonly cluster?: string | undefined;
  readonly user?: string | undefined;
  readonly namespace?: string | undefined;
}

export interface ClusterEntry {
  readonly file: string;
  readonly server?: string | undefined;
  readonly certificateAuthorityFile?: string | undefined;
  readonly certificateAuthorityData?: string | undefined;
  readonly tlsServerName?: string | undefined;
  readonly skipTlsVerify: boolean;
  readonly proxyUrl?: string | undefined;
  /** Passed on to credential plugins. */
  readonly execExtension?: unknown;
}

export interface UserEntry {
  readonly file: string;
  readonly name: string;
  readonly clientCertificateFile?: string | undefined;
  readonly clientCertificateData?: string | undefined;
  readonly clientKeyFile?: string | undefined;
  readonly clientKeyData?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly exec?: ExecEntry | undefined;
  readonly authProvider?: AuthProviderEntry | undefined;
  readonly impersonateUser?: string | undefined;
  readonly impersonateUid?: string | undefined;
  readonly impersonateGroups: readonly string[];
  readonly impersonateExtra: Readonly<Record<string, readonly string[]>>;
}

export interface ExecEntry {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly installHint?: string | undefined;
  readonly provideClusterInfo: boolean;
  readonly interactiveMode: "Never" | "IfAvailable" | "Always";
}

export interface AuthProviderEntry {
  readonly name: string;
  readonly config: Readonly<Record<string, string>>;
}

import { mkdir, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { DiagnosticError, renderDiagnostics } from "../../diagnostics/index.ts";
import { selectCluster } from "./select-cluster.ts";
import type { SelectionInput } from "./select-cluster.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "keelson-kubeconfig-"));
});
afterEach(() => rm(home, { recursive: true }));

/** A kubeconfig of one context, cluster and user, all of the same name. */
function kubeconfig(name: string, cluster = "", user = "", current = name): string {
  return `apiVersion: v1
kind: Config
current-context: ${current === "" ? '""' : current}
contexts: [{name: ${name}, context: {cluster: ${name}, user: ${name}, namespace: of-${name}}}]
clusters: [{name: ${name}, cluster: {server: "https://${name}.example.com:6443"${cluster}}}]
users: [{name: ${name}, user: {${user}}}]
`;
}

async function put(name: string, text: string): Promise<string> {
  const file = join(home, name);
  await mkdir(join(file, ".."), { recursive: true });
  await writeFile(file, text);
  return file;
}

/** `context server namespace origin`, or the diagnostics, with the home folder as ~. */
async function select(input: Partial<SelectionInput> = {}): Promise<string> {
  try {
    const found = await selectCluster({ env: {}, home, ...input });
    if (found === undefined) return "none";
    return `${found.context} ${found.server} ${found.namespace} ${found.origin.kind}`;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return renderDiagnostics(error.diagnostics).replaceAll(home, "~");
  }
}

async function authorization(user: string): Promise<string | undefined> {
  const file = await put("user", kubeconfig("dev", "", user));
  const found = await selectCluster({ env: {}, home, kubeconfig: file });
  return found?.settings.credentials.authorization();
}

describe("which kubeconfig", () => {
  it("none is no error", async () => {
    expect(await select()).toBe("none");
  });

  it("--kubeconfig comes before KUBECONFIG, that before the home folder", async () => {
    const flag = await put("flag", kubeconfig("flag"));
    const env = { KUBECONFIG: await put("env", kubeconfig("env")) };
    await put(".kube/config", kubeconfig("home"));
    expect(await select({ kubeconfig: flag, env })).toBe(
      "flag https://flag.example.com:6443 of-flag flag",
    );
    expect(await select({ env })).toBe("env https://env.example.com:6443 of-env environment");
    expect(await select()).toBe("home https://home.example.com:6443 of-home home");
  });

  it("of several files the first to name something counts", async () => {
    const first = await put("first", kubeconfig("a", "", "", ""));
    const second = await put("second", kubeconfig("b"));
    const third = await put("third", kubeconfig("a").replace("a.example.com", "other.example.com"));
    const env = { KUBECONFIG: [first, second, "", third].join(delimiter) };
    expect(await select({ env })).toBe("b https://b.example.com:6443 of-b environment");
    expect(await select({ env, context: "a" })).toBe(
      "a https://a.example.com:6443 of-a environment",
    );
  });

  it("a file that is named must exist and be readable", async () => {
    expect(await select({ kubeconfig: join(home, "gone") })).toBe(
      `error[cluster.kubeconfig-missing]: the kubeconfig ~/gone does not exist
  hint: check --kubeconfig and KUBECONFIG`,
    );
    expect(await select({ env: { KUBECONFIG: join(home, "gone") } })).toContain(
      "~/gone does not exist",
    );
    expect(await select({ kubeconfig: home })).toContain("cannot be read (EISDIR)");
  });

  it("a home kubeconfig without a current context is as good as none", async () => {
    await put(".kube/config", kubeconfig("home", "", "", ""));
    expect(await select()).toBe("none");
    await put(".kube/config", "");
    expect(await select()).toBe("none");
  });

  it("--namespace wins", async () => {
    await put(".kube/config", kubeconfig("home"));
    expect(await select({ namespace: "mine" })).toBe(
      "home https://home.example.com:6443 mine home",
    );
  });
});

describe("which context", () => {
  it("proposes one that exists", async () => {
    const file = await put("config", kubeconfig("staging"));
    expect(await select({ kubeconfig: file, context: "stagign" })).toBe(
      `error[cluster.unknown-context]: there is no context stagign in ~/config
  contexts: staging
  hint: did you mean staging?`,
    );
    expect(await select({ context: "any" })).toContain("no kubeconfig was found");
  });

  it("asks for one when none is current", async () => {
    const file = await put("config", kubeconfig("staging", "", "", ""));
    expect(await select({ kubeconfig: file })).toBe(
      `error[cluster.unknown-context]: ~/config has no current context
  hint: choose one with --context: staging`,
    );
  });

  it("names the cluster or user that is missing", async () => {
    const whole = kubeconfig("dev");
    const check = async (text: string) => select({ kubeconfig: await put("config", text) });
    expect(await check(whole.replace("clusters: [{name: dev", "clusters: [{name: dex"))).toBe(
      `error[cluster.kubeconfig-incomplete]: the context dev of ~/config uses the cluster dev, which is not there
  hint: did you mean dex?`,
    );
    expect(await check(whole.replace("users: [{name: dev", "users: [{name: dex"))).toContain(
      "uses the user dev, which is not there",
    );
    expect(await check(whole.replace(/server: "[^"]*"/, ""))).toContain(
      "the cluster dev of ~/config has no server address",
    );
  });
});

describe("broken kubeconfigs", () => {
  it.each([
    ["clusters: [", "cannot read the kubeconfig ~/config: "],
    ["- a list", "is broken: the file should be a map and is a list"],
    ["clusters: [null]", "is broken: clusters[0] should be a map and is empty"],
    ["contexts: 5", "is broken: contexts should be a list and is a number"],
    ["users: [{name: [], user: {}}]", "is broken: users[0].name should be text and is a list"],
    [
      "clusters: [{name: a, cluster: {insecure-skip-tls-verify: maybe}}]",
      "clusters[0].cluster.insecure-skip-tls-verify should be true or false and is a string",
    ],
    [
      "users: [{name: a, user: {client-key-data: '%%%'}}]",
      "users[0].user.client-key-data should be base64 and is not",
    ],
    [
      kubeconfig("dev").replace("https://dev.example.com:6443", "https://:::"),
      "server is not an address",
    ],
  ])("%s", async (text, expected) => {
    const result = await select({ kubeconfig: await put("config", text) });
    expect(result).toContain("error[cluster.kubeconfig-broken]");
    expect(result).toContain(expected);
  });

  it("names the line, without showing it: it may hold a secret", async () => {
    for (const text of [
      "'s3cret",
      "*s3cret",
      "!s3cret x",
      "{s3cret: 1, s3cret: 2}",
      '"\\s3cret"',
    ]) {
      const kubeconfig = await put("config", `users:\n- name: a\n  user: {token: ${text}}\n`);
      const result = await select({ kubeconfig });
      expect(result).toMatch(/^error\[cluster.kubeconfig-broken\]/);
      expect(result).not.toContain("s3cret");
    }
    expect(await select({ kubeconfig: await put("config", "a: 1\nb: [") })).toMatch(
      /at ~\/config:\d+:\d+$/m,
    );
  });

  it("refuses a huge file without reading it", async () => {
    const file = await put("config", "");
    await truncate(file, 100 * 1024 * 1024);
    expect(await select({ kubeconfig: file })).toBe(
      "error[cluster.kubeconfig-broken]: ~/config is no kubeconfig: it has 100 MB",
    );
  });

  it("survives a bomb of aliases", async () => {
    const levels = Array.from(
      { length: 30 },
      (_, level) => `l${level + 1}: &l${level + 1} [*l${level}, *l${level}]`,
    );
    const bomb = `l0: &l0 [a]\n${levels.join("\n")}\n`;
    expect(
      await select({ kubeconfig: await put("config", `${bomb}${kubeconfig("dev")}`) }),
    ).toMatch(/^dev |cluster.kubeconfig-broken/);
  });

  it.each([
    [
      ", certificate-authority: missing.crt",
      "",
      "~/missing.crt, named as certificate-authority by ~/config, does not exist",
    ],
    ["", "client-certificate: no.crt", "~/no.crt, named as client-certificate by"],
    ["", "client-certificate-data: YQ==", "has a client certificate but no key"],
    ["", "tokenFile: no.token", "~/no.token, named as tokenFile by"],
    [
      "",
      "auth-provider: {name: gcp}",
      "logs in by the auth provider gcp, which Kubernetes no longer has",
    ],
  ])("names what the cluster or user refers to: %s%s", async (cluster, user, expected) => {
    const result = await select({
      kubeconfig: await put("config", kubeconfig("dev", cluster, user)),
    });
    expect(result).toContain("error[cluster.kubeconfig-incomplete]");
    expect(result).toContain(expected);
  });
});

describe("settings", () => {
  it("read certificates inline and from files beside the kubeconfig", async () => {
    await put("pki/ca.crt", "AUTHORITY");
    await put("pki/me.crt", "CERTIFICATE");
    const key = Buffer.from("KEY").toString("base64");
    const file = await put(
      "config",
      kubeconfig(
        "dev",
        ", certificate-authority: pki/ca.crt, tls-server-name: api.internal, insecure-skip-tls-verify: true, proxy-url: 'socks5://proxy:1080'",
        `client-certificate: pki/me.crt, client-key-data: ${key}, as: jane, as-groups: [dev, ops], as-user-extra: {reason: [test]}`,
      ),
    );
    const found = await selectCluster({ env: {}, home, kubeconfig: file });
    expect(found?.settings).toMatchObject({
      certificateAuthority: "AUTHORITY",
      tlsServerName: "api.internal",
      skipTlsVerify: true,
      proxyUrl: "socks5://proxy:1080",
      impersonate: { user: "jane", groups: ["dev", "ops"], extra: { reason: ["test"] } },
    });
    expect(await found?.settings.credentials.certificate()).toEqual({
      certificate: "CERTIFICATE",
      key: "KEY",
    });
    await put("pki/me.crt", "RENEWED");
    expect(await found?.settings.credentials.certificate()).toEqual({
      certificate: "RENEWED",
      key: "KEY",
    });
  });

  it("know the ways to log in", async () => {
    await put("token", "from-file\n");
    expect(await authorization("token: abc")).toBe("Bearer abc");
    expect(await authorization("token: 12345")).toBe("Bearer 12345");
    expect(await authorization("token: abc, tokenFile: token")).toBe("Bearer from-file");
    expect(await authorization("username: jane, password: pw")).toBe(`Basic ${btoa("jane:pw")}`);
    expect(await authorization("")).toBeUndefined();
  });

  it("take an address without a scheme as kubectl does", async () => {
    const server = async (cluster: string) => {
      const text = kubeconfig("dev", cluster).replace("https://", "");
      return (await selectCluster({ env: {}, home, kubeconfig: await put("config", text) }))
        ?.server;
    };
    expect(await server("")).toBe("http://dev.example.com:6443");
    expect(await server(", insecure-skip-tls-verify: true")).toBe("https://dev.example.com:6443");
  });
});

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { DiagnosticError, renderDiagnostics } from "../../diagnostics/index.ts";
import { selectCluster } from "../kubeconfig/select-cluster.ts";

let issuer: string;
let server: Server;
let folder: string;
const grants: string[] = [];

/** A small identity provider, whose refresh tokens serve only once. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "keelson-oidc-"));
  let valid = "refresh-0";
  server = createServer((request, response) => {
    const reply = (status: number, body: unknown) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url === "/.well-known/openid-configuration") {
      reply(200, { issuer, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` });
      return;
    }
    void bodyOf(request).then((body) => {
      const form = new URLSearchParams(body);
      if (form.get("refresh_token") !== valid) return reply(400, { error: "invalid_grant" });
      grants.push(valid);
      valid = `refresh-${grants.length}`;
      return reply(200, {
        access_token: "unused",
        token_type: "bearer",
        id_token: idToken(grants.length, Date.now() + 3_600_000),
        refresh_token: valid,
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}

function idToken(number: number, expiresAtMs: number): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(expiresAtMs / 1000);
  const claims = { iss: issuer, aud: "keelson", sub: `user-${number}`, iat: exp - 3600, exp };
  return `${part({ alg: "RS256" })}.${part(claims)}.${Buffer.from("signature").toString("base64url")}`;
}

async function kubeconfig(name: string, config: Readonly<Record<string, string>>): Promise<string> {
  const file = join(folder, name);
  const lines = Object.entries(config).map(([key, value]) => `          ${key}: ${value}`);
  await writeFile(
    file,
    `# keep this comment
current-context: dev
contexts: [{name: dev, context: {cluster: dev, user: dev}}]
clusters: [{name: dev, cluster: {server: "https://example.com"}}]
users:
  - name: dev
    user:
      auth-provider:
        name: oidc
        config:
${lines.join("\n")}
`,
  );
  return file;
}

async function authorize(file: string): Promise<string | undefined> {
  const selection = await selectCluster({ kubeconfig: file, env: {}, home: folder });
  return selection?.settings.credentials.authorization();
}

it("uses an ID token while it is valid, then renews it and stores what it got", async () => {
  const login = { "client-id": "keelson", "client-secret": "hush", "idp-issuer-url": issuer };
  const valid = idToken(0, Date.now() + 60_000);
  expect(await authorize(await kubeconfig("valid", { ...login, "id-token": valid }))).toBe(
    `Bearer ${valid}`,
  );

  const expired = idToken(0, Date.now() - 60_000);
  const file = await kubeconfig("expired", {
    ...login,
    "id-token": expired,
    "refresh-token": "refresh-0",
  });
  const renewed = await authorize(file);
  expect(renewed).not.toContain(expired);
  expect(await readFile(file, "utf8")).toContain("# keep this comment");
  // The next run finds the new ID token, and needs no grant.
  expect(await authorize(file)).toBe(renewed);
  expect(grants).toEqual(["refresh-0"]);

  const selection = await selectCluster({ kubeconfig: file, env: {}, home: folder });
  expect(await selection?.settings.credentials.renew()).toBe(true);
  expect(grants).toEqual(["refresh-0", "refresh-1"]);
});

it.each([
  [{ "refresh-token": "stale-s3cret" }, "gave no new token for the user dev"],
  [
    { "refresh-token": "stale-s3cret", "idp-issuer-url": "http://127.0.0.1:1" },
    "http://127.0.0.1:1 gave no new token",
  ],
  [{}, "its ID token has expired, and idp-issuer-url, client-id or refresh-token are missing"],
])("says why there is no token: %j", async (config, expected) => {
  const file = await kubeconfig("failing", {
    "client-id": "keelson",
    "idp-issuer-url": issuer,
    ...config,
  });
  const error = await authorize(file).catch((failure: unknown) => failure);
  const text = renderDiagnostics(error instanceof DiagnosticError ? error.diagnostics : []);
  expect(text).toContain("error[cluster.oidc]");
  expect(text).toContain(expected);
  expect(text).not.toContain("s3cret");
});

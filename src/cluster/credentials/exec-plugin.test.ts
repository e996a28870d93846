import { describe, expect, it } from "vitest";
import { DiagnosticError, renderDiagnostics } from "../../diagnostics/index.ts";
import type { ExecEntry } from "../kubeconfig/kubeconfig.ts";
import { systemTiming } from "../timing.ts";
import { execPluginCredentials } from "./exec-plugin.ts";
import type { Credentials } from "./credentials.ts";

const version = "client.authentication.k8s.io/v1";

/** A plugin that is a program of one line. */
function plugin(program: string, changes: Partial<ExecEntry> = {}, nowMs = () => 0): Credentials {
  return execPluginCredentials(
    {
      apiVersion: version,
      command: process.execPath,
      args: ["--eval", program],
      env: [],
      provideClusterInfo: false,
      interactiveMode: "IfAvailable",
      ...changes,
    },
    {
      file: "config",
      server: "https://example.com",
      certificateAuthority: undefined,
      skipTlsVerify: false,
    },
    { env: process.env, interactive: false, timing: { ...systemTiming, now: nowMs } },
  );
}

function answer(status: string, apiVersion = version): string {
  return `console.log(JSON.stringify({apiVersion: "${apiVersion}", kind: "ExecCredential", status: ${status}}))`;
}

async function failure(credentials: Credentials): Promise<string> {
  try {
    return `no failure: ${await credentials.authorization()}`;
  } catch (error) {
    if (!(error instanceof DiagnosticError)) throw error;
    return renderDiagnostics(error.diagnostics).replaceAll(process.execPath, "node");
  }
}

describe("a credential plugin", () => {
  it("gives a token, with what it is told in its environment", async () => {
    const program = answer(
      "{token: process.env.NAME + JSON.parse(process.env.KUBERNETES_EXEC_INFO).spec.interactive}",
    );
    const credentials = plugin(program, { env: [{ name: "NAME", value: "me-" }] });
    expect(await credentials.authorization()).toBe("Bearer me-false");
  });

  it("may speak the older version", async () => {
    const older = "client.authentication.k8s.io/v1beta1";
    expect(await plugin(answer("{token: 'x'}", older), { apiVersion: older }).authorization()).toBe(
      "Bearer x",
    );
  });

  it("gives a certificate", async () => {
    const credentials = plugin(answer("{clientCertificateData: 'C', clientKeyData: 'K'}"));
    expect(await credentials.authorization()).toBeUndefined();
    expect(await credentials.certificate()).toEqual({ certificate: "C", key: "K" });
  });

  it("is run again only when its credentials expire, or were refused", async () => {
    let nowMs = 0;
    const program = answer(
      "{token: String(process.pid), expirationTimestamp: '1970-01-01T01:00:00Z'}",
    );
    const credentials = plugin(program, {}, () => nowMs);
    const [first, same] = await Promise.all([
      credentials.authorization(),
      credentials.authorization(),
    ]);
    expect(same).toBe(first);
    expect(await credentials.authorization()).toBe(first);
    expect(await credentials.renew()).toBe(true);
    const second = await credentials.authorization();
    expect(second).not.toBe(first);
    nowMs = 3_600_000;
    expect(await credentials.authorization()).not.toBe(second);
  });

  it.each([
    [
      "",
      { command: "no-such-plugin", installHint: "see example.com" },
      "the credential plugin no-such-plugin is not installed\n  hint: see example.com",
    ],
    [
      "console.error('please log in'); process.exit(4)",
      {},
      "failed with exit code 4\n  please log in",
    ],
    ["console.log('s3cret')", {}, "what it printed is not JSON"],
    ["console.log('null')", {}, "is not an ExecCredential"],
    [answer("{token: 's3cret'}", "example.com/v1"), {}, `is not an ExecCredential of ${version}`],
    [answer("{}"), {}, "it gave neither a token nor a certificate"],
    [answer("{clientCertificateData: 's3cret'}"), {}, "a certificate without a key"],
    [
      answer("{token: 's3cret', expirationTimestamp: 'soon'}"),
      {},
      "its expirationTimestamp is not a time",
    ],
    [
      "",
      { apiVersion: "client.authentication.k8s.io/v1alpha1" },
      "its apiVersion is client.authentication.k8s.io/v1alpha1",
    ],
    ["", { interactiveMode: "Always" as const }, "there is no terminal"],
  ])("is reported when it fails: %s %j", async (program, changes, expected) => {
    const text = await failure(plugin(program, changes));
    expect(text).toContain("error[cluster.exec-plugin]");
    expect(text).toContain(expected);
    expect(text).not.toContain("s3cret");
  });
});

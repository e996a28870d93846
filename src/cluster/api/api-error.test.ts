import { describe, expect, it } from "vitest";
import { renderDiagnostics } from "../../diagnostics/index.ts";
import { clusterOver } from "../cluster.ts";
import { ScriptedTransport, scriptedDiscovery } from "../../../test/scripted-transport.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";

/** What a failing answer to a request becomes. */
async function described(status: number, json: unknown, headers = {}): Promise<string> {
  const transport = new ScriptedTransport(
    (request) => scriptedDiscovery(request) ?? { status, json, headers },
  );
  try {
    await clusterOver(transport, { namespace: "web" }).get({
      apiVersion: "v1",
      kind: "ConfigMap",
      name: "a",
    });
  } catch (error) {
    if (error instanceof DiagnosticError) return renderDiagnostics(error.diagnostics);
    throw error;
  }
  return "no failure";
}

describe("answers of the server, by reason", () => {
  it.each([
    [
      410,
      "Expired",
      "error[cluster.expired]: cannot get configmaps web/a: the resource version is too old",
    ],
    [
      429,
      "TooManyRequests",
      "error[cluster.too-many-requests]: cannot get configmaps web/a: the API server is overloaded",
    ],
    [
      504,
      "Timeout",
      "error[cluster.timeout]: cannot get configmaps web/a: the API server did not finish in time",
    ],
    [
      500,
      "InternalError",
      "error[cluster.server-error]: cannot get configmaps web/a: the API server failed (500)",
    ],
    [
      400,
      "BadRequest",
      "error[cluster.bad-request]: cannot get configmaps web/a: the API server refused the request (400)",
    ],
    [
      405,
      "MethodNotAllowed",
      "error[cluster.bad-request]: cannot get configmaps web/a: the API server refused the request (405)",
    ],
  ])("%i %s", async (code, reason, expected) => {
    const status = { kind: "Status", code, reason, message: "in its words" };
    expect(await described(code, status)).toBe(`${expected}\n  in its words`);
  });

  it("and by code when something else than the server answered", async () => {
    expect(await described(403, "<html>go away</html>")).toContain("error[cluster.forbidden]");
    expect(await described(404, "404 page not found")).toContain(
      "the API server does not know this path",
    );
    expect(await described(502, "x".repeat(1000))).toMatch(/failed \(502\)\n {2}x{200}…$/);
  });

  it("says when what answered is no API server", async () => {
    expect(await described(200, "<html>log in</html>", { "content-type": "text/html" })).toBe(
      `error[cluster.unexpected-answer]: cannot get configmaps web/a: what answered is not a Kubernetes API server (text/html)
  hint: check the server address of the context, and proxies in between`,
    );
  });
});

import { describe, expect, it } from "vitest";
import { clusterOver } from "../cluster.ts";
import { ScriptedTransport, scriptedDiscovery } from "../../../test/scripted-transport.ts";

function message(channel: number, content: string): Uint8Array {
  return Buffer.concat([Uint8Array.of(channel), Buffer.from(content)]);
}

async function exec(...messages: readonly Uint8Array[]) {
  let out = "";
  const transport = new ScriptedTransport((request) => scriptedDiscovery(request) ?? {}, messages);
  const exitCode = await clusterOver(transport, { namespace: "web" }).exec(
    { name: "a" },
    {
      command: ["sh", "-c", "x"],
      onStdout: (chunk) => (out += Buffer.from(chunk).toString("utf8")),
    },
  );
  return { exitCode, out, asked: transport.log.at(-1) };
}

describe("exec", () => {
  it("gives the exit code that the kubelet reports", async () => {
    const failed = {
      status: "Failure",
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: "3" }] },
    };
    expect(
      await exec(message(1, ""), message(1, "hello"), message(3, JSON.stringify(failed))),
    ).toEqual({
      exitCode: 3,
      out: "hello",
      asked:
        "GET /api/v1/namespaces/web/pods/a/exec?command=sh&command=-c&command=x&stdin=false&stdout=true&stderr=true&tty=false",
    });
    expect(await exec(message(3, '{"status":"Success"}'))).toMatchObject({ exitCode: 0 });
  });

  it("says when the connection ended first", async () => {
    await expect(exec(message(1, "hel"))).rejects.toThrow("cannot run sh in pod a");
  });
});

import { request } from "node:https";
import { fail } from "../../diagnostics/index.ts";
import { readIdentity, type Serving } from "../data-folder.ts";

/** Gets a path of a sandbox that another process serves, as its administrator. */
export function requestServed(folder: string, serving: Serving, path: string): Promise<string> {
  const { token, certificates } = readIdentity(folder, Date.now());
  const refuse = (why: string): never =>
    fail({
      code: "sandbox.not-answering",
      summary: `asking the sandbox of process ${serving.pid} on port ${serving.port}: ${why}`,
      hint: "stop that process, then try again",
    });
  return new Promise<string>((resolve, reject) => {
    const outgoing = request(
      `https://127.0.0.1:${serving.port}${path}`,
      {
        ca: certificates.authority,
        headers: { authorization: `Bearer ${token}` },
        agent: false,
        timeout: 30_000,
      },
      (response) => {
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (piece: string) => (text += piece));
        response.on("error", reject);
        response.on("end", () => {
          if (response.statusCode === 200) resolve(text);
          else reject(new Error(`it answered ${response.statusCode ?? 0}`));
        });
      },
    );
    outgoing.on("timeout", () => {
      outgoing.destroy(new Error("it did not answer in time"));
    });
    outgoing.on("error", reject);
    outgoing.end();
  }).catch((error: unknown) => refuse(error instanceof Error ? error.message : String(error)));
}

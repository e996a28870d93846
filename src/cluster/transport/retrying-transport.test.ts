import { describe, expect, it } from "vitest";
import { ScriptedTransport, scriptedTiming } from "../../../test/scripted-transport.ts";
import type { ScriptedAnswer } from "../../../test/scripted-transport.ts";
import { ConnectionError } from "./connection-error.ts";
import type { ConnectionFailure } from "./connection-error.ts";
import { RetryingTransport } from "./retrying-transport.ts";
import type { TransportFailure, TransportRequest } from "./transport.ts";

const apply = { "content-type": "application/apply-patch+yaml" };
const jsonPatch = { "content-type": "application/json-patch+json" };

function lost(failure: ConnectionFailure): ConnectionError {
  return new ConnectionError(failure, { summary: failure });
}

/** Plays the answers, then 200; gives the outcome and the delays between attempts. */
async function send(
  request: Partial<TransportRequest>,
  answers: readonly (number | ConnectionFailure | ScriptedAnswer)[],
): Promise<string> {
  const { timing, delays } = scriptedTiming();
  const script = new ScriptedTransport((_request, number) => {
    const answer = answers[number] ?? 200;
    if (typeof answer === "number") return { status: answer };
    return typeof answer === "string" ? lost(answer) : answer;
  });
  const transport = new RetryingTransport(script, timing);
  const outcome = await transport.request({ method: "GET", path: "/", ...request }).then(
    ({ status }) => String(status),
    (error: unknown) => (error as ConnectionError).failure,
  );
  return `${outcome} after ${delays.join(" ")}`.replace(/ after $/, "");
}

describe("what is sent again", () => {
  it.each([
    [{ method: "GET" }, [503, 500], "200 after 100 200"],
    [{ method: "GET" }, [404], "404"],
    [{ method: "GET" }, [409], "409"],
    [{ method: "GET" }, [{ status: 429, headers: { "retry-after": "3" } }], "200 after 3000"],
    [{ method: "POST" }, [{ status: 429 }], "200 after 100"],
    [{ method: "POST" }, [503], "503"],
    [{ method: "POST" }, [{ status: 503, headers: { "retry-after": "1" } }], "200 after 1000"],
    [{ method: "PATCH", headers: apply }, [502], "200 after 100"],
    [{ method: "PATCH", headers: jsonPatch }, [502], "502"],
    [{ method: "DELETE" }, [504], "200 after 100"],
    [{ method: "GET" }, ["reset"], "200 after 100"],
    [{ method: "POST" }, ["reset"], "reset"],
    [{ method: "POST" }, ["refused"], "200 after 100"],
    [{ method: "POST", path: "/serviceaccounts/default/token" }, ["reset"], "200 after 100"],
    [{ method: "POST", path: "/selfsubjectaccessreviews" }, [503], "200 after 100"],
    [{ method: "POST", path: "/tokens" }, ["reset"], "reset"],
    [{ method: "GET" }, ["timeout"], "timeout"],
    [{ method: "GET" }, ["certificate"], "certificate"],
    [{ method: "GET" }, ["proxy"], "proxy"],
  ] as const)("%j after %j", async (request, answers, expected) => {
    expect(await send(request, answers)).toBe(expected);
  });

  it("waits for a server that has answered before, not for one that never did", async () => {
    expect(await send({}, ["unreachable"])).toBe("unreachable");
    expect(await send({}, [503, "unreachable", "unreachable"])).toBe("200 after 100 200 400");
  });

  it("has a bound", async () => {
    const answers = Array.from({ length: 100 }, () => 503);
    expect(await send({}, answers)).toBe("503 after 100 200 400 800 1600 3200 6400 10000");
    const broken = Array.from({ length: 100 }, () => 500);
    expect(await send({}, broken)).toBe("500 after 100 200 400");
    const patient = Array.from({ length: 100 }, () => ({
      status: 429,
      headers: { "retry-after": "99" },
    }));
    expect(await send({}, patient)).toBe("429 after 10000 10000 10000");
  });
});

it("tells once why it still tries after a second", async () => {
  const told = async (answers: readonly (number | ConnectionFailure)[]): Promise<string> => {
    const causes: string[] = [];
    const onRetry = (failure: TransportFailure): void => {
      const { kind } = failure;
      causes.push(kind === "answer" ? String(failure.answer.status) : "error");
    };
    await send({ onRetry }, answers);
    return causes.join();
  };
  expect(await told([503, 503, 503])).toBe("");
  expect(await told([503, 503, 503, 502, 429, 503])).toBe("502");
  expect(await told([503, 503, 503, "reset", "reset"])).toBe("error");
});

it("retries the beginning of a stream", async () => {
  const { timing, delays } = scriptedTiming();
  const script = new ScriptedTransport((_request, number) =>
    number === 0 ? { status: 503 } : { lines: [1] },
  );
  const { status } = await new RetryingTransport(script, timing).stream({
    method: "GET",
    path: "/",
  });
  expect([status, delays]).toEqual([200, [100]]);
});

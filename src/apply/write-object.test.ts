import { expect, it } from "vitest";
import { ApiError } from "../cluster/index.ts";
import { describeRefusal } from "./write-object.ts";

it.each([
  [
    'admission webhook "images.example.com" denied the request: latest is not allowed',
    "webhook images.example.com refuses it: latest is not allowed; ",
  ],
  [
    'failed calling webhook "images.example.com": Post "https://images.ops.svc:443/": dial tcp 10.0.0.7:443: connect: connection refused',
    "webhook images.example.com cannot be reached: connection refused; ",
  ],
  [
    'pods "web" is forbidden: exceeded quota: team, requested: pods=1, used: pods=3, limited: pods=3',
    "quota team is used up: pods 3 of 3, needs 1 more; ",
  ],
])("a write that is refused with %j begins with the cause", (message, expected) => {
  const error = new ApiError(
    { verb: "patch", resource: "pods" },
    { code: 403, reason: "Forbidden", message },
  );
  const text = describeRefusal(error, { sent: undefined, live: undefined });
  expect(text.startsWith(expected)).toBe(true);
});

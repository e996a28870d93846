import { missingReference } from "./missing-reference.ts";

export interface Refusal {
  readonly reason: string;
  readonly summary: string;
}

/** Why a write was refused, in the words of a cause, from the message of the API server; undefined for most. */
export function refusalCause(message: string): Refusal | undefined {
  return (
    quotaCause(message) ?? limitCause(message) ?? webhookCause(message) ?? referenceCause(message)
  );
}

function quotaCause(message: string): Refusal | undefined {
  const [, quota, requested = "", used = "", limited = ""] =
    /exceeded quota: (\S+), requested: (.*?), used: (.*?), limited: (.*?)$/s.exec(message) ?? [];
  if (quota !== undefined) {
    const amounts = amountsOf(used);
    const limits = amountsOf(limited);
    const parts = [...amountsOf(requested)].map(
      ([name, amount]) =>
        `${name} ${amounts.get(name) ?? "?"} of ${limits.get(name) ?? "?"}, needs ${amount} more`,
    );
    return { reason: "QuotaExceeded", summary: `quota ${quota} is used up: ${parts.join("; ")}` };
  }
  const [, needing, fields] = /failed quota: (\S+): must specify (.*)$/s.exec(message) ?? [];
  return needing === undefined
    ? undefined
    : { reason: "QuotaExceeded", summary: `quota ${needing} needs the pod to set ${fields ?? ""}` };
}

function amountsOf(list: string): ReadonlyMap<string, string> {
  return new Map(
    list.split(",").map((each): [string, string] => {
      const [name = "", amount = ""] = each.trim().split("=");
      return [name, amount];
    }),
  );
}

function limitCause(message: string): Refusal | undefined {
  const [, side, resource, scope, bound, actual] =
    /(maximum|minimum) (\S+) usage per (\S+) is ([^,\s]+), but (?:limit|request) is ([^\s,.\]]+)/.exec(
      message,
    ) ?? [];
  if (side === undefined) return undefined;
  const word = side === "maximum" ? "over the maximum" : "under the minimum";
  return {
    reason: "LimitRange",
    summary: `limit range: ${resource ?? ""} ${actual ?? ""} is ${word} of ${bound ?? ""} per ${scope ?? ""}`,
  };
}

function webhookCause(message: string): Refusal | undefined {
  const [, denier, why] =
    /admission webhook "([^"]+)" denied the request:? ?(.*)$/s.exec(message) ?? [];
  if (denier !== undefined)
    return {
      reason: "WebhookRefused",
      summary: `webhook ${denier} refuses it: ${why === "" ? "it gives no reason" : (why ?? "")}`,
    };
  const [, silent, detail = ""] = /failed calling webhook "([^"]+)": (.*)$/s.exec(message) ?? [];
  if (silent === undefined) return undefined;
  const words = /service "([^"]+)" not found/.exec(detail)?.[1];
  const end =
    words !== undefined
      ? `its service ${words} does not exist`
      : /no endpoints available/.test(detail)
        ? "its service has no endpoints"
        : /connection refused/.test(detail)
          ? "connection refused"
          : /deadline exceeded|timeout/i.test(detail)
            ? "it does not answer in time"
            : (detail.split(": ").at(-1) ?? detail);
  return { reason: "WebhookUnreachable", summary: `webhook ${silent} cannot be reached: ${end}` };
}

function referenceCause(message: string): Refusal | undefined {
  const account = /error looking up service account \S+: serviceaccount "([^"]+)" not found/.exec(
    message,
  )?.[1];
  const summary =
    account === undefined ? missingReference(message) : `service account ${account} does not exist`;
  return summary === undefined ? undefined : { reason: "MissingReference", summary };
}

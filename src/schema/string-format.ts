/** Formats of strings that the server checks; it ignores all others. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  "date-time": (text) =>
    /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:?\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text.replace(" ", "T"))),
  datetime: (text) => matchesFormat("date-time", text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  duration: isDuration,
  ipv4: isIpv4,
  ipv6: isIpv6,
  cidr: isCidr,
  mac: (text) =>
    /^(?:[\da-f]{2}([:-])(?:[\da-f]{2}\1){4}(?:(?:[\da-f]{2}\1){2})?[\da-f]{2}|[\da-f]{4}\.[\da-f]{4}\.[\da-f]{4})$/i.test(
      text,
    ),
  uri: (text) => /^(?:[a-z][a-z\d+.-]*:|\/)\S*$/i.test(text),
  email: (text) => /^[^\s@<>]+@[^\s@<>]+$/.test(text),
  hostname: (text) =>
    text.length <= 255 &&
    /^[a-z\d](?:[a-z\d-]{0,62}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,62}[a-z\d])?)*\.?$/i.test(text),
  uuid: (text) => /^[\da-f]{8}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{4}-?[\da-f]{12}$/i.test(text),
  uuid3: (text) => /^[\da-f]{8}-?[\da-f]{4}-?3[\da-f]{3}-?[\da-f]{4}-?[\da-f]{12}$/i.test(text),
  uuid4: (text) =>
    /^[\da-f]{8}-?[\da-f]{4}-?4[\da-f]{3}-?[89ab][\da-f]{3}-?[\da-f]{12}$/i.test(text),
  uuid5: (text) =>
    /^[\da-f]{8}-?[\da-f]{4}-?5[\da-f]{3}-?[89ab][\da-f]{3}-?[\da-f]{12}$/i.test(text),
  byte: (text) =>
    /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/.test(text),
  ssn: (text) => /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: (text) => /^#?(?:[\da-f]{3}|[\da-f]{6})$/i.test(text),
  "k8s-short-name": (text) => /^[a-z\d](?:[-a-z\d]{0,61}[a-z\d])?$/.test(text),
  "k8s-long-name": (text) =>
    text.length <= 253 &&
    /^[a-z\d](?:[-a-z\d]*[a-z\d])?(?:\.[a-z\d](?:[-a-z\d]*[a-z\d])?)*$/.test(text),
};

export function isKnownFormat(format: string): boolean {
  return Object.hasOwn(formats, format);
}

export function matchesFormat(format: string, text: string): boolean {
  return formats[format]?.(text) ?? true;
}

function isDuration(text: string): boolean {
  return (
    /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*$/.test(
      text,
    ) ||
    text === "0" ||
    /^\d+\s*(?:ns|us|µs|ms|s|m|h|d|w|nanos?|micros?|millis?|secs?|seconds?|mins?|minutes?|hours?|days?|weeks?)$/i.test(
      text,
    )
  );
}

/** Four numbers without leading zeros. */
export function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return (
    parts.length === 4 &&
    parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
  );
}

export function isIpv6(text: string): boolean {
  if (!text.includes(":") || text.includes(":::")) return false;
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1) ?? "";
  const hasIpv4 = last.includes(".");
  if (hasIpv4 && !isIpv4(last)) return false;
  const hexGroups = hasIpv4 ? groups.slice(0, -1) : groups;
  if (!hexGroups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return false;
  const size = groups.length + (hasIpv4 ? 1 : 0);
  return halves.length === 2 ? size < 8 : size === 8;
}

function isCidr(text: string): boolean {
  const [address = "", length = "", ...rest] = text.split("/");
  if (rest.length > 0 || !/^\d{1,3}$/.test(length)) return false;
  return isIpv4(address) ? Number(length) <= 32 : isIpv6(address) && Number(length) <= 128;
}

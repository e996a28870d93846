import { celFailure } from "../evaluation-error.ts";
import type { Library } from "../overload.ts";
import { floorDivide } from "../read-time.ts";
import type { Duration, Timestamp } from "../values.ts";

/** The parts of times, in UTC unless a zone is given, and the length of durations. */
export const timeLibrary: Library = {
  ...parts({
    getFullYear: (date) => date.getUTCFullYear(),
    getMonth: (date) => date.getUTCMonth(),
    getDate: (date) => date.getUTCDate(),
    getDayOfMonth: (date) => date.getUTCDate() - 1,
    getDayOfWeek: (date) => date.getUTCDay(),
    getDayOfYear: (date) =>
      Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000),
    getHours: (date) => date.getUTCHours(),
    getMinutes: (date) => date.getUTCMinutes(),
    getSeconds: (date) => date.getUTCSeconds(),
    getMilliseconds: (date) => date.getUTCMilliseconds(),
  }),
  "[duration].getHours() -> int": ({ nanos }: Duration) => nanos / 3_600_000_000_000n,
  "[duration].getMinutes() -> int": ({ nanos }: Duration) => nanos / 60_000_000_000n,
  "[duration].getSeconds() -> int": ({ nanos }: Duration) => nanos / 1_000_000_000n,
  "[duration].getMilliseconds() -> int": ({ nanos }: Duration) =>
    (nanos % 1_000_000_000n) / 1_000_000n,
};

function parts(readers: Readonly<Record<string, (date: Date) => number>>): Library {
  const library: Record<string, Library[string]> = {};
  for (const [name, read] of Object.entries(readers)) {
    library[`[timestamp].${name}() -> int`] = (time: Timestamp) => BigInt(read(dateOf(time)));
    library[`[timestamp].${name}(string) -> int`] = (time: Timestamp, zone: string) =>
      BigInt(read(inZone(dateOf(time), zone)));
  }
  return library;
}

function dateOf({ nanos }: Timestamp): Date {
  return new Date(Number(floorDivide(nanos, 1_000_000n)));
}

/** The date whose UTC parts are the parts of the time in that zone. */
function inZone(date: Date, zone: string): Date {
  const offset = /^([+-]?)(\d{2}):(\d{2})$/.exec(zone);
  if (offset !== null) {
    const [, sign, hours, minutes] = offset;
    const shift = (Number(hours) * 60 + Number(minutes)) * 60_000;
    return new Date(date.getTime() + (sign === "-" ? -shift : shift));
  }
  try {
    const format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone === "" ? "UTC" : zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    const found = new Map(
      format.formatToParts(date).map(({ type, value }) => [type, Number(value)]),
    );
    const part = (type: Intl.DateTimeFormatPartTypes): number => found.get(type) ?? 0;
    return new Date(
      Date.UTC(
        part("year"),
        part("month") - 1,
        part("day"),
        part("hour"),
        part("minute"),
        part("second"),
        date.getUTCMilliseconds(),
      ),
    );
  } catch {
    return celFailure(`unknown time zone ${zone}`);
  }
}

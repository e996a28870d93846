/** When a cron job is due: the allowed values of each field of the wall clock. */
export interface CronSchedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** With both day fields restricted, either may match. */
  readonly isAnyDay: boolean;
  readonly isAnyWeekday: boolean;
  /** Of `@every`, instead of all the others. */
  readonly everyMs?: number;
}

const macros: Readonly<Record<string, string>> = {
  "@yearly": "0 0 1 1 *",
  "@annually": "0 0 1 1 *",
  "@monthly": "0 0 1 * *",
  "@weekly": "0 0 * * 0",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@hourly": "0 * * * *",
};

const monthNames = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");
const dayNames = "sun mon tue wed thu fri sat".split(" ");
const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Parses five fields or a macro; undefined when the text is no schedule. */
export function parseCronSchedule(text: string): CronSchedule | undefined {
  const trimmed = text.trim();
  const every = /^@every (?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(trimmed);
  if (every !== null) {
    const [, hours = "0", minutes = "0", seconds = "0"] = every;
    const everyMs =
      Number(hours) * (unitsMs["h"] ?? 0) +
      Number(minutes) * (unitsMs["m"] ?? 0) +
      Number(seconds) * (unitsMs["s"] ?? 0);
    return everyMs === 0 ? undefined : { ...everyMinute, everyMs };
  }
  const fields = (macros[trimmed] ?? trimmed).split(/\s+/);
  if (fields.length !== 5) return undefined;
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = fields;
  const minutes = parseField(minute, 0, 59);
  const hours = parseField(hour, 0, 23);
  const days = parseField(day, 1, 31);
  const months = parseField(month, 1, 12, monthNames, 1);
  const weekdays = parseField(weekday, 0, 7, dayNames, 0);
  if (!minutes || !hours || !days || !months || !weekdays) return undefined;
  return {
    minutes,
    hours,
    days,
    months,
    weekdays: new Set([...weekdays].map((each) => each % 7)),
    isAnyDay: /^[*?]/.test(day),
    isAnyWeekday: /^[*?]/.test(weekday),
  };
}

function range(first: number, last: number, step = 1): ReadonlySet<number> {
  const values = new Set<number>();
  for (let value = first; value <= last; value += step) values.add(value);
  return values;
}

const everyMinute: CronSchedule = {
  minutes: range(0, 59),
  hours: range(0, 23),
  days: range(1, 31),
  months: range(1, 12),
  weekdays: range(0, 6),
  isAnyDay: true,
  isAnyWeekday: true,
};

function parseField(
  text: string,
  least: number,
  most: number,
  names: readonly string[] = [],
  firstName = 0,
): ReadonlySet<number> | undefined {
  const values = new Set<number>();
  for (const part of text.split(",")) {
    const match = /^(\*|\?|[a-z]{3}|\d+)(?:-([a-z]{3}|\d+))?(?:\/(\d+))?$/i.exec(part);
    if (match === null) return undefined;
    const [, from = "", to, stepText] = match;
    const isAny = from === "*" || from === "?";
    const first = isAny ? least : numberOf(from, names, firstName);
    const alone = isAny || stepText !== undefined ? most : first;
    const last = to === undefined ? alone : numberOf(to, names, firstName);
    const step = stepText === undefined ? 1 : Number(stepText);
    if (first === undefined || last === undefined || step === 0) return undefined;
    if (first < least || last > most || first > last) return undefined;
    for (const value of range(first, last, step)) values.add(value);
  }
  return values;
}

function numberOf(text: string, names: readonly string[], firstName: number): number | undefined {
  if (/^\d+$/.test(text)) return Number(text);
  const index = names.indexOf(text.toLowerCase());
  return index < 0 ? undefined : index + firstName;
}

const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
const searchDays = 366 * 8;

/** The next time after a moment at which a schedule is due, by the clock of a time zone. */
export function nextTime(
  schedule: CronSchedule,
  afterMs: number,
  zone: string,
): number | undefined {
  if (schedule.everyMs !== undefined) return afterMs + schedule.everyMs;
  // Wall clocks are written as if they were UTC, so that their fields can be read off.
  let wall = Math.floor((afterMs + offsetMs(afterMs, zone)) / minuteMs + 1) * minuteMs;
  const end = wall + searchDays * dayMs;
  while (wall < end) {
    const at = new Date(wall);
    if (!schedule.months.has(at.getUTCMonth() + 1) || !isDay(schedule, at)) {
      wall = (Math.floor(wall / dayMs) + 1) * dayMs;
    } else if (!schedule.hours.has(at.getUTCHours())) {
      wall = (Math.floor(wall / hourMs) + 1) * hourMs;
    } else if (!schedule.minutes.has(at.getUTCMinutes())) {
      wall += minuteMs;
    } else {
      const real = realTime(wall, zone);
      // A time that the clocks skip in spring does not come.
      if (real !== undefined && real > afterMs) return real;
      wall += minuteMs;
    }
  }
  return undefined;
}

function isDay({ days, weekdays, isAnyDay, isAnyWeekday }: CronSchedule, at: Date): boolean {
  const isMonthDay = days.has(at.getUTCDate());
  const isWeekday = weekdays.has(at.getUTCDay());
  return isAnyDay || isAnyWeekday ? isMonthDay && isWeekday : isMonthDay || isWeekday;
}

function realTime(wall: number, zone: string): number | undefined {
  const guess = wall - offsetMs(wall, zone);
  for (const real of [guess, wall - offsetMs(guess, zone)]) {
    if (real + offsetMs(real, zone) === wall) return real;
  }
  return undefined;
}

const formats = new Map<string, Intl.DateTimeFormat>();

export function isTimeZone(zone: string): boolean {
  try {
    formatOf(zone);
    return true;
  } catch {
    return false;
  }
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formats.set(zone, format);
  }
  return format;
}

/** How far a zone's clock is ahead of UTC at a moment. */
function offsetMs(atMs: number, zone: string): number {
  if (zone === "Etc/UTC" || zone === "UTC") return 0;
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(atMs)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
  const wall = Date.UTC(year, month - 1, day, hour, minute, second);
  return wall - Math.floor(atMs / 1000) * 1000;
}

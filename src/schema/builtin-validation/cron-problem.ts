interface Field {
  readonly least: number;
  readonly most: number;
  readonly names: readonly string[];
}

const months = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const days = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const fields: readonly Field[] = [
  { least: 0, most: 59, names: [] },
  { least: 0, most: 23, names: [] },
  { least: 1, most: 31, names: [] },
  { least: 1, most: 12, names: months },
  { least: 0, most: 6, names: days },
];
const descriptors =
  /^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly|every (?:\d+(?:\.\d*)?(?:ns|us|µs|ms|s|m|h))+)$/;

/** What is wrong with a schedule in cron's notation; nothing when a CronJob can have it. */
export function cronProblem(schedule: string): string | undefined {
  const text = schedule.replace(/^(?:CRON_)?TZ=\S+\s+/, "").trim();
  if (text === "") return "empty spec string";
  if (text.startsWith("@")) {
    return descriptors.test(text) ? undefined : `unrecognized descriptor: ${text}`;
  }
  const parts = text.split(/\s+/);
  if (parts.length !== fields.length) {
    return `expected exactly 5 fields, found ${parts.length}: [${parts.join(" ")}]`;
  }
  for (const [index, part] of parts.entries()) {
    const field = fields[index];
    const problem = field === undefined ? undefined : fieldProblem(part, field);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function fieldProblem(text: string, field: Field): string | undefined {
  for (const range of text.split(",")) {
    // Empty parts are not there.
    if (range === "") continue;
    const problem = rangeProblem(range, field);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function rangeProblem(text: string, { least, most, names }: Field): string | undefined {
  const [range = "", step, ...extra] = text.split("/");
  if (extra.length > 0) return `too many slashes: ${text}`;
  const limits = range.split("-");
  const isAny = limits[0] === "*" || limits[0] === "?";
  if (!isAny && limits.length > 2) return `too many hyphens: ${text}`;
  const valueOf = (each: string): number => {
    const name = names.indexOf(each.toLowerCase());
    return name >= 0 ? name + least : /^\d+$/.test(each) ? Number(each) : Number.NaN;
  };
  const values = isAny ? [least, most] : limits.map(valueOf);
  const wrong = values.findIndex(Number.isNaN);
  if (wrong >= 0) return `failed to parse int from ${limits[wrong] ?? ""}: invalid syntax`;
  if (step !== undefined && !/^\d+$/.test(step))
    return `failed to parse int from ${step}: invalid syntax`;
  const [first = least, last = step === undefined ? first : most] = values;
  if (first < least) return `beginning of range (${first}) below minimum (${least}): ${text}`;
  if (last > most) return `end of range (${last}) above maximum (${most}): ${text}`;
  if (first > last) return `beginning of range (${first}) beyond end of range (${last}): ${text}`;
  return step !== undefined && Number(step) === 0
    ? `step of range should be a positive number: ${text}`
    : undefined;
}

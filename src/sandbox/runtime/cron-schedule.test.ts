import { expect, it } from "vitest";
import { nextTime, parseCronSchedule } from "./cron-schedule.ts";

const cases: readonly (readonly [string, string, string, string?])[] = [
  ["* * * * *", "2026-01-01T00:00:00Z", "2026-01-01T00:01:00Z"],
  ["*/15 * * * *", "2026-01-01T00:44:59Z", "2026-01-01T00:45:00Z"],
  ["0 3 * * *", "2026-01-01T03:00:00Z", "2026-01-02T03:00:00Z"],
  ["30 8 * * mon-fri", "2026-01-02T09:00:00Z", "2026-01-05T08:30:00Z"],
  ["0 0 13 * 5", "2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"],
  ["0 0 29 2 *", "2026-01-01T00:00:00Z", "2028-02-29T00:00:00Z"],
  ["5,10-12 1 * jan,mar *", "2026-01-01T01:10:00Z", "2026-01-01T01:11:00Z"],
  ["0 0 * * 7", "2026-01-01T00:00:00Z", "2026-01-04T00:00:00Z"],
  ["@monthly", "2026-01-15T00:00:00Z", "2026-02-01T00:00:00Z"],
  ["@every 1h30m", "2026-01-01T00:00:00Z", "2026-01-01T01:30:00Z"],
  ["0 9 * * *", "2026-07-01T00:00:00Z", "2026-07-01T07:00:00Z", "Europe/Berlin"],
  ["0 9 * * *", "2026-01-01T00:00:00Z", "2026-01-01T08:00:00Z", "Europe/Berlin"],
  ["30 2 * * *", "2026-03-28T12:00:00Z", "2026-03-30T00:30:00Z", "Europe/Berlin"],
  ["0 12 * * *", "2026-01-01T00:00:00Z", "2026-01-01T17:00:00Z", "America/New_York"],
];

for (const [text, after, expected, zone = "Etc/UTC"] of cases) {
  it(`${text} after ${after} in ${zone}`, () => {
    const schedule = parseCronSchedule(text);
    const next = schedule && nextTime(schedule, Date.parse(after), zone);
    expect(new Date(next ?? 0).toISOString()).toBe(expected.replace("Z", ".000Z"));
  });
}

it.each([
  "",
  "* * * *",
  "60 * * * *",
  "* 24 * * *",
  "* * 0 * *",
  "a * * * *",
  "*/0 * * * *",
  "5-1 * * * *",
])("%j is no schedule", (text) => {
  expect(parseCronSchedule(text)).toBeUndefined();
});

it("knows a day that never comes", () => {
  const schedule = parseCronSchedule("0 0 31 2 *");
  expect(schedule && nextTime(schedule, 0, "Etc/UTC")).toBeUndefined();
});

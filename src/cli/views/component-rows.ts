import { causeDetails } from "../../causes/index.ts";
import type { ComponentSnapshot } from "../../devloop/index.ts";
import type { Style } from "../style.ts";
import { fitText, textWidth } from "./text-width.ts";
import { wrapText } from "./wrap-text.ts";

export interface RowOptions {
  readonly isSelected: boolean;
  /** Whether all that is known of it is shown. */
  readonly isExpanded: boolean;
  readonly nameWidth: number;
  readonly columns: number;
  readonly now: number;
}

const ageWidth = 5;

/** The lines of a component: one when all is well; of a trouble its whole cause, and what shows it. */
export function componentRows(
  component: ComponentSnapshot,
  { isSelected, isExpanded, nameWidth, columns, now }: RowOptions,
  { bold, dim, inverse, green, red, yellow }: Style,
): readonly string[] {
  const { update, runtime, endpoints } = component;
  const worst = worstAxis(component);
  const isWell = isFine(worst.status);
  const isWaiting = worst.status === "pending" || worst.status === "in_progress";
  const color = worst.status === "error" ? red : isWell ? green : isWaiting ? yellow : dim;
  const mark = worst.status === "error" ? "✗" : isWell ? "✓" : isWaiting ? "…" : "-";
  const fitted = fitText(component.name, nameWidth);
  const name = isSelected ? inverse(fitted) : bold(fitted);
  const age = ageText(now - Date.parse(worst.since)).padStart(ageWidth - 1);
  const urls = endpoints.map(({ url }) => url);
  const indent = " ".repeat(nameWidth + 3);
  const width = columns - nameWidth - 4;
  if (isWell) {
    const words = `${updateWords[update.status].padEnd(8)} ${runtimeWords[runtime.status].padEnd(8)}`;
    // Where to reach it comes first only as long as all is well.
    const rest = [urls.join(" "), dim(worst.message)].filter((each) => each !== "").join(" ");
    const more = isExpanded ? [...urls, worst.message] : [];
    return [
      `${color(mark)} ${name} ${color(words)} ${dim(age)} ${rest}`,
      ...more.flatMap((text) => wrapText(text, width)).map((text) => `${indent}${dim(text)}`),
    ];
  }
  const [first = "", ...others] = wrapText(sentenceOf(component), width - ageWidth);
  const gap = " ".repeat(Math.max(0, width - ageWidth - textWidth(first)));
  return [
    `${color(mark)} ${name} ${color(first)}${gap} ${dim(age)}`,
    ...others.map((text) => `${indent}${color(text)}`),
    ...detailsOf(component, isExpanded)
      .flatMap((text) => wrapText(text, width))
      .map((text) => `${indent}${dim(text)}`),
  ];
}

/** The axis that most needs a look. */
export function worstAxis({
  update,
  runtime,
}: Pick<ComponentSnapshot, "update" | "runtime">): ComponentSnapshot["update" | "runtime"] {
  if (update.status === "error") return update;
  if (runtime.status === "error") return runtime;
  return isFine(update.status) ? runtime : update;
}

export function isFine(status: string): boolean {
  return status === "ok" || status === "not_applicable";
}

/** The cause as it is; else what the component is at, and what is said of that. */
function sentenceOf(component: ComponentSnapshot): string {
  const worst = worstAxis(component);
  if (worst.cause !== undefined) return worst.message;
  const { update, runtime } = component;
  const word = worst === update ? updateWords[update.status] : runtimeWords[runtime.status];
  return [word, worst.message].filter((text) => text !== "" && text !== "–").join(": ");
}

/** What shows a failure is told at once, everything else when somebody asks for it. */
function detailsOf(component: ComponentSnapshot, isExpanded: boolean): readonly string[] {
  const { cause, status, since } = worstAxis(component);
  const urls = isExpanded ? component.endpoints.map(({ url }) => url) : [];
  if (cause === undefined) return isExpanded ? [`since ${since}`, ...urls] : [];
  if (!isExpanded) {
    const evidence = causeDetails({ ...cause, action: undefined });
    return status === "error" ? evidence.slice(0, 1) : [];
  }
  const place = cause.about === undefined ? [] : [cause.about];
  return [...causeDetails(cause), ...place, `since ${cause.since ?? since}`, ...urls];
}

const updateWords = {
  none: "–",
  pending: "waiting",
  in_progress: "updating",
  ok: "updated",
  error: "failed",
  not_applicable: "–",
};

const runtimeWords = {
  none: "–",
  unknown: "unknown",
  pending: "starting",
  ok: "ready",
  error: "broken",
  not_applicable: "–",
};

function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1_000));
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
  return seconds < 86_400 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

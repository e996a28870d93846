import { DiagnosticError } from "../../diagnostics/index.ts";
import { isJsonObject, type JsonObject, parseJson, stringifyJson } from "../../json/index.ts";
import type { Created, InputDiff, LogLine, Stat } from "../provider.ts";
import { shortLine } from "./bounded-log.ts";
import { type CallPlace, doing, providerOf } from "./call-place.ts";
import { jsonProblem, kindInWords } from "./json-problem.ts";

/** What a record can hold, which is an object of the Kubernetes API. */
const mostBytes = 1024 * 1024;
const longestId = 4_096;
const longestLogLine = 64 * 1024;

/** A provider's answer cannot be used. What it made is not forgotten: its id is kept where it is known. */
export class UnusableAnswerError extends DiagnosticError {
  readonly createdId: string | undefined;

  constructor(place: CallPlace, problem: string, createdId?: string) {
    super([
      {
        code: "provider.invalid-answer",
        severity: "error",
        summary: `${doing(place)}: ${providerOf(place)} gave an answer that cannot be used: ${problem}`,
        detail:
          createdId === undefined
            ? place.where
            : `${place.where}\nit was made, with the id ${createdId}`,
        subject: place.name,
      },
    ]);
    this.name = "UnusableAnswerError";
    this.createdId = createdId;
  }
}

export function readCreated(answer: unknown, place: CallPlace): Created {
  if (!isJsonObject(answer)) throw wrong(place, "{ id, outputs }", answer);
  const id: unknown = answer["id"];
  if (typeof id !== "string" || id === "")
    throw new UnusableAnswerError(place, `id is ${shown(id)}, not a text`);
  if (id.length > longestId)
    throw new UnusableAnswerError(place, `id has more than ${longestId} characters`);
  const outputs = plainObject(answer["outputs"], "outputs", place, id);
  const secrets: unknown = answer["secrets"];
  if (secrets === undefined || secrets === null) return { id, outputs };
  if (!isTexts(secrets))
    throw new UnusableAnswerError(
      place,
      `secrets is ${kindInWords(secrets)}, not a list of texts`,
      id,
    );
  return { id, outputs, secrets };
}

export function readFound(answer: unknown, place: CallPlace): Created | undefined {
  return isNothing(answer) ? undefined : readCreated(answer, place);
}

export function readOutputs(answer: unknown, place: CallPlace): JsonObject {
  return plainObject(answer, "outputs", place);
}

export function readOutputsOrNothing(answer: unknown, place: CallPlace): JsonObject | undefined {
  return isNothing(answer) ? undefined : readOutputs(answer, place);
}

export function readProblems(answer: unknown, place: CallPlace): readonly string[] {
  if (isNothing(answer)) return [];
  if (!isTexts(answer)) throw wrong(place, "a list of texts", answer);
  return answer;
}

export function readDiff(answer: unknown, place: CallPlace): InputDiff {
  if (!isJsonObject(answer)) throw wrong(place, "{ changes, replace }", answer);
  const { changes, replace = [], deleteBeforeReplace = false }: Record<string, unknown> = answer;
  if (!isTexts(changes))
    throw new UnusableAnswerError(place, `changes is ${kindInWords(changes)}, not a list of texts`);
  if (!isTexts(replace))
    throw new UnusableAnswerError(place, `replace is ${kindInWords(replace)}, not a list of texts`);
  if (typeof deleteBeforeReplace !== "boolean") {
    const found = kindInWords(deleteBeforeReplace);
    throw new UnusableAnswerError(place, `deleteBeforeReplace is ${found}, not true or false`);
  }
  return { changes, replace, deleteBeforeReplace };
}

export function readStats(answer: unknown, place: CallPlace): readonly Stat[] {
  if (!Array.isArray(answer)) throw wrong(place, "a list of { name, unit, points }", answer);
  return answer.map((each: unknown, index) => {
    const stat = isJsonObject(each) ? each : {};
    const { name, unit, points }: Record<string, unknown> = stat;
    if (typeof name !== "string" || typeof unit !== "string" || !Array.isArray(points))
      throw new UnusableAnswerError(place, `item ${index} is not { name, unit, points }`);
    if (!points.every(isPoint)) {
      throw new UnusableAnswerError(
        place,
        `a point of ${name} is not { timeMs, value } in numbers`,
      );
    }
    return { name, unit, points: points.map(({ timeMs, value }) => ({ timeMs, value })) };
  });
}

export function readLogLine(item: unknown, place: CallPlace): LogLine {
  const { text, timeMs }: Record<string, unknown> = isJsonObject(item) ? item : {};
  if (typeof text !== "string") throw wrong(place, "lines { text, timeMs }", item);
  const line = shortLine(text, longestLogLine);
  return typeof timeMs === "number" && Number.isFinite(timeMs)
    ? { text: line, timeMs }
    : { text: line };
}

function plainObject(
  value: unknown,
  what: string,
  place: CallPlace,
  createdId?: string,
): JsonObject {
  if (!isJsonObject(value)) {
    throw new UnusableAnswerError(
      place,
      `${what} is ${kindInWords(value)}, not an object`,
      createdId,
    );
  }
  const problem = jsonProblem(value, what);
  if (problem !== undefined) throw new UnusableAnswerError(place, problem, createdId);
  const text = stringifyJson(value);
  if (Buffer.byteLength(text) > mostBytes) {
    const found = `${what} has ${Buffer.byteLength(text)} bytes, and at most ${mostBytes} can be recorded`;
    throw new UnusableAnswerError(place, found, createdId);
  }
  // A copy, so that a provider in this process cannot change what it once said.
  return parseJson(text) as JsonObject;
}

function wrong(place: CallPlace, expected: string, found: unknown): UnusableAnswerError {
  return new UnusableAnswerError(place, `expected ${expected}, found ${kindInWords(found)}`);
}

function shown(value: unknown): string {
  return value === "" ? "empty" : kindInWords(value);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

function isPoint(value: unknown): value is { readonly timeMs: number; readonly value: number } {
  if (!isJsonObject(value)) return false;
  return Number.isFinite(value["timeMs"]) && Number.isFinite(value["value"]);
}

import { describe, expect, it } from "vitest";
import { dockerfileImages } from "./index.ts";

const cases: readonly (readonly [name: string, text: string, expected: readonly string[]])[] = [
  ["one stage", "FROM alpine:3.20\nRUN true\n", ["alpine:3.20"]],
  ["scratch is no image", "FROM scratch\nCOPY app /\n", []],
  [
    "stages are no images",
    "FROM golang:1.26 AS build\nFROM base\nCOPY --from=build /app /\nCOPY --from=0 /x /\n",
    ["golang:1.26", "base"],
  ],
  ["copied from another image", "FROM a\nCOPY --from=tools:1 /bin/x /\n", ["a", "tools:1"]],
  ["arguments with defaults", "ARG BASE=shop/base\nFROM ${BASE}:1\n", ["shop/base:1"]],
  ["given arguments win", 'ARG TAG="1"\nFROM web:$TAG\n', ["web:9"]],
  ["defaults in the place of use", "FROM ${IMAGE:-busybox}\n", ["busybox"]],
  ["unknown until the build", "FROM $WHATEVER\n", []],
  ["platform flags and comments", "# FROM x\nFROM --platform=linux/amd64 y \\\n  AS z\n", ["y"]],
];

describe("dockerfileImages", () => {
  it.each(cases)("%s", (_name, text, expected) => {
    expect(dockerfileImages(text, { TAG: "9" })).toEqual(expected);
  });
});

import { stringifyJson } from "../../json/index.ts";
import { decodeProtobuf, WireError } from "../../schema/index.ts";
import { badRequest, type StatusError } from "../api/status.ts";

/** The body of a request as text, and what kind of text it is. */
export interface BodyText {
  readonly text: string;
  readonly contentType: string;
}

/** Protobuf, in which Go clients send built-in kinds, becomes JSON here; nothing behind knows it. */
export async function readBodyText(
  bytes: Buffer,
  contentType: string,
): Promise<BodyText | StatusError> {
  if (!/^application\/vnd\.kubernetes\.protobuf(?:;|$)/i.test(contentType.trim())) {
    return { text: bytes.toString("utf8"), contentType };
  }
  if (bytes.length === 0) return { text: "", contentType: "application/json" };
  try {
    const object = await decodeProtobuf(bytes);
    return { text: stringifyJson(object), contentType: "application/json" };
  } catch (error) {
    if (error instanceof WireError) return badRequest(error.message);
    throw error;
  }
}

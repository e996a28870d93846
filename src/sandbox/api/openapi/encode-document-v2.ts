/**
 * Writes an OpenAPI v2 document as the protobuf message `openapi.v2.Document` of gnostic, the only form
 * of it that kubectl and client-go read.
 */
import { stringifyJson } from "../../../json/index.ts";
import { WireWriter } from "./wire-writer.ts";

type Node = Readonly<Record<string, unknown>>;
type Write = (writer: WireWriter, number: number, value: unknown) => void;
/** The fields of a message by their name in JSON; what is in none of them is left out. */
type Fields = Readonly<Record<string, readonly [number: number, write: Write]>>;
interface Message {
  readonly fields: () => Fields;
  /** The field that keeps what begins with `x-`. */
  readonly extensions?: number;
}

export function encodeDocumentV2(document: unknown): Uint8Array {
  const writer = new WireWriter();
  writeMessage(writer, documentMessage, document as Node);
  return writer.bytes();
}

const text: Write = (writer, number, value) => {
  writer.text(number, String(value));
};
const flag: Write = (writer, number, value) => {
  if (value === true) writer.varint(number, 1n);
};
const integer: Write = (writer, number, value) => {
  if (Number.isSafeInteger(value) || typeof value === "bigint")
    writer.varint(number, BigInt(value as number | bigint));
};
const double: Write = (writer, number, value) => {
  writer.double(number, Number(value));
};
/** A value of any shape is YAML, of which JSON is a part. */
const anything: Write = (writer, number, value) => {
  writer.message(number, (inner) => {
    inner.text(2, stringifyJson(value));
  });
};

function one(message: Message): Write {
  return (writer, number, value) => {
    writer.message(number, (inner) => {
      writeMessage(inner, message, value as Node);
    });
  };
}

function each(write: Write): Write {
  return (writer, number, value) => {
    for (const item of [value].flat()) write(writer, number, item);
  };
}

/** A message around another one, which holds it in one of its fields. */
function within(field: number, write: Write): Write {
  return (writer, number, value) => {
    writer.message(number, (inner) => {
      write(inner, field, value);
    });
  };
}

/** A map is a list of messages with a name and a value. */
function named(write: Write): Write {
  return (writer, number, value) => {
    for (const [name, item] of Object.entries(value as Node)) {
      writer.message(number, (inner) => {
        inner.text(1, name);
        write(inner, 2, item);
      });
    }
  };
}

function writeMessage(writer: WireWriter, { fields, extensions }: Message, node: Node): void {
  const known = fields();
  for (const [key, value] of Object.entries(node)) {
    const field = Object.hasOwn(known, key) ? known[key] : undefined;
    if (field !== undefined) field[1](writer, field[0], value);
    else if (extensions !== undefined && key.startsWith("x-"))
      named(anything)(writer, extensions, { [key]: value });
  }
}

const additional: Write = (writer, number, value) => {
  const isFlag = typeof value === "boolean";
  writer.message(number, (inner) => {
    if (isFlag) inner.varint(2, value ? 1n : 0n);
    else one(schema)(inner, 1, value);
  });
};

const schema: Message = {
  extensions: 31,
  fields: () => schemaFields,
};
const schemaFields: Fields = {
  $ref: [1, text],
  format: [2, text],
  title: [3, text],
  description: [4, text],
  default: [5, anything],
  multipleOf: [6, double],
  maximum: [7, double],
  exclusiveMaximum: [8, flag],
  minimum: [9, double],
  exclusiveMinimum: [10, flag],
  maxLength: [11, integer],
  minLength: [12, integer],
  pattern: [13, text],
  maxItems: [14, integer],
  minItems: [15, integer],
  uniqueItems: [16, flag],
  maxProperties: [17, integer],
  minProperties: [18, integer],
  required: [19, each(text)],
  enum: [20, each(anything)],
  additionalProperties: [21, additional],
  type: [22, within(1, each(text))],
  items: [23, within(1, each(one(schema)))],
  properties: [25, within(1, named(one(schema)))],
  example: [30, anything],
};

const bodyParameter: Message = {
  extensions: 6,
  fields: () => ({
    description: [1, text],
    name: [2, text],
    in: [3, text],
    required: [4, flag],
    schema: [5, one(schema)],
  }),
};
const queryParameter: Message = {
  extensions: 23,
  fields: () => ({
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [6, text],
    format: [7, text],
    uniqueItems: [20, flag],
  }),
};
const pathParameter: Message = {
  extensions: 22,
  fields: () => ({
    required: [1, flag],
    in: [2, text],
    description: [3, text],
    name: [4, text],
    type: [5, text],
    format: [6, text],
    uniqueItems: [19, flag],
  }),
};
/** Parameters of other places, such as headers, are in no document of the API. */
const parameter: Write = (writer, number, value) => {
  const place = (value as Node)["in"];
  const write =
    place === "body"
      ? within(1, one(bodyParameter))
      : place === "path"
        ? within(2, within(4, one(pathParameter)))
        : within(2, within(3, one(queryParameter)));
  within(1, write)(writer, number, value);
};

const response: Message = {
  extensions: 5,
  fields: () => ({ description: [1, text], schema: [2, within(1, one(schema))] }),
};
const operation: Message = {
  extensions: 13,
  fields: () => operationFields,
};
const operationFields: Fields = {
  tags: [1, each(text)],
  summary: [2, text],
  description: [3, text],
  operationId: [5, text],
  produces: [6, each(text)],
  consumes: [7, each(text)],
  parameters: [8, each(parameter)],
  responses: [9, within(1, named(within(1, one(response))))],
  schemes: [10, each(text)],
  deprecated: [11, flag],
};
const pathItem: Message = {
  extensions: 10,
  fields: () => pathItemFields,
};
const pathItemFields: Fields = {
  get: [2, one(operation)],
  put: [3, one(operation)],
  post: [4, one(operation)],
  delete: [5, one(operation)],
  options: [6, one(operation)],
  head: [7, one(operation)],
  patch: [8, one(operation)],
  parameters: [9, each(parameter)],
};

const apiKey: Message = {
  extensions: 5,
  fields: () => ({ type: [1, text], name: [2, text], in: [3, text], description: [4, text] }),
};
const documentMessage: Message = {
  extensions: 16,
  fields: () => ({
    swagger: [1, text],
    info: [2, one({ fields: () => ({ title: [1, text], version: [2, text] }) })],
    paths: [8, within(2, named(one(pathItem)))],
    definitions: [9, within(1, named(one(schema)))],
    security: [12, each(within(1, named(within(1, each(text)))))],
    securityDefinitions: [13, within(1, named(within(2, one(apiKey))))],
  }),
};

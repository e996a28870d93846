import { stringifyJson, type JsonValue } from "../../../json/index.ts";
import { parseYamlStream, writeYamlValue } from "../../../objects/index.ts";
import {
  anyValue,
  dataFromValue,
  encodeText,
  EvaluationError,
  hostFunction,
  optional,
  required,
  StarlarkList,
  valueFromData,
  type Data,
  type HostCall,
  type Value,
} from "../../starlark/index.ts";
import { itemsOf, pathText, textOrBlob } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { Blob } from "../values/blob.ts";

/** Reading, decoding and encoding of JSON, YAML and streams of YAML. */
export function encoding(state: TiltfileState): Readonly<Record<string, Value>> {
  return {
    read_json: reader(state, "read_json", decodeJson),
    read_yaml: reader(state, "read_yaml", decodeYaml),
    read_yaml_stream: reader(state, "read_yaml_stream", decodeYamlStream),
    decode_json: decoder("decode_json", "json", decodeJson),
    decode_yaml: decoder("decode_yaml", "yaml", decodeYaml),
    decode_yaml_stream: decoder("decode_yaml_stream", "yaml", decodeYamlStream),

    encode_json: hostFunction("encode_json", (call) => {
      const { obj } = call.unpack({ obj: required(anyValue) });
      const text = `${withoutMarkup(stringifyJson(sorted(toData(call, obj)), 2))}\n`;
      call.allocate(text.length);
      return encodeText(text);
    }),
    encode_yaml: hostFunction("encode_yaml", (call) => {
      const { obj } = call.unpack({ obj: required(anyValue) });
      return yamlBlob(call, [toData(call, obj)]);
    }),
    encode_yaml_stream: hostFunction("encode_yaml_stream", (call) => {
      const { objs } = call.unpack({ objs: required(anyValue) });
      if (!(objs instanceof StarlarkList) && itemsOf(objs)[0] === objs) {
        throw new EvaluationError("encode_yaml_stream: want a list");
      }
      return yamlBlob(
        call,
        itemsOf(objs).map((item) => toData(call, item)),
      );
    }),
  };
}

function reader(state: TiltfileState, name: string, decode: Decode): Value {
  return hostFunction(name, (call) => {
    const { paths, default: fallback } = call.unpack({
      paths: required(pathText),
      default: optional(anyValue),
    });
    const path = state.resolve(call, paths);
    const isMissing = state.files.kindOf(path) === undefined;
    if (isMissing && fallback !== undefined && fallback !== null) {
      state.watch(path);
      return fallback;
    }
    const text = state.readText(path);
    call.step(text.length / 100);
    return decode(call, text, ` in ${state.displayPath(path)}`);
  });
}

function decoder(name: string, parameter: string, decode: Decode): Value {
  return hostFunction(name, (call) => {
    const given = call.unpack({ [parameter]: required(textOrBlob) });
    const text = given[parameter] ?? "";
    call.step(text.length / 100);
    return decode(call, text, "");
  });
}

/** `from` says where the text is from, for messages. */
type Decode = (call: HostCall, text: string, from: string) => Value;

/** A number with a point is a float, also when it is whole. */
function decodeJson(call: HostCall, text: string, from: string): Value {
  const decoded = call.decodeJson(encodeText(text));
  if (!("problem" in decoded)) return decoded.value;
  throw new EvaluationError(
    `${call.name}: this is no JSON${from}: at offset ${decoded.offset}, ${decoded.problem}`,
  );
}

/** Characters that begin or end markup are written as Go writes them. */
function withoutMarkup(json: string): string {
  return json.replaceAll(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function documentsOf(text: string, name: string, from: string): readonly JsonValue[] {
  const parsed = parseYamlStream(text);
  if (parsed.kind === "values") return parsed.values;
  throw new EvaluationError(`${name}: this is no YAML${from}: ${parsed.message}`);
}

function decodeYaml({ name }: HostCall, text: string, from: string): Value {
  const documents = documentsOf(text, name, from);
  if (documents.length > 1) {
    const other = `${name}_stream`;
    throw new EvaluationError(
      `${name}: there are ${documents.length} documents${from}; use ${other}`,
    );
  }
  return valueFromData(documents[0] ?? null);
}

function decodeYamlStream({ name }: HostCall, text: string, from: string): Value {
  return new StarlarkList(documentsOf(text, name, from).map((each) => valueFromData(each)));
}

const bytesOfValue = 48;

function toData(call: HostCall, value: Value): Data {
  try {
    return dataFromValue(value, () => call.allocate(bytesOfValue));
  } catch (error) {
    if (!(error instanceof EvaluationError) || error.name === "LimitError") throw error;
    throw new EvaluationError(`${call.name}: ${error.message}`, { cause: error });
  }
}

/** The text is only written when it is asked for: mostly the documents are all that is needed. */
function yamlBlob(call: HostCall, documents: readonly Data[]): Blob {
  call.step(documents.length);
  const write = (): string =>
    documents.map((document) => writeYamlValue(sorted(document))).join("---\n");
  return new Blob(call.name, write, documents);
}

/** Keys in order, so that equal data is written equally. */
function sorted(data: Data): Data {
  if (typeof data !== "object" || data === null) return data;
  if (Array.isArray(data)) return data.map((item: Data) => sorted(item));
  const entries = Object.entries(data).sort(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]): [string, Data] => [key, sorted(value)]));
}

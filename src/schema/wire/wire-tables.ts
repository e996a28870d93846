/** The fields of every type by number; `^` begins the type of a struct that JSON writes in place. */
export type WireTables = ReadonlyMap<string, ReadonlyMap<number, string>>;

/** Only clients that send protobuf need the tables, so they are loaded when the first one does. */
export async function loadWireTables(): Promise<WireTables> {
  const { wire } = await import("../data/wire.ts");
  cached ??= new Map(
    wire.split("\n").map((line) => {
      const [name = "", fields = ""] = line.split(" ");
      return [name, readRow(fields)];
    }),
  );
  return cached;
}

let cached: WireTables | undefined;

/** Numbers count up by one, except where a field says its own. */
function readRow(text: string): ReadonlyMap<number, string> {
  const row = new Map<number, string>();
  let last = 0;
  for (const word of text.split(",")) {
    const [, number, field = ""] = /^(?:(\d+)=)?(.*)$/.exec(word) ?? [];
    last = number === undefined ? last + 1 : Number(number);
    row.set(last, field);
  }
  return row;
}

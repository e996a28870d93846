import { provisioned, Resource } from "keelson";

/** One entry of a store: `new Entry({ file: "/tmp/store.json", key: "colour", value: "blue" })`. */
export class Entry extends Resource {
  /** How often the entry was written. */
  version = provisioned();
}

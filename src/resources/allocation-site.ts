/** The place of a `new` in the user's source, as the loader wrote it into the module. */
export interface AllocationSite {
  /** The module token `<package>:<path>`. */
  readonly module: string;
  /** The class around the `new`, if there is one. */
  readonly class?: string | undefined;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

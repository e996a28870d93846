import type { KubernetesObject } from "../../../objects/index.ts";

/** A column as clients are told of it. */
export interface ColumnDefinition {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** Above zero: shown only in wide output. */
  readonly priority: number;
}

/** The cells of an object's row, in the order of its columns. */
export type CellsOf = (object: KubernetesObject, now: number) => readonly unknown[];

/** How a resource is printed. */
export interface TableFormat {
  readonly columns: readonly ColumnDefinition[];
  readonly cells: CellsOf;
  readonly conditions?: (object: KubernetesObject) => readonly unknown[] | undefined;
}

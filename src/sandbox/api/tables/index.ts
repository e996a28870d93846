/**
 * How objects look in tables, which is what `kubectl get` prints. Each file here knows some kinds;
 * the columns themselves are those of a real API server.
 */
import type { ServedResource } from "../served-resource.ts";
import { autoscalerCells } from "./autoscaler-cells.ts";
import { clusterCells } from "./cluster-cells.ts";
import type { CellsOf, TableFormat } from "./column.ts";
import { builtinColumns } from "./column-definitions.ts";
import { customFormat } from "./custom-format.ts";
import { eventCells } from "./event-cells.ts";
import { networkCells } from "./network-cells.ts";
import { nodeCells } from "./node-cells.ts";
import { podCells, podConditions } from "./pod-cells.ts";
import { storageCells } from "./storage-cells.ts";
import { workloadCells } from "./workload-cells.ts";

/** How the objects of a resource are printed. */
export function tableFormatOf(resource: ServedResource): TableFormat {
  if (resource.custom !== undefined) return customFormat(resource.custom);
  const { storageKey } = resource;
  return {
    columns: builtinColumns(storageKey) ?? builtinColumns("/limitranges") ?? [],
    cells: builtinCells[storageKey] ?? nameAndCreation,
    ...(storageKey === "/pods" ? { conditions: podConditions } : {}),
  };
}

const builtinCells: Readonly<Record<string, CellsOf>> = {
  "/pods": podCells,
  "/nodes": nodeCells,
  "/events": eventCells,
  "autoscaling/horizontalpodautoscalers": autoscalerCells,
  ...workloadCells,
  ...networkCells,
  ...storageCells,
  ...clusterCells,
};

/** Kinds that nobody wrote columns for show when they were made; kubectl turns that into an age. */
const nameAndCreation: CellsOf = ({ metadata }) => [metadata.name, metadata.creationTimestamp];

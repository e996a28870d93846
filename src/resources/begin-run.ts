import { type EvaluationRun, setCurrentRun } from "./evaluation-run.ts";
import { installRuntime, setConstructionScope } from "./provisioned/index.ts";
import { Resource } from "./resource.ts";

/** Has what the program of this thread allocates be recorded in a run; a worker does so once. */
export function beginRun(run: EvaluationRun): void {
  setCurrentRun(run);
  installRuntime();
  run.order.start();
  setConstructionScope((construction, make) =>
    isResourceClass(construction.target) ? run.construct(construction, make) : make(),
  );
}

function isResourceClass(target: unknown): boolean {
  return (
    typeof target === "function" && (target === Resource || target.prototype instanceof Resource)
  );
}

import type { CellSettings } from "../cell.ts";
import { until } from "../cell.ts";
import { rightsObjects } from "../../controller/rights-objects.ts";

/** Controllers write with the rights of the namespace's own account: it may do everything there. */
export async function allowAccount({
  cluster,
  namespace,
  patienceMs,
}: CellSettings): Promise<void> {
  for (const object of rightsObjects(namespace)) await cluster.create(object);
  const account = { apiVersion: "v1", kind: "ServiceAccount", namespace, name: "default" };
  await until(
    async () => (await cluster.find(account)) !== undefined,
    "the namespace has its account",
    Math.max(patienceMs, 20_000),
  );
}

import type { ConformanceCase } from "../case.ts";
import { applyCases } from "./applies.ts";
import { approvalCases } from "./approvals.ts";
import { configMapCases } from "./config-maps.ts";
import { definitionCases } from "./definitions.ts";
import { deleteCases } from "./deletes.ts";
import { emptyPodCases } from "./empty-pods.ts";
import { generationCases } from "./generations.ts";
import { kindCases } from "./kinds.ts";
import { lifecycleCases } from "./lifecycle.ts";
import { limitRangeCases } from "./limit-ranges.ts";
import { metadataCases } from "./metadata.ts";
import { mutatingPolicyCases } from "./mutating-policies.ts";
import { namespaceCases } from "./namespaces.ts";
import { oddKeyCases } from "./odd-keys.ts";
import { pagingCases } from "./paging.ts";
import { priorityCases } from "./priorities.ts";
import { quotaCases } from "./quotas.ts";
import { rbacCases } from "./rbac.ts";
import { realInputCases } from "./real-inputs.ts";
import { selectorCases } from "./selectors.ts";
import { ruleCostCases } from "./rule-costs.ts";
import { ruleCases } from "./rules.ts";
import { subresourceCases } from "./subresources.ts";
import { readyTableCases, tableCases } from "./tables.ts";
import { validatingPolicyCases } from "./validating-policies.ts";
import { verbCases } from "./verbs.ts";
import { watchCases } from "./watches.ts";
import { watchingCases } from "./watching.ts";
import { webhookCases } from "./webhooks.ts";

/** Every case, by the group that its answers are recorded in. */
export const conformanceCases: Readonly<Record<string, readonly ConformanceCase[]>> = {
  "config-maps": configMapCases,
  verbs: verbCases,
  kinds: kindCases,
  watches: watchCases,
  definitions: definitionCases,
  rules: ruleCases,
  "rule-costs": ruleCostCases,
  lifecycle: lifecycleCases,
  tables: tableCases,
  subresources: subresourceCases,
  metadata: metadataCases,
  apply: applyCases,
  delete: deleteCases,
  watching: watchingCases,
  paging: pagingCases,
  selectors: selectorCases,
  generation: generationCases,
  "ready-tables": readyTableCases,
  approvals: approvalCases,
  rbac: rbacCases,
  "odd-keys": oddKeyCases,
  "empty-pods": emptyPodCases,
  "real-inputs": realInputCases,
  quotas: quotaCases,
  "limit-ranges": limitRangeCases,
  priorities: priorityCases,
  "validating-policies": validatingPolicyCases,
  "mutating-policies": mutatingPolicyCases,
  webhooks: webhookCases,
  namespaces: namespaceCases,
};

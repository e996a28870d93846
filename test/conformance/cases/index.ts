import type { ConformanceCase } from "../case.ts";
import { approvalCases } from "./approvals.ts";
import { configMapCases } from "./config-maps.ts";
import { definitionCases } from "./definitions.ts";
import { kindCases } from "./kinds.ts";
import { lifecycleCases } from "./lifecycle.ts";
import { ruleCases } from "./rules.ts";
import { subresourceCases } from "./subresources.ts";
import { readyTableCases, tableCases } from "./tables.ts";
import { verbCases } from "./verbs.ts";
import { watchCases } from "./watches.ts";

/** Every case, by the group that its answers are recorded in. */
export const conformanceCases: Readonly<Record<string, readonly ConformanceCase[]>> = {
  "config-maps": configMapCases,
  verbs: verbCases,
  kinds: kindCases,
  watches: watchCases,
  definitions: definitionCases,
  rules: ruleCases,
  lifecycle: lifecycleCases,
  tables: tableCases,
  subresources: subresourceCases,
  "ready-tables": readyTableCases,
  approvals: approvalCases,
};

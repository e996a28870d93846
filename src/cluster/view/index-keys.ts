import type { IndexKeys } from "./kind-view.ts";

/** Finds objects by their uid. */
export const byUid: IndexKeys = ({ metadata }) => [metadata.uid ?? ""];

/** Finds objects by the uids of their owners. */
export const byOwner: IndexKeys = ({ metadata }) =>
  (metadata.ownerReferences ?? []).map(({ uid }) => uid);

/** Finds objects by their namespace. */
export const byNamespace: IndexKeys = ({ metadata }) => [metadata.namespace ?? ""];

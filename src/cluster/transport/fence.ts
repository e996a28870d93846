import type { TransportRequest } from "./transport.ts";

/** Nothing was sent: the fence has to be waited for once more. */
export class FencedError extends Error {}

/** Fails when a fence would have to be waited for. */
export function requireOpenFence({ fence }: TransportRequest): void {
  const open = fence?.();
  if (open === undefined) return;
  // Whoever sends it again waits for the fence, and hears why it stays closed.
  open.catch(() => undefined);
  throw new FencedError("the fence is closed");
}

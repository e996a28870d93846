let prepare: (() => Promise<void>) | undefined;

/** Says what is to be done before modules of others are loaded into this process; only whoever owns it may. */
export function beforeForeignCode(action: () => Promise<void>): void {
  prepare = action;
}

/** Called by whoever loads modules of others into this process. */
export async function prepareForForeignCode(): Promise<void> {
  await prepare?.();
}

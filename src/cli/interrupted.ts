/** Resolves when the user or the system asks the process to end; keeps it alive until then. */
export function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    const keepAlive = setInterval(() => {}, 3_600_000);
    const end = (): void => {
      clearInterval(keepAlive);
      process.off("SIGINT", end);
      process.off("SIGTERM", end);
      resolve();
    };
    process.on("SIGINT", end);
    process.on("SIGTERM", end);
  });
}

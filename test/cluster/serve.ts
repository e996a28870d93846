/** `npm run cluster`: a real control plane until Ctrl-C. */
import { startControlPlane } from "./control-plane.ts";

const started = performance.now();
try {
  const controlPlane = await startControlPlane({ report: (line) => console.log(line) });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`ready after ${seconds} s; Ctrl-C stops it and removes its data`);
  console.log(`export KUBECONFIG='${controlPlane.kubeconfig}'`);
  const keepAlive = setInterval(() => {}, 60_000);
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      clearInterval(keepAlive);
      void controlPlane.stop();
    });
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

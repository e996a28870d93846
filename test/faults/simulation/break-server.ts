import type { FaultWorld } from "../fault-world.ts";
import type { Chance } from "./chance.ts";
import type { Disk } from "./disk.ts";
import type { Timeline } from "./timeline.ts";

/** The server has no room for a while, or is killed and started again, a few times. */
export function breakServer(
  world: FaultWorld,
  disk: Disk,
  { time, chance }: { readonly time: Timeline; readonly chance: Chance },
): void {
  for (let number = chance.between(1, 4); number > 0; number--)
    time.at(chance.between(0, 120_000), () => {
      if (disk.isFull) return;
      if (chance.isOnceIn(2)) {
        world.restart();
        return;
      }
      disk.isFull = true;
      time.at(chance.between(100, 30_000), () => {
        disk.isFull = false;
      });
    });
}

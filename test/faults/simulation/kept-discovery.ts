import type { DiscoveryCache } from "../../../src/cluster/api/discovery-cache.ts";
import type { Chance } from "./chance.ts";

type Kept = Awaited<ReturnType<DiscoveryCache["read"]>>;

/** What a machine has on disk of discovery: as good as none where the file is damaged, and at times an old one. */
export class KeptDiscovery implements DiscoveryCache {
  readonly #chance: Chance;
  readonly #kept: Kept[] = [];

  constructor(chance: Chance) {
    this.#chance = chance;
  }

  read(): Promise<Kept> {
    const isDamaged = this.#chance.isOnceIn(4);
    const isOld = this.#chance.isOnceIn(4);
    return Promise.resolve(isDamaged ? undefined : this.#kept.at(isOld ? 0 : -1));
  }

  write(...[discovered, storedAtMs]: Parameters<DiscoveryCache["write"]>): Promise<void> {
    this.#kept.push({ discovered, storedAtMs });
    return Promise.resolve();
  }
}

/** What a container or a node uses: thousandths of a CPU, and KiB. */
export interface Usage {
  readonly cpu: number;
  readonly memory: number;
}

interface Container {
  readonly name: string;
  readonly resources?: { readonly requests?: Readonly<Record<string, string>> };
}

const idle: Usage = { cpu: 1, memory: 8 * 1024 };

/** Half of the CPU and three quarters of the memory that were asked for: the same in every run. */
export function usageOf({ resources }: Container): Usage {
  const { cpu, memory } = resources?.requests ?? {};
  return {
    cpu: cpu === undefined ? idle.cpu : Math.max(1, Math.round(amountOf(cpu) * 500)),
    memory: memory === undefined ? idle.memory : Math.round((amountOf(memory) * 0.75) / 1024),
  };
}

export function sumOf(usages: readonly Usage[]): Usage {
  return usages.reduce(
    (sum, each) => ({ cpu: sum.cpu + each.cpu, memory: sum.memory + each.memory }),
    { cpu: 0, memory: 0 },
  );
}

export function usageQuantities({ cpu, memory }: Usage): {
  readonly cpu: string;
  readonly memory: string;
} {
  return { cpu: `${cpu}m`, memory: `${memory}Ki` };
}

const powers: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** A quantity as a number; exact enough for figures that are made up. */
function amountOf(text: string): number {
  const [, number = "0", suffix = ""] =
    /^([+-]?[\d.]+(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(text) ?? [];
  return Number(number) * (powers[suffix] ?? 1);
}

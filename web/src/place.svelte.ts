export type Place =
  | { readonly kind: "overview" }
  | { readonly kind: "graph" }
  | { readonly kind: "inventories" }
  | { readonly kind: "plan" }
  | { readonly kind: "names" }
  | { readonly kind: "chains" }
  | { readonly kind: "owner"; readonly key: string }
  | { readonly kind: "component"; readonly key: string };

function read(): Place {
  const hash = decodeURIComponent(location.hash);
  if (hash === "#/graph") return { kind: "graph" };
  if (hash === "#/plan") return { kind: "plan" };
  if (hash === "#/inventories") return { kind: "inventories" };
  if (hash === "#/names") return { kind: "names" };
  if (hash === "#/chains") return { kind: "chains" };
  for (const kind of ["component", "owner"] as const) {
    const prefix = `#/${kind}/`;
    if (hash.startsWith(prefix)) return { kind, key: hash.slice(prefix.length) };
  }
  return { kind: "overview" };
}

class CurrentPlace {
  value = $state.raw<Place>(read());

  constructor() {
    addEventListener("hashchange", () => {
      this.value = read();
    });
  }
}

export const place = new CurrentPlace();

export function linkTo(component: string): string {
  return `#/component/${encodeURIComponent(component)}`;
}

export function linkToOwner(owner: string): string {
  return `#/owner/${encodeURIComponent(owner)}`;
}

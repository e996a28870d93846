export type Place =
  | { readonly kind: "overview" }
  | { readonly kind: "graph" }
  | { readonly kind: "inventories" }
  | { readonly kind: "plan" }
  | { readonly kind: "component"; readonly key: string };

function read(): Place {
  const hash = decodeURIComponent(location.hash);
  if (hash === "#/graph") return { kind: "graph" };
  if (hash === "#/plan") return { kind: "plan" };
  if (hash === "#/inventories") return { kind: "inventories" };
  const prefix = "#/component/";
  return hash.startsWith(prefix)
    ? { kind: "component", key: hash.slice(prefix.length) }
    : { kind: "overview" };
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

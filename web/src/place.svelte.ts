export type Place =
  | { readonly kind: "overview" }
  | { readonly kind: "graph" }
  | { readonly kind: "inventories" }
  | { readonly kind: "plan" }
  | { readonly kind: "names" }
  | { readonly kind: "chains" }
  | { readonly kind: "owner"; readonly key: string }
  | { readonly kind: "component"; readonly key: string; readonly tab: string };

const firstTab = "objects";

function read(): Place {
  const [path = "", query] = location.hash.split("?");
  const hash = decoded(path);
  if (hash === "#/graph") return { kind: "graph" };
  if (hash === "#/plan") return { kind: "plan" };
  if (hash === "#/inventories") return { kind: "inventories" };
  if (hash === "#/names") return { kind: "names" };
  if (hash === "#/chains") return { kind: "chains" };
  if (hash.startsWith("#/owner/")) return { kind: "owner", key: hash.slice("#/owner/".length) };
  if (hash.startsWith("#/component/")) {
    const tab = new URLSearchParams(query).get("tab") ?? firstTab;
    return { kind: "component", key: hash.slice("#/component/".length), tab };
  }
  return { kind: "overview" };
}

/** An address that somebody has cut short leads to the overview. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

class CurrentPlace {
  value = $state.raw<Place>(read());

  constructor() {
    addEventListener("hashchange", () => {
      this.value = read();
    });
  }

  /** Shows a part of a component under an address of its own; the way back still leaves the component. */
  showTab(tab: string): void {
    if (this.value.kind !== "component") return;
    const query = tab === firstTab ? "" : `?tab=${tab}`;
    history.replaceState(null, "", `${linkTo(this.value.key)}${query}`);
    this.value = { ...this.value, tab };
  }
}

export const place = new CurrentPlace();

export function linkTo(component: string): string {
  return `#/component/${encodeURIComponent(component)}`;
}

export function linkToOwner(owner: string): string {
  return `#/owner/${encodeURIComponent(owner)}`;
}

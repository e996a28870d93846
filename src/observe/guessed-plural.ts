/** The plural that a kind has by custom: `Widget` → `widgets`, `Policy` → `policies`, `Box` → `boxes`. */
export function guessedPlural(kind: string): string {
  const singular = kind.toLowerCase();
  if (/(?:s|x|z|ch|sh)$/.test(singular)) return `${singular}es`;
  if (/[^aeiou]y$/.test(singular)) return `${singular.slice(0, -1)}ies`;
  return `${singular}s`;
}

/** The elements from `start` to before `end`; a negative step goes backwards. */
export function sliceItems<T>(items: readonly T[], start: number, end: number, step: number): T[] {
  if (step === 1) return items.slice(start, end);
  const result: T[] = [];
  for (let index = start; step > 0 ? index < end : index > end; index += step) {
    const item = items[index];
    if (item !== undefined) result.push(item);
  }
  return result;
}

/** The same for the bytes of a string. */
export function sliceBytes(bytes: string, start: number, end: number, step: number): string {
  if (step === 1) return bytes.slice(start, end);
  let result = "";
  for (let index = start; step > 0 ? index < end : index > end; index += step) {
    result += bytes.charAt(index);
  }
  return result;
}

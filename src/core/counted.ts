// A number with its noun, as every text says it.

/** "1 change", "3 changes". `more`: the plural, where an s does not make it. */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}

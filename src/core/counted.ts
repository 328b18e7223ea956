// A number with its noun, the same way in every text.

/** "1 change", "3 changes". Pass `more` for an irregular plural. */
export function counted(count: number, one: string, more = `${one}s`): string {
  return `${count} ${count === 1 ? one : more}`;
}

// Tables that are asked with words from files: what every object inherits ("constructor", "__proto__") is not in them.

/** The table without what objects inherit. */
export function wordTable<Value>(entries: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> {
  const table: Record<string, Value> = { __proto__: null } as never;
  return Object.assign(table, entries);
}

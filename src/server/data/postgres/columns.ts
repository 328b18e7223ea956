// How tables of values get into a statement.

/** Rows of cells as one array per column, as unnest takes them. */
export function columnsOf(table: readonly (readonly unknown[])[], width: number): unknown[][] {
  return Array.from({ length: width }, (_, index) => table.map((cells) => cells[index]));
}

// Markdown tables, and the list of figures that have to be reached.

export type Cell = string | number | null;

/** Milliseconds and the like: three significant places are all that a shared machine gives. */
export function show(value: Cell, unit = ''): string {
  if (value === null) return '–';
  if (typeof value === 'string') return value;
  if (Number.isNaN(value)) return '–';
  const text =
    Math.abs(value) >= 100
      ? Math.round(value).toLocaleString('en')
      : value.toFixed(value !== 0 && Math.abs(value) < 0.1 ? 3 : 1);
  return unit === '' ? text : `${text} ${unit}`;
}

export function table(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const line = (cells: readonly Cell[]) => `| ${cells.map((cell) => show(cell)).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)].join('\n');
}

/** A figure that has to be reached: at most (or at least) so much. */
export interface Gate {
  readonly name: string;
  readonly reached: number;
  readonly bound: number;
  readonly unit: string;
  readonly kind: 'at most' | 'at least';
}

export function isMet({ reached, bound, kind }: Gate): boolean {
  return kind === 'at most' ? reached <= bound : reached >= bound;
}

/** What the console says while a run goes on; the tables go to standard output, this does not. */
export function say(text: string): void {
  process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${text}\n`);
}

export function print(text: string): void {
  process.stdout.write(`${text}\n\n`);
}

export function printGates(gates: readonly Gate[]): boolean {
  const missed = gates.filter((gate) => !isMet(gate));
  print(`## Figures to reach: ${gates.length - missed.length} of ${gates.length} met`);
  const rows = gates.map((gate) => [
    gate.name,
    isMet(gate) ? 'met' : 'MISSED',
    show(gate.reached, gate.unit),
    `${gate.kind} ${show(gate.bound, gate.unit)}`,
  ]);
  print(table(['figure', '', 'reached', 'wanted'], rows));
  return missed.length === 0;
}

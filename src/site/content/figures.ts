// Every measured figure that the front page and `/measured` state at headline size, with where it comes from: a cell of a table in
// bench/README.md. A test holds them equal, so that neither changes alone. The page `/measured` says how they are measured.

/** The percentiles in a cell, in their order. */
export const PERCENTILES = [50, 95, 99] as const;

export interface MeasuredFigure {
  /** In whole milliseconds, rounded up. */
  readonly ms: number;
  readonly what: string;
  readonly source: {
    /** First cell of the row. */
    readonly row: string;
    readonly percentile: (typeof PERCENTILES)[number];
  };
}

/** Path of the page that explains how the figures are measured. */
export const MEASURED_PAGE = '/measured';

/** The table that all of them come from: a heading of bench/README.md as far as it is unique, and a column. */
export const FIGURES_TABLE = { heading: '### On 2026-11-26', column: '100,000: Posthaste' } as const;

/** In the order in which the front page shows them. */
export const measuredFigures: readonly MeasuredFigure[] = [
  { ms: 16, what: 'to create a task', source: { row: 'create', percentile: 95 } },
  { ms: 16, what: 'to move the cursor', source: { row: 'move', percentile: 95 } },
  { ms: 18, what: 'to search, per letter', source: { row: 'search', percentile: 95 } },
  { ms: 22, what: 'to open the palette', source: { row: 'palette', percentile: 95 } },
];

/** Medians that stand beside the list on the front page until a visitor presses a key, by the command that they are of. */
export const medianFigures: readonly (MeasuredFigure & { readonly command: string })[] = [
  { command: 'cursor.down', ms: 5, what: 'move', source: { row: 'move', percentile: 50 } },
  { command: 'task.createBelow', ms: 10, what: 'create', source: { row: 'create', percentile: 50 } },
  { command: 'search.open', ms: 11, what: 'search', source: { row: 'search', percentile: 50 } },
  { command: 'palette.open', ms: 13, what: 'palette', source: { row: 'palette', percentile: 50 } },
];

/** What the page promises of every key: the 99th percentile at 1,000 and 100,000 tasks is below it. */
export const KEY_LIMIT_MS = 50;

/** What the headline promises: the 95th percentile of every key at 100,000 tasks is below it. */
export const HEADLINE_LIMIT_MS = 30;

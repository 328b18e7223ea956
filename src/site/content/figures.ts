// Every measured figure that the front page states, with where it comes from: a column of a row of a table in
// bench/README.md. A test holds them equal, so that neither changes alone. The page `/measured` says how they
// are measured.

export interface MeasuredFigure {
  /** As the page says it. */
  readonly text: string;
  readonly what: string;
  readonly source: {
    /** A heading of bench/README.md, as far as it is unique. */
    readonly heading: string;
    /** First cell of the row. */
    readonly row: string;
    readonly column: string;
    /** Which of the percentiles in the cell. */
    readonly percentile: 50 | 95 | 99;
  };
}

/** Path of the page that explains how the figures are measured. */
export const MEASURED_PAGE = '/measured';

const keyTime = (row: string) =>
  ({ heading: '### 10,000 tasks', row, column: 'Posthaste', percentile: 95 }) as const;

/** In the order in which the front page shows them. */
export const measuredFigures: readonly MeasuredFigure[] = [
  {
    text: '16.9 ms',
    what: 'to move the cursor, from key press to finished frame',
    source: keyTime('move'),
  },
  { text: '20.0 ms', what: 'to create a task', source: keyTime('create') },
  { text: '21.1 ms', what: 'to search 10,000 tasks, per letter', source: keyTime('search') },
  { text: '22.3 ms', what: 'to open the command palette', source: keyTime('palette') },
];

/** What the page promises of all of them: the 95th percentile of every key at 10,000 tasks is below it. */
export const KEY_LIMIT_MS = 50;

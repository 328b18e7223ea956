// Where a page of changes ends. A version is one atomic change, so a page holds all of it or nothing.

interface Versioned {
  readonly version: number;
}

type Cut<R, G> =
  /** Nothing is left beyond what was found. */
  | { readonly type: 'all' }
  /** These, complete up to `to`. */
  | { readonly type: 'part'; readonly rows: readonly R[]; readonly gone: readonly G[]; readonly to: number }
  /** One version is larger than a page: read all of it. */
  | { readonly type: 'version'; readonly version: number };

/** `rows` and `gone` are each in version order and were read with a limit of `maxRows + 1`. */
export function cutPage<R extends Versioned, G extends Versioned>(found: {
  readonly rows: readonly R[];
  readonly gone: readonly G[];
  readonly maxRows: number;
}): Cut<R, G> {
  const { rows, gone, maxRows } = found;
  if (rows.length + gone.length <= maxRows) return { type: 'all' };
  const versions = [...rows, ...gone].map(({ version }) => version).toSorted((a, b) => a - b);
  const first = versions[0] ?? 0;
  const end = versions[maxRows] ?? 0;
  if (end === first) return { type: 'version', version: first };
  const isBefore = (item: Versioned) => item.version < end;
  // `end` is the next version that has anything, so what lies between belongs to this page.
  return { type: 'part', rows: rows.filter(isBefore), gone: gone.filter(isBefore), to: end - 1 };
}

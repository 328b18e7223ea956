// Recent changes of the scopes being written, in memory, so that an up-to-date device is answered without a database read.
// A hint only: anything missing here is read from the store.
import type { Id } from '#core/ids.ts';
import type { Row } from '#sync/rows/row.ts';

/** At least this many of the newest rows are kept, and at most twice as many. */
const ROWS_PER_SCOPE = 1_024;
const SCOPES = 1_024;

interface Window {
  /** Every change after this version is here. */
  from: number;
  to: number;
  digest: string;
  rows: Row[];
}

export interface RecentPage {
  readonly rows: readonly Row[];
  readonly to: number;
  readonly digest: string;
}

export class RecentChanges {
  readonly #windows = new Map<Id, Window>();

  /** Notes a committed transaction that led the scope from one version to the next. */
  add(
    scope: Id,
    change: {
      readonly from: number;
      readonly to: number;
      readonly digest: string;
      readonly rows: readonly Row[];
    },
  ): void {
    let window = this.#windows.get(scope);
    // Another process wrote in between: the kept changes are no longer contiguous.
    if (window !== undefined && window.to !== change.from) window = undefined;
    this.#windows.delete(scope);
    window ??= { from: change.from, to: change.from, digest: '', rows: [] };
    window.rows.push(...change.rows);
    window.to = change.to;
    window.digest = change.digest;
    // Not at every change: shortening costs as much as the window is long.
    if (window.rows.length > 2 * ROWS_PER_SCOPE) {
      const cut = window.rows[window.rows.length - ROWS_PER_SCOPE] as Row;
      window.from = cut.version;
      window.rows = window.rows.filter((row) => row.version > cut.version);
    }
    this.#windows.set(scope, window);
    for (const [oldest] of this.#windows) {
      if (this.#windows.size <= SCOPES) break;
      this.#windows.delete(oldest);
    }
  }

  /** Latest state of every row changed after `version`; null: not known here. */
  since(scope: Id, version: number): RecentPage | null {
    const window = this.#windows.get(scope);
    if (window === undefined || version < window.from || version > window.to) return null;
    const latest = new Map<Id, Row>();
    for (let index = window.rows.length - 1; index >= 0; index -= 1) {
      const row = window.rows[index] as Row;
      if (row.version <= version) break;
      if (!latest.has(row.id)) latest.set(row.id, row);
    }
    return { rows: [...latest.values()].toReversed(), to: window.to, digest: window.digest };
  }

  forget(scope: Id): void {
    this.#windows.delete(scope);
  }
}

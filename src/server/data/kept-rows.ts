// Rows that were read to be shown lately, by their version: who asks for the same tasks again gets the same objects, and what was made of
// them is found by them. Not for merging, which needs stamps.
import type { Id } from '#core/ids.ts';
import { cellsToReadRow } from './row-columns.ts';
import type { ReadRow } from '#api/task-reads.ts';

/** Rows read lately stay for as many others twice. A row with all that is made of it takes some 3 KB. */
const KEPT = 4_000;

/** What tells a state of a row. */
export interface RowMark {
  readonly scope: Id;
  readonly id: Id;
  readonly version: number;
  /** A restored database counts its versions from an earlier one on; times go on. */
  readonly updatedAt: number;
}

const KEPT_PAGES = 500;

/** A page of rows, and the state of its scope in which it was read. */
interface KeptPage {
  readonly state: string;
  readonly rows: readonly ReadRow[];
}

/** A bounded cache of rows by id, and of pages of them. */
export class KeptRows {
  #young = new Map<Id, ReadRow>();
  #old = new Map<Id, ReadRow>();
  readonly #pages = new Map<string, KeptPage>();

  /** The rows of a page, read anew when its scope has changed. `state`: of the scope, in the snapshot that `read` reads from. */
  page(name: string, state: string, read: () => readonly ReadRow[]): readonly ReadRow[] {
    return this.findPage(name, state) ?? this.keepPage(name, { state, rows: read() });
  }

  /** The rows of a page, if it was read in this state of its scope. */
  findPage(name: string, state: string): readonly ReadRow[] | undefined {
    const known = this.#pages.get(name);
    return known?.state === state ? known.rows : undefined;
  }

  /** `state`: of the scope, read before the rows or with them. */
  keepPage(name: string, page: KeptPage): readonly ReadRow[] {
    if (this.#pages.size >= KEPT_PAGES) this.#pages.clear();
    this.#pages.set(name, page);
    return page.rows;
  }

  /** The row in exactly this state, if it is here. */
  find({ scope, id, version, updatedAt }: RowMark): ReadRow | undefined {
    const row = this.#young.get(id) ?? this.#old.get(id);
    if (row?.version !== version || row.updatedAt !== updatedAt || row.scope !== scope) return undefined;
    if (!this.#young.has(id)) this.#add(row);
    return row;
  }

  /** The row of columns as `cellsToReadRow` reads them. */
  read(cells: readonly unknown[]): ReadRow {
    const [scope, id, , version, , updatedAt] = cells;
    const mark = {
      scope: scope as Id,
      id: id as Id,
      version: version as number,
      updatedAt: updatedAt as number,
    };
    const known = this.find(mark);
    if (known !== undefined) return known;
    const row = cellsToReadRow(cells);
    this.#add(row);
    return row;
  }

  #add(row: ReadRow): void {
    if (this.#young.size >= KEPT) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(row.id, row);
  }
}

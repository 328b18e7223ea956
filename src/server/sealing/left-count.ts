// How many registers of a scope are not yet in the form that its state leads to: counted once in portions beside other work, then kept up
// with what changes. Exact for the version that it names.
import type { Id } from '#core/ids.ts';
import { isEntityType } from '#core/model.ts';
import type { Row } from '#sync/rows/row.ts';
import { leftIn } from '#sync/sealing/reencoding.ts';
import { positionOf, type ScopeSealing } from '#sync/sealing/scope-state.ts';
import type { Store } from '../data/store.ts';

const PAGE_ROWS = 1_000;
/** Scopes that are remembered; another one is counted from the start. */
const REMEMBERED = 32;

/** Registers of a row that are not in the form; a row of a newer program has none that this one knows. */
export const leftOf = (state: ScopeSealing, row: Row): number =>
  isEntityType(row.type) ? leftIn(state, row) : 0;

interface Counted {
  readonly state: ScopeSealing;
  version: number;
  /** Only rows that have any. */
  readonly byRow: Map<Id, number>;
}

/** The count of a scope, and the version at which it holds. */
export interface Left {
  readonly version: number;
  readonly left: number;
}

/** Counts registers in their earlier form. */
export class LeftCount {
  readonly #store: Pick<Store, 'changes'>;
  readonly #nextTurn: (work: () => void) => void;
  readonly #scopes = new Map<Id, Counted>();

  constructor(store: Pick<Store, 'changes'>, nextTurn: (work: () => void) => void) {
    this.#store = store;
    this.#nextTurn = nextTurn;
  }

  async of(scope: Id, state: ScopeSealing): Promise<Left> {
    const { version, byRow } = await this.#counted(scope, state);
    return { version, left: [...byRow.values()].reduce((sum, each) => sum + each, 0) };
  }

  /** The rows that hold such registers, in the order of ids. */
  async rows(scope: Id, state: ScopeSealing): Promise<readonly Id[]> {
    return [...(await this.#counted(scope, state)).byRow.keys()].toSorted();
  }

  async #counted(scope: Id, state: ScopeSealing): Promise<Counted> {
    const known = this.#scopes.get(scope);
    const counted =
      known !== undefined && positionOf(known.state) === positionOf(state)
        ? known
        : { state, version: 0, byRow: new Map<Id, number>() };
    for (;;) {
      const page = await this.#store.changes(scope, counted.version, PAGE_ROWS);
      // The database was put back while this server ran: what was counted is of another history.
      if (page.head.version < counted.version) {
        this.#scopes.delete(scope);
        return await this.#counted(scope, state);
      }
      for (const row of page.rows) {
        const left = leftOf(state, row);
        if (left > 0) counted.byRow.set(row.id, left);
        else counted.byRow.delete(row.id);
      }
      for (const id of [...page.gone, ...page.moved.map((away) => away.id)]) counted.byRow.delete(id);
      counted.version = page.to;
      if (!page.more) break;
      await new Promise<void>((resolve) => this.#nextTurn(resolve));
    }
    if (this.#scopes.size >= REMEMBERED && !this.#scopes.has(scope)) this.#scopes.clear();
    this.#scopes.set(scope, counted);
    return counted;
  }

  /** Nothing is under way there any more. */
  forget(scope: Id): void {
    this.#scopes.delete(scope);
  }
}

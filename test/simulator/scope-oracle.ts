// What histories of several scopes (scopes.ts) wrote, and what must have become of it: which title stands, what is in the
// history, what may have been refused. It knows the clock of the world and every verdict, also of answers that were lost, and
// nothing of scopes or versions.
import assert from 'node:assert/strict';
import type { Id } from '#core/ids.ts';
import type { HistoryEntry } from '#server/data/store.ts';
import { isRefusal, type HeardVerdict, type Operation } from '#sync/rows/operation.ts';
import { fieldOf, type Row } from '#sync/rows/row.ts';

/** An operation with what became of it. */
interface Said {
  readonly operation: Operation;
  /** Its author may read every scope that there is. */
  readonly isByReader: boolean;
  verdict: HeardVerdict | null;
}

interface Timed {
  /** When the server takes it to be written: never before what the same device wrote earlier. */
  readonly at: number;
  readonly said: Said;
}

interface Title extends Timed {
  readonly id: Id;
  readonly value: unknown;
}

export class ScopeOracle {
  /** By device, in the order of their numbers. */
  readonly #said = new Map<Id, Map<number, Said>>();

  issued(device: Id, operations: readonly Operation[], isByReader: boolean): void {
    for (const operation of operations)
      this.#of(device).set(operation.q, { operation, isByReader, verdict: null });
  }

  /** The server judged these, whether or not the device will hear of it. */
  judged(device: Id, results: readonly (readonly [number, HeardVerdict])[]): void {
    for (const [q, verdict] of results) {
      const said = this.#of(device).get(q);
      if (said === undefined) continue;
      assert.equal(said.verdict ?? verdict, verdict, 'an operation is judged once');
      said.verdict = verdict;
    }
  }

  /** What waited for a scope that the server did not know gets new numbers. */
  renumbered(device: Id, before: readonly number[], operations: readonly Operation[]): void {
    const said = this.#of(device);
    for (const q of before) if (said.get(q)?.verdict === null) said.delete(q);
    this.issued(device, operations, false);
  }

  check(rows: ReadonlyMap<Id, Row>, history: readonly HistoryEntry[]): void {
    const all = [...this.#said.values()].flatMap((said) => [...said.values()]);
    const made = new Set<Id>();
    for (const { operation, verdict } of all)
      if (operation.a === 'create' && verdict === 'ok') made.add(operation.id);
    for (const id of made) assert.ok(rows.has(id), 'no row is lost');
    for (const { operation, verdict, isByReader } of all) {
      assert.ok(verdict !== null, 'every operation is judged');
      if (isByReader && made.has(operation.id))
        assert.ok(
          verdict !== 'gone' && verdict !== 'forbidden',
          'who may read every scope is refused nothing for want of it',
        );
    }
    const recorded = new Set(history.flatMap(({ operation: { a, u } }) => (a === 'moved' ? [] : [u])));
    for (const { operation, verdict } of all)
      if (verdict === 'ok') assert.ok(recorded.has(operation.u), 'what was accepted is in the history');
    this.#checkTitles(rows);
    const placed = this.#timed().filter(
      ({ said: { operation, verdict } }) =>
        'place' in operation && operation.a === 'place' && verdict === 'ok',
    );
    this.#checkUndone(
      'place',
      Map.groupBy(placed, ({ said }) => said.operation.id),
    );
  }

  /** `history`: of one row, from every scope. It says everything that was done to the row, wherever that was. */
  checkHistoryOf({ id, hops = 0 }: Row, history: readonly HistoryEntry[]): void {
    const told = new Set(history.map(({ operation }) => operation.u));
    for (const all of this.#said.values())
      for (const { operation, verdict } of all.values())
        if (operation.id === id && verdict === 'ok')
          assert.ok(told.has(operation.u), 'the history of a row has all that was done to it');
    // Where it arrives with a step of a large move, that is told as well: it was nothing there before.
    const moves = history.filter(({ operation, before }) => {
      return (
        operation.a === 'moved' && before.some((changed) => changed.id === id && changed.fields !== null)
      );
    });
    assert.equal(moves.length, hops, 'the history of a row says each of its moves');
  }

  /** Of the titles of a task the one written last stands: everybody's clock is right here. */
  #checkTitles(rows: ReadonlyMap<Id, Row>): void {
    const titles = Map.groupBy(this.#titles(), ({ id }) => id);
    for (const [id, written] of titles) {
      const [last] = written.toSorted((a, b) => b.at - a.at || b.said.operation.q - a.said.operation.q);
      const row = rows.get(id);
      if (row !== undefined && last !== undefined)
        assert.equal(fieldOf(row, 'title') ?? null, last.value, 'the title written last stands');
    }
    this.#checkUndone('set', titles);
  }

  /** `writes`: those that counted, by the row that they wrote. */
  #checkUndone(kind: 'set' | 'place', writes: ReadonlyMap<Id, readonly Timed[]>): void {
    for (const [device, all] of this.#said)
      for (const { operation, verdict } of all.values()) {
        if (operation.a !== kind || operation.only === undefined || verdict !== 'superseded') continue;
        const undone = this.#of(device).get(operation.only);
        const written = writes.get(operation.id) ?? [];
        const own = written.find(({ said }) => said === undone);
        assert.ok(
          own === undefined ||
            written.some(({ at, said }) => said !== undone && said.operation !== operation && at >= own.at),
          'an undo is in vain only if something was written after what it undoes',
        );
      }
  }

  #titles(): readonly Title[] {
    return this.#timed().flatMap(({ at, said }): Title[] => {
      const { operation, verdict } = said;
      if (operation.a !== 'set' || operation.field !== 'title' || verdict === null) return [];
      const counts = operation.only === undefined ? !isRefusal(verdict) : verdict === 'ok';
      return counts ? [{ id: operation.id, value: operation.value, at, said }] : [];
    });
  }

  #timed(): readonly Timed[] {
    return [...this.#said.values()].flatMap((all) => {
      let last = 0;
      return [...all.values()]
        .toSorted((a, b) => a.operation.q - b.operation.q)
        .map((said): Timed => {
          const at = Math.max(said.operation.t, last);
          if (said.verdict === 'ok') last = at;
          return { at, said };
        });
    });
  }

  #of(device: Id): Map<number, Said> {
    const said = this.#said.get(device) ?? new Map<number, Said>();
    this.#said.set(device, said);
    return said;
  }
}

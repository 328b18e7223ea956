// What histories of several scopes (scopes.ts) wrote, and what must have become of it: which title stands, which labels a task
// carries, what is in the history, what may have been refused. It knows the clock of the world and every verdict, also of answers that were lost, and
// nothing of scopes or versions.
import assert from 'node:assert/strict';
import type { Id } from '#core/ids.ts';
import type { HistoryEntry } from '#server/data/store.ts';
import { isRefusal, type HeardVerdict, type Operation } from '#sync/rows/operation.ts';
import { fieldOf, registersOf, type Row } from '#sync/rows/row.ts';
import { nameOf } from '#sync/rows/row-reading.ts';

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

/** A write to a title, or of a label of some name, whatever scope the label is in. */
interface Written extends Timed {
  readonly id: Id;
  /** Null: the title. */
  readonly label: string | null;
  readonly value: unknown;
}

const keyOf = ({ id, label }: Pick<Written, 'id' | 'label'>): string => `${id} ${label ?? ''}`;

const labelIn = (register: string): Id | null =>
  register.startsWith('label:') ? (register.slice('label:'.length) as Id) : null;

/** The names of the labels that a task carries: each is a label of its own scope, and each name comes once. */
function carriedBy(row: Row, rows: ReadonlyMap<Id, Row>): ReadonlySet<string> {
  const names: string[] = [];
  for (const [register, value] of Object.entries(registersOf(row))) {
    const label = labelIn(register);
    if (label === null || value !== true) continue;
    const of = rows.get(label);
    assert.equal(of?.scope, row.scope, 'a task carries labels of its own scope');
    names.push(nameOf(of));
  }
  assert.equal(new Set(names).size, names.length, 'a label is on a task once');
  return new Set(names);
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
    this.#checkWritten(rows);
    const placed = this.#timed().filter(
      ({ said: { operation, verdict } }) =>
        'place' in operation && operation.a === 'place' && verdict === 'ok',
    );
    const places = Map.groupBy(placed, ({ said }) => said.operation.id);
    this.#checkUndone((operation) =>
      operation.a === 'place' ? (places.get(operation.id) ?? []) : undefined,
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

  /**
   * Of the titles of a task the one written last stands, and of each label, by its name, whether it was put on or taken off last:
   * everybody's clock is right here.
   */
  #checkWritten(rows: ReadonlyMap<Id, Row>): void {
    const names = new Map<Id, string>();
    for (const row of rows.values()) if (row.type === 'label') names.set(row.id, nameOf(row));
    const carried = new Map<Id, ReadonlySet<string>>();
    for (const row of rows.values()) if (row.type === 'task') carried.set(row.id, carriedBy(row, rows));
    const all = Map.groupBy(this.#written(names), keyOf);
    for (const written of all.values()) {
      const [last] = written.toSorted((a, b) => b.at - a.at || b.said.operation.q - a.said.operation.q);
      const row = last === undefined ? undefined : rows.get(last.id);
      if (row === undefined || last === undefined) continue;
      if (last.label === null)
        assert.equal(fieldOf(row, 'title') ?? null, last.value, 'the title written last stands');
      else
        assert.equal(
          carried.get(row.id)?.has(last.label) === true,
          last.value === true,
          `a task carries the labels that were put on it last (${last.label})`,
        );
    }
    for (const [id, labels] of carried)
      for (const label of labels) assert.ok(all.has(keyOf({ id, label })), 'a label was put on by somebody');
    const plain = (operation: Operation): Pick<Written, 'id' | 'label'> | null => {
      if (operation.a !== 'set') return null;
      const label = labelIn(operation.field);
      if (label === null) return operation.field === 'title' ? { id: operation.id, label: null } : null;
      const name = names.get(label);
      return name === undefined ? null : { id: operation.id, label: name };
    };
    this.#checkUndone((operation) => {
      const key = plain(operation);
      return key === null ? undefined : all.get(keyOf(key));
    });
  }

  /** `writesOf`: those that counted for what an operation undoes; undefined: it is not looked at. */
  #checkUndone(writesOf: (operation: Operation) => readonly Timed[] | undefined): void {
    for (const [device, all] of this.#said)
      for (const { operation, verdict } of all.values()) {
        if (!('only' in operation) || operation.only === undefined || verdict !== 'superseded') continue;
        const undone = this.#of(device).get(operation.only);
        const written = writesOf(operation);
        const own = written?.find(({ said }) => said === undone);
        // A label that is taken off where it was not, and by an undo again, leaves no trace to compare.
        const isSame =
          operation.a === 'set' &&
          undone?.operation.a === 'set' &&
          operation.value === undone.operation.value;
        assert.ok(
          isSame ||
            written === undefined ||
            own === undefined ||
            written.some(({ at, said }) => said !== undone && said.operation !== operation && at >= own.at),
          'an undo is in vain only if something was written after what it undoes',
        );
      }
  }

  #written(names: ReadonlyMap<Id, string>): readonly Written[] {
    return this.#timed().flatMap(({ at, said }): Written[] => {
      const { operation, verdict } = said;
      if (verdict === null) return [];
      const { id } = operation;
      const of = (register: string, value: unknown): Written[] => {
        const label = labelIn(register);
        if (label === null) return register === 'title' ? [{ id, label, value, at, said }] : [];
        const name = names.get(label);
        return name === undefined ? [] : [{ id, label: name, value, at, said }];
      };
      // It exists where it was sent anew after an answer that nobody heard.
      const isMade = verdict === 'ok' || verdict === 'exists';
      if (operation.a === 'create' && operation.type === 'task' && isMade)
        return Object.entries(operation.fields).flatMap(([register, value]) =>
          register === 'title' ? [] : of(register, value),
        );
      if (operation.a !== 'set') return [];
      const counts = operation.only === undefined ? !isRefusal(verdict) : verdict === 'ok';
      return counts ? of(operation.field, operation.value) : [];
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

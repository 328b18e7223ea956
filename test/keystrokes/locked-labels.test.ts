// Labels that are typed on a device where those of before don't open: made anew then, and one with them once they open.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { labelsRoot, type Id } from '#core/ids.ts';
import { lockedOf, withLocked } from '#sync/rows/locked.ts';
import { isTrashed } from '#sync/rows/row-reading.ts';
import { fieldOf, isKnown, registersOf, withFields, type Row } from '#sync/rows/row.ts';
import { Desk } from './desk.ts';
import { SCOPE } from './desk-engine.ts';

const ENVELOPE = { e: 'AQAAAAE' };

interface Stage {
  readonly desk: Desk;
  /** Names of labels that aren't deleted. */
  readonly names: () => readonly string[];
  readonly lock: (...ids: readonly Id[]) => Promise<void>;
  readonly open: (...ids: readonly Id[]) => Promise<void>;
  /** Labels on the task, by name, those that are deleted in brackets. */
  readonly on: (title: string) => readonly string[];
  readonly ids: Readonly<Record<string, Id>>;
}

/** A desk with labels of which the names are locked. */
async function stage(...labels: readonly string[]): Promise<Stage> {
  const desk = new Desk('> A\nB', { isConfirmed: true });
  await desk.settle();
  const ids: Record<string, Id> = {};
  for (const name of labels) {
    const id = desk.replica.newId();
    ids[name] = id;
    desk.replica.issue([
      { a: 'create', id, type: 'label', fields: { name }, place: { parent: labelsRoot(SCOPE) } },
    ]);
  }
  const opened = new Map<Id, Row>();
  const put = async (rows: readonly Row[]) => {
    desk.replica.amend({ incoming: new Map(rows.map((row) => [row.id, row])) });
    await desk.settle();
    desk.timers.advance(1_000);
    await desk.settle();
  };
  const rowOf = (id: Id): Row => {
    const row = must(desk.replica.row(id), 'a label');
    assert.ok(isKnown(row));
    return row;
  };
  const lock = (...wanted: readonly Id[]) =>
    put(
      wanted.map((id) => {
        const row = rowOf(id);
        opened.set(id, row);
        const sealed = { ...row, version: row.version + 1 };
        return withLocked(withFields(sealed, { ...registersOf(row), name: ENVELOPE }), new Set(['name']));
      }),
    );
  const living = () => [...desk.replica.all()].filter((row) => row.type === 'label' && !isTrashed(row));
  await lock(...Object.values(ids));
  return {
    desk,
    ids,
    names: () =>
      living()
        .map((row) => fieldOf(row, 'name') ?? '')
        .toSorted(),
    lock,
    open: (...wanted) =>
      put(
        wanted.map((id) => {
          const row = must(opened.get(id), 'a label that was locked');
          return { ...row, version: rowOf(id).version + 1 };
        }),
      ),
    on(title) {
      const task = [...desk.replica.all()].find((row) => fieldOf(row, 'title') === title);
      return Object.entries(registersOf(task))
        .flatMap(([register, value]) => {
          if (!register.startsWith('label:') || value !== true) return [];
          const label = desk.replica.row(register.slice('label:'.length) as Id);
          const name = fieldOf(label, 'name') ?? '';
          return [isTrashed(label) ? `(${name})` : name];
        })
        .toSorted();
    },
  };
}

/** A task, as it is typed with its labels, in quick entry. */
async function type(desk: Desk, line: string): Promise<void> {
  desk.press('Mod+Shift+Space');
  await desk.settle();
  desk.app.answer('quickEntry', { action: 'type', text: line, caret: line.length });
  desk.app.answer('quickEntry', { action: 'save' });
  desk.press('Escape');
  await desk.settle();
  desk.timers.advance(1_000);
  await desk.settle();
}

describe('a label that is typed while others are locked', () => {
  test('[SEAL-426] goes into the one of its name as soon as that opens, on all that has it', async () => {
    const { desk, ids, names, on, open } = await stage('errand', 'home');
    const { errand = '' as Id, home = '' as Id } = ids;
    assert.deepEqual(names(), ['Locked', 'Locked']);
    await type(desk, 'Buy oats #Errand #garden');
    await type(desk, 'Post a letter #errand');
    assert.deepEqual(names(), ['Errand', 'Locked', 'Locked', 'garden']);
    assert.deepEqual([on('Buy oats'), on('Post a letter')], [['Errand', 'garden'], ['Errand']]);
    await open(errand, home);
    assert.deepEqual(names(), ['errand', 'garden', 'home']);
    assert.deepEqual([on('Buy oats'), on('Post a letter')], [['errand', 'garden'], ['errand']]);
    assert.equal(lockedOf(desk.replica.row(errand)), undefined);
  });

  test('[SEAL-426] opened one after the other, each is put together when its turn comes', async () => {
    const { desk, ids, names, on, open } = await stage('errand', 'home');
    const { errand = '' as Id, home = '' as Id } = ids;
    await type(desk, 'Buy oats #errand #home');
    await open(home);
    assert.deepEqual(names(), ['Locked', 'errand', 'home']);
    await open(errand);
    assert.deepEqual(names(), ['errand', 'home']);
    assert.deepEqual(on('Buy oats'), ['errand', 'home']);
  });

  test('[SEAL-426] one that has no namesake, and one that was made while all was open, stays as it is', async () => {
    const { desk, ids, names, open, lock } = await stage('errand');
    const { errand = '' as Id } = ids;
    await type(desk, 'Dig #garden');
    await open(errand);
    assert.deepEqual(names(), ['errand', 'garden']);
    // Two of one name that a person has made are theirs to put together.
    const twin = desk.replica.newId();
    desk.replica.issue([
      {
        a: 'create',
        id: twin,
        type: 'label',
        fields: { name: 'Garden' },
        place: { parent: labelsRoot(SCOPE) },
      },
    ]);
    await lock(errand);
    await open(errand);
    assert.deepEqual(names(), ['Garden', 'errand', 'garden']);
  });
});

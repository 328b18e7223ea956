// Thousands of tasks of three programs come into the app (test/import/thousands.ts): what comes is compared with what was made, field by
// field, and one undo takes it back.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { isTrashed, nameOf, placeOf } from '#sync/rows/row-reading.ts';
import { fieldOf, registersOf, type Row } from '#sync/rows/row.ts';
import { ports } from '../import/things-files.ts';
import { thousands, type Wanted } from '../import/thousands.ts';
import { Desk, given } from './desk.ts';

function dueOf(row: Row): string | null {
  const due = fieldOf(row, 'due');
  return due !== undefined && due !== null && 'on' in due ? due.on : due ? JSON.stringify(due) : null;
}

function labelsOf(desk: Desk, row: Row): readonly string[] {
  return Object.entries(registersOf(row))
    .flatMap(([name, value]) =>
      name.startsWith('label:') && value === true ? [nameOf(desk.replica.row(name.slice(6) as Id))] : [],
    )
    .toSorted();
}

const living = (desk: Desk) =>
  [...desk.replica.all()].filter((row) => row.type === 'task' && !isTrashed(row));

/** Every task that came, by its title, as it has to be. */
function compare(desk: Desk, wanted: readonly Wanted[]): void {
  const rows = living(desk);
  assert.equal(rows.length, wanted.length, 'as many tasks as were made');
  const byTitle = new Map(rows.map((row) => [nameOf(row), row]));
  for (const each of wanted) {
    const row = byTitle.get(each.title);
    assert.ok(row, each.title);
    const parent = placeOf(row)?.parent;
    const said = {
      under: nameOf(parent === undefined ? undefined : desk.replica.row(parent)),
      due: dueOf(row),
      isDone: (fieldOf(row, 'status') ?? null) !== null,
      labels: labelsOf(desk, row),
    };
    const { under, due, isDone, labels } = each;
    assert.deepEqual(said, { under, due, isDone, labels: labels.toSorted() }, each.title);
    const notes = fieldOf(row, 'notes') ?? '';
    if (each.notes === null) assert.equal(notes, '', each.title);
    else assert.match(notes, each.notes, each.title);
  }
}

describe('files of strangers', () => {
  for (const [name, make] of Object.entries(thousands))
    test(`[IMPORT-118] ${name} with thousands of tasks comes as it was made, and leaves by one undo`, async () => {
      const { files, wanted } = make();
      const desk = new Desk('');
      desk.importPorts = ports;
      desk.sources = files.map(([file, content]) => given(file, content));
      desk.app.run('file.import');
      const asked = await desk.rehearsed();
      assert.match(asked.lead, new RegExp(`· ${wanted.length.toLocaleString('en-US')} tasks`));
      desk.press('Enter');
      desk.timers.advance(20_000);
      compare(desk, wanted);
      desk.press('Mod+Z');
      desk.timers.advance(20_000);
      assert.deepEqual(living(desk), []);
    });
});

// An import that an account has no room for is refused before anything is written.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboxId } from '#core/ids.ts';
import { roomProblem } from '#client/importing/room.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { asRow } from '#sync/rows/row.ts';
import { Desk, given } from './desk.ts';
import { SCOPE, START } from './desk-engine.ts';

const HERE = 99_990;

/** An account that is nearly full. */
function fullDesk(): Desk {
  const desk = new Desk('');
  const parent = inboxId(SCOPE);
  const rows = Array.from({ length: HERE }, (_, at) =>
    asRow({
      id: desk.replica.newId(),
      type: 'task',
      fields: { title: `Task ${at}`, place: { parent, key: `a${String(at).padStart(6, '0')}1` } },
      scope: SCOPE,
      version: 1,
      stamp: [1, START - 1, 1, 1],
      createdAt: START - 1,
      updatedAt: START,
    }),
  );
  receivePage(desk.replica, rows);
  return desk;
}

describe('the room of an account', () => {
  test('[IMPORT-109] more tasks than an account has room for are refused before anything is written; options make them fit', async () => {
    const desk = fullDesk();
    const before = desk.replica.size;
    const table = Array.from({ length: 15 }, (_, at) => `Row ${at},${at < 6 ? 'yes' : ''}`).join('\n');
    desk.sources = [given('all.csv', `title,done\n${table}`)];
    desk.app.run('file.import');
    const asked = await desk.rehearsed();
    assert.equal(asked.action, '');
    assert.match(
      asked.notes[0] ?? '',
      /^99,990 tasks are here, and an account holds 100,000\. There’s room for 10 more: leave out/,
    );
    desk.press('Enter');
    desk.timers.advance(1_000);
    assert.equal(desk.replica.size, before);
    desk.press('End', 'Space');
    const fits = await desk.rehearsed();
    assert.equal(fits.action, 'Import 9 tasks');
    desk.press('Enter');
    desk.timers.advance(1_000);
    assert.equal(desk.message, 'Added 9 tasks.');
  });

  test('[IMPORT-109] an import that adds nothing is never too large', () => {
    assert.equal(roomProblem(120_000, 0), null);
    assert.equal(roomProblem(99_999, 1), null);
    assert.match(roomProblem(120_000, 1) ?? '', /no room for more/);
  });
});

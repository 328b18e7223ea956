// The trash at the desk: what its lines say, and emptying it for good, with an account and without.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AccountFailure, AccountPort } from '#client/app/app.ts';
import { trashPart } from '#client/trash/trash-lazy.ts';
import type { TrashItem } from '#sync/replica/replica-types.ts';
import { START } from './desk-engine.ts';
import { Desk, outline } from './desk.ts';
import { noAccount } from './no-server.ts';
import { fieldOf } from '#sync/rows/row.ts';

await trashPart.load();

const DAY = 86_400_000;

const lines = (desk: Desk) => desk.rows().map(({ title, trashed }) => `${title}: ${trashed}`);

async function ask(desk: Desk): Promise<void> {
  desk.app.run('trash.empty');
  await desk.until(() => desk.app.view.dialog.get()?.type === 'emptyTrash');
}

function dialog(desk: Desk) {
  const shown = desk.app.view.dialog.get();
  assert.ok(shown?.type === 'emptyTrash');
  return shown;
}

async function confirm(desk: Desk): Promise<void> {
  desk.app.answer('emptyTrash', { action: 'confirm' });
  await desk.until(() => {
    const shown = desk.app.view.dialog.get();
    return shown?.type !== 'emptyTrash' || shown.error !== null;
  });
}

/** Answers like a server that removes at most so many at a time. */
function accountThat(
  answer: (items: readonly TrashItem[]) => { removed: number; left: number } | AccountFailure,
): AccountPort {
  return {
    ...noAccount,
    email: 'person@example.org',
    emptyTrash: (items) => Promise.resolve(answer(items)),
  };
}

const deskWith = (account: AccountPort) =>
  new Desk('> A\n  B\n  C', { account, sync: { type: 'synced' }, isConfirmed: true });

describe('trash', () => {
  test('[TRASH-1] says since when, and with an account until when', () => {
    const desk = new Desk('> A\n  B\n  C');
    desk.press('Delete');
    desk.timers.advance(2 * DAY);
    desk.press('Delete');
    desk.timers.advance(DAY);
    desk.app.tick();
    desk.app.run('go.trash');
    assert.deepEqual(lines(desk), ['B: deleted yesterday', 'A: deleted 3 days ago']);
    desk.app.run('go.inbox');
    assert.deepEqual(lines(desk), ['C: null']);
    desk.app.run('go.trash');
    // The server says so later, and an app that was left in the trash opens there.
    desk.engine.known = { trashDays: 20 };
    desk.app.tick();
    assert.deepEqual(lines(desk), [
      'B: deleted yesterday · erased on 19 Dec',
      'A: deleted 3 days ago · erased on 17 Dec',
    ]);
    assert.equal(START + 20 * DAY, Date.UTC(2026, 11, 17, 9));
  });

  test('[TRASH-2] [TRASH-3] without an account it empties here, with what is beneath, and only what was there', async () => {
    const desk = new Desk(
      outline(`
        > A
            Under
          B
          C`),
    );
    const [a, under, b] = desk.rows().map(({ id }) => id);
    assert.ok(a && under && b);
    desk.press('Delete', 'Delete');
    await ask(desk);
    assert.deepEqual([dialog(desk).count, dialog(desk).hasAccount], [2, false]);
    desk.app.run('edit.undo');
    assert.equal(fieldOf(desk.replica.row(b), 'del') ?? null, null);
    await confirm(desk);
    assert.deepEqual([desk.replica.row(a), desk.replica.row(under)], [undefined, undefined]);
    assert.equal(fieldOf(desk.replica.row(b), 'title'), 'B');
    const about = (await desk.engine.journal.read()).flatMap(({ operations }) => operations);
    assert.ok(about.every(({ id }) => id !== a && id !== under));
    desk.press('Mod+Z');
    assert.equal(desk.replica.row(a), undefined);
    desk.app.run('go.trash');
    assert.equal(desk.rows().length, 0);
    desk.app.run('trash.empty');
    assert.equal(desk.message, 'The trash is empty.');
  });

  test('[TRASH-2] with an account the server removes, in as many steps as it takes', async () => {
    const asked: TrashItem[][] = [];
    const desk = deskWith(
      accountThat((items) => {
        asked.push([...items]);
        return { removed: 1, left: items.length - 1 };
      }),
    );
    desk.press('Delete', 'Delete');
    desk.confirm();
    await ask(desk);
    assert.equal(dialog(desk).hasAccount, true);
    await confirm(desk);
    assert.deepEqual(
      asked.map((items) => items.length),
      [2, 1],
    );
    assert.deepEqual(asked[1], asked[0]?.slice(1));
    for (const { id, at } of asked[0] ?? [])
      assert.partialDeepStrictEqual(fieldOf(desk.replica.row(id), 'del'), { at });
    assert.equal(desk.message, 'Permanently deleted 2 items.');
    assert.equal(desk.engine.nudges, 1);
  });

  test('[TRASH-4] what the server does not do is said, and nothing goes', async () => {
    const offline: AccountFailure = { type: 'offline', message: 'The server cannot be reached.' };
    const desk = deskWith(accountThat(() => offline));
    desk.press('Delete');
    desk.app.run('trash.empty');
    await desk.settle();
    assert.match(desk.message, /^Some changes haven’t synced yet/);
    desk.confirm();
    await ask(desk);
    await confirm(desk);
    assert.deepEqual([dialog(desk).error, dialog(desk).busy], ['The server cannot be reached.', false]);
    desk.app.closeDialog();
    desk.engine.setSync({ type: 'onDevice', waiting: 0, online: false });
    desk.app.run('trash.empty');
    await desk.settle();
    assert.match(desk.message, /^Can’t reach the server/);
    desk.engine.detach();
    desk.app.run('trash.empty');
    await desk.settle();
    assert.match(desk.message, /Enable cloud sync first/);
    assert.equal(desk.app.view.dialog.get(), null);
    desk.app.run('go.trash');
    assert.equal(desk.rows().length, 1);
  });
});

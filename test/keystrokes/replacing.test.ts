// Find and replace at the keyboard: what it shows, what it leaves out, and the one undo step.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { lazyReplacing } from '#client/replacing/lazy.ts';
import { inboxId, type Id } from '#core/ids.ts';
import type { ReplacePattern } from '#core/replace.ts';
import type { ReplaceAction, ReplaceView } from '#client/replacing/replace-view.ts';
import type { ReplacerAnswer } from '#client/replacing/replacer.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { office } from './office.ts';
import { fieldOf } from '#sync/rows/row.ts';

async function opened(desk: Desk): Promise<Desk> {
  await lazyReplacing.load();
  desk.press('Mod+Shift+F');
  return desk;
}

function shown(desk: Desk): ReplaceView {
  const dialog = desk.app.view.dialog.get();
  assert.equal(dialog?.type, 'replace');
  return (dialog as { readonly replace: ReplaceView }).replace;
}

const act = (desk: Desk, action: ReplaceAction) => desk.app.answer('replace', action);
const say = (desk: Desk, said: Partial<ReplacePattern>) => act(desk, { action: 'say', said });
const marked = (parts: ReplaceView['rows'][number]['parts']) =>
  parts.map(({ text, isFound }) => (isFound ? `[${text}]` : text)).join('');
const preview = (desk: Desk) =>
  shown(desk).rows.map(({ parts, after }) => `${marked(parts)} > ${marked(after)}`);

describe('find and replace', () => {
  test('[REPLACE-1] [REPLACE-4] every title as it is and as it will be, and what is left out stays', async () => {
    const desk = await opened(new Desk('> Call Anna\n  call Ann again\n    Recall\n  Buy milk ✓'));
    assert.deepEqual(preview(desk), []);
    say(desk, { find: 'call' });
    say(desk, { replacement: 'Ring' });
    assert.deepEqual(preview(desk), [
      '[Call] Anna > [Ring] Anna',
      '[call] Ann again > [Ring] Ann again',
      'Re[call] > Re[Ring]',
    ]);
    say(desk, { wholeWords: true });
    assert.equal(shown(desk).found, 2);
    say(desk, { matchCase: true });
    assert.deepEqual(preview(desk), ['[call] Ann again > [Ring] Ann again']);
    say(desk, { matchCase: false });
    const [first] = shown(desk).rows;
    assert.ok(first);
    act(desk, { action: 'include', id: first.id, isIn: false });
    assert.equal(shown(desk).chosen, 1);
    act(desk, { action: 'replace' });
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(desk.message, 'Replaced in 1 title.');
    assert.equal(desk.screen(), '> Call Anna\n  Ring Ann again\n    Recall\n  Buy milk ✓');
    desk.press('Mod+Z');
    assert.equal(desk.screen(), '  Call Anna\n> call Ann again\n    Recall\n  Buy milk ✓');
  });

  test('the selected tasks, what is open, or everywhere', async () => {
    const desk = office();
    desk.press('x', 'Down');
    await opened(desk);
    const titles = () => shown(desk).scopes.map(({ title }) => title);
    assert.deepEqual(titles(), ['The selected task', 'In Inbox', 'Everywhere']);
    say(desk, { find: 'e' });
    say(desk, { replacement: '3' });
    assert.deepEqual(preview(desk), ['Pay r[e]nt > Pay r[3]nt']);
    act(desk, { action: 'scope', scope: 'here' });
    assert.equal(shown(desk).found, 1);
    act(desk, { action: 'scope', scope: 'everything' });
    assert.ok(shown(desk).found > 2);
    assert.ok(
      !preview(desk).some((line) => line.includes('Archive')),
      'what was cleared away keeps its title',
    );
    desk.app.closeDialog();
    desk.press('Escape', '/');
    desk.app.searchInput('numbers');
    await opened(desk);
    assert.deepEqual(titles(), ['The tasks found', 'Everywhere']);
  });

  test('[REPLACE-2] expressions with groups; what cannot be read is said', async () => {
    const desk = await opened(new Desk('> Doe, Jane\n  Roe, Richard'));
    say(desk, { isRegex: true });
    say(desk, { find: String.raw`(\w+), (\w+` });
    assert.match(shown(desk).problem ?? '', /^Can’t read this expression/);
    assert.equal(shown(desk).found, 0);
    say(desk, { find: String.raw`(\w+), (\w+)` });
    say(desk, { replacement: '$2 $1' });
    assert.equal(shown(desk).isLooking, true);
    act(desk, { action: 'replace' });
    assert.equal(desk.screen(), '> Doe, Jane\n  Roe, Richard', 'nothing before all is known');
    await desk.settle();
    assert.deepEqual(preview(desk), ['[Doe, Jane] > [Jane Doe]', '[Roe, Richard] > [Richard Roe]']);
    act(desk, { action: 'replace' });
    assert.equal(desk.screen(), '> Jane Doe\n  Richard Roe');
    assert.equal(desk.message, 'Replaced in 2 titles.');
  });

  test('[REPLACE-3] one without an end is stopped, and plain text offered', async () => {
    const desk = new Desk('> (a+)+$ aaa');
    const answers: ReplacerAnswer[] = [{ type: 'slow' }, { type: 'failed' }];
    desk.replacer = {
      run: () => Promise.resolve(answers.shift() ?? { type: 'failed' }),
      close: () => undefined,
    };
    await opened(desk);
    say(desk, { isRegex: true });
    say(desk, { find: '(a+)+$' });
    await desk.settle();
    assert.match(shown(desk).problem ?? '', /takes too long/);
    assert.ok(shown(desk).offersPlain);
    say(desk, { find: '(a+)+' });
    await desk.settle();
    assert.match(shown(desk).problem ?? '', /Can’t use expressions now/);
    say(desk, { find: '(a+)+$' });
    say(desk, { isRegex: false });
    assert.equal(shown(desk).problem, null);
    assert.deepEqual(preview(desk), ['[(a+)+$] aaa >  aaa']);
  });

  test('[REPLACE-5] thousands in one step; who changed meanwhile, or would be too long, stays', async () => {
    const desk = new Desk('> One');
    const made = Array.from({ length: 1_300 }, (_, at) => ({
      a: 'create' as const,
      id: desk.replica.newId(),
      type: 'task' as const,
      fields: { title: `Find no.${at}` },
      place: { parent: inboxId(SCOPE) },
    }));
    desk.replica.issue(made);
    const ids = made.map(({ id }) => id);
    desk.replica.issue([{ a: 'set', id: ids[0] as Id, field: 'title', value: `Find ${'x'.repeat(3_990)}` }]);
    await opened(desk);
    say(desk, { find: 'Find' });
    say(desk, { replacement: 'Replacement' });
    assert.equal(shown(desk).found, 1_300);
    assert.equal(shown(desk).rows.length, 100);
    assert.equal(shown(desk).chosen, 1_299);
    assert.match(shown(desk).rows[0]?.problem ?? '', /too long/);
    act(desk, { action: 'more' });
    assert.equal(shown(desk).rows.length, 200);
    desk.replica.issue([{ a: 'set', id: ids[5] as Id, field: 'title', value: 'Somebody else' }]);
    act(desk, { action: 'replace' });
    desk.timers.advance(1_000);
    assert.equal(desk.message, 'Replaced in 1298 titles. 1 title couldn’t be changed.');
    assert.equal(fieldOf(desk.replica.row(ids[1_299] as Id), 'title'), 'Replacement no.1299');
    desk.press('Mod+Z');
    desk.timers.advance(1_000);
    assert.equal(fieldOf(desk.replica.row(ids[1_299] as Id), 'title'), 'Find no.1299');
    assert.equal(fieldOf(desk.replica.row(ids[7] as Id), 'title'), 'Find no.7');
  });
});

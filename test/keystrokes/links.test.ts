// Links into the app at a desk. What each of them does is tried in a browser (test/browser/links.test.ts).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Desk } from './desk.ts';
import { fieldOf } from '#sync/rows/row.ts';

describe('a link', () => {
  for (const [end, name] of [
    ['resolve', 'is made'],
    ['reject', 'could not be made'],
  ] as const)
    test(`[LINK-12] is followed once what the page before could not write ${name}`, async () => {
      const gate = Promise.withResolvers<void>();
      const desk = new Desk('> First', { taken: gate.promise });
      desk.app.follow('/app/open/quick-entry?title=Second');
      await desk.settle();
      assert.equal(desk.screen(), '> First');
      gate[end]();
      await desk.until(() => desk.screen().includes('Second'));
      assert.match(desk.message, /^Added ‘Second’/);
    });

  /** What quick entry holds after a link; null: it was not opened. */
  async function held(query: string, desk = new Desk('> First')) {
    desk.app.follow(`/app/open/quick-entry${query}`);
    await desk.settle();
    const dialog = desk.app.view.dialog.get();
    assert.equal(desk.screen(), '> First', 'nothing was added');
    if (dialog?.type !== 'quickEntry') return null;
    const { text, notes, reason, tokens } = dialog.entry;
    return { text, notes, reason, chips: tokens.map(({ said }) => said) };
  }

  for (const [wrong, reason] of [
    ['durationMinutes=abc', '“abc” isn’t a number of minutes.'],
    ['durationMinutes=-5', '“-5” isn’t a number of minutes.'],
    ['dueAtTimestamp=blah', '“blah” isn’t a timestamp.'],
    ['due=tomorrow', 'Posthaste doesn’t know ‘due’ in this link.'],
    ['labels=nosuch', 'Posthaste doesn’t know ‘labels’ in this link.'],
    ['list=nolist', 'Posthaste doesn’t know ‘list’ in this link.'],
    [
      'startsAtQuery=blah&label=zz&durationMinutes=x&due=now',
      '‘blah’ isn’t a date. There’s no label ‘zz’. “x” isn’t a number of minutes. Posthaste doesn’t know ‘due’ in this link.',
    ],
  ] as const)
    test(`[LINK-2] with ${wrong} waits in quick entry, with every reason`, async () => {
      const rest = { text: 'Gone', notes: 'hello', chips: [] };
      assert.deepEqual(await held(`?title=Gone&${wrong}&notes=hello`), { ...rest, reason });
    });

  test('[LINK-4] of what is shared asks where it goes, and takes no date from words of somebody else', async () => {
    const desk = new Desk('> First');
    desk.app.run('list.create', { name: 'Reading' });
    desk.app.run('go.inbox');
    desk.app.follow('/app/open/share?title=Five+things+for+tomorrow&url=https%3A%2F%2Fexample.org');
    await desk.settle();
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'quickEntry');
    const { text, notes, reason, tokens } = dialog.entry;
    assert.deepEqual([text, notes, reason], ['Five things for tomorrow', 'https://example.org', '']);
    assert.deepEqual(
      tokens.map(({ state }) => state),
      ['suggested'],
    );
    desk.app.answer('quickEntry', { action: 'ask', what: 'list' });
    desk.app.answer('quickEntry', { action: 'pick', index: 1 });
    desk.app.answer('quickEntry', { action: 'save' });
    assert.equal(desk.message, 'Added ‘Five things for tomorrow’ to Reading.');
    assert.equal(desk.screen(), '> First');
  });

  test('[LINK-2] without a title keeps what else it says', async () => {
    assert.deepEqual(await held('?notes=hello&durationMinutes=45&dueAtTimestamp=x'), {
      text: '',
      notes: 'hello',
      reason: '“x” isn’t a timestamp.',
      chips: ['takes 45 min'],
    });
    assert.equal((await held(''))?.reason, '');
  });

  test('[LINK-2] to a place below a task says that quick entry cannot add there', async () => {
    const desk = new Desk('> First');
    const id = [...desk.replica.all()].find((held) => fieldOf(held, 'title') === 'First')?.id;
    assert.equal(
      (await held(`/id/${id}?title=Gone&durationMinutes=abc`, desk))?.reason,
      '“abc” isn’t a number of minutes. The place isn’t set. Move the task afterward.',
    );
  });

  test('[LINK-2] is followed whatever mail and networks add to it', async () => {
    const desk = new Desk('> First');
    desk.app.follow('/app/open/quick-entry?title=Second&utm_source=mail&fbclid=1&gclid=2');
    await desk.settle();
    assert.match(desk.message, /^Added ‘Second’/);
  });
});

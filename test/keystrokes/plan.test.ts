// Plans in the app: where they stand, choosing and changing one, the calm lines, and what a lapsed plan holds back. The server is one in memory.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { inboxId } from '#core/ids.ts';
import { DAY_MS } from '#core/time.ts';
import type { PlanView } from '#client/plan/plan-view.ts';
import type { Plan } from '#wire/billing.ts';
import { Desk, given } from './desk.ts';
import { noAccount, noLive } from './no-server.ts';
import { SCOPE, START } from './desk-engine.ts';
import { createMemoryPlan, type MemoryPlan, trialPlan } from './memory-plan.ts';

const LAPSED: Partial<Plan> = { state: 'lapsed', mayAdd: false, graceUntil: START - DAY_MS };
const ACTIVE: Partial<Plan> = {
  state: 'active',
  mayAdd: true,
  interval: 'year',
  periodEndsAt: START + 365 * DAY_MS,
  graceUntil: null,
  hasCustomer: true,
};
const REFUSED =
  /^Your (?:trial is over|plan has ended), so you can’t add tasks and lists\. To add again, (?:press g \$|close this and choose “Plan and payment…”)\.$/;

interface Sat {
  readonly desk: Desk;
  readonly server: MemoryPlan;
}

async function sit(
  start: Partial<Plan> = {},
  outline = '> Plan\n  Write',
  preferences = new Map([['lesson', 'over']]),
): Promise<Sat> {
  const server = createMemoryPlan(start);
  const live = () => Promise.resolve({ ...noLive, plan: () => server });
  const account = { ...noAccount, email: 'ida@example.org', live };
  const desk = new Desk(outline, {
    account,
    preferences,
    isConfirmed: true,
    features: ['plans'],
    sync: { type: 'synced' },
  });
  desk.timers.advance(1_000);
  await desk.settle();
  return { desk, server };
}

function view(desk: Desk): PlanView {
  const shown = desk.app.view.dialog.get();
  assert.ok(shown?.type === 'plan');
  return shown.plan;
}

async function act(desk: Desk, action: Parameters<typeof desk.app.answer<'plan'>>[1]): Promise<PlanView> {
  desk.app.answer('plan', action);
  await desk.settle();
  return view(desk);
}

async function open(desk: Desk): Promise<PlanView> {
  desk.press('Escape', 'g', '$');
  await desk.settle();
  desk.within = ['dialog.plan', 'list'];
  return view(desk);
}

const line = (desk: Desk) => desk.notices.get().find(({ offers }) => offers === 'plan')?.text ?? null;
const count = (desk: Desk, type: string) => [...desk.replica.all()].filter((row) => row.type === type).length;

describe('the plan in the app', () => {
  test('[MONEY-50] a server without plans has no command, no key and no word of them', async () => {
    const desk = new Desk('> Plan', {
      account: { ...noAccount, email: 'ida@example.org' },
      isConfirmed: true,
    });
    desk.timers.advance(1_000);
    await desk.settle();
    assert.deepEqual(
      [...desk.app.commands.keys()].filter((id) => id.startsWith('plan.')),
      [],
    );
    desk.press('g', '$');
    assert.equal(desk.app.view.dialog.get(), null);
    desk.press('Mod+K');
    for (const word of [
      'subscribe',
      'invoice',
      'billing',
      'trial',
      'promo',
      'commission',
      'enter promo code',
    ]) {
      desk.app.paletteInput(word);
      assert.deepEqual(
        desk
          .palette()
          .filter((title) =>
            /plan and|invoice|receipt|subscri|promo|affiliate/i.test(title.replace(/“.*”/, '')),
          ),
        [],
        word,
      );
    }
    desk.press('Escape', 'Escape', 'Mod+,');
    await desk.until(() => desk.app.view.dialog.get()?.type === 'settings');
    desk.app.answer('settings', { action: 'filter', text: 'promo' });
    const settings = desk.app.view.dialog.get();
    assert.ok(settings?.type === 'settings');
    assert.deepEqual(settings.settings.ways, []);
  });

  test('[MONEY-51] the dialog says where the trial stands, with its days and both prices', async () => {
    const { desk } = await sit();
    const shown = await open(desk);
    assert.match(shown.lines.join(' '), /Your trial runs until 11 December 2026: 14 days left\./);
    assert.deepEqual(
      shown.choices.map(({ name, price, note }) => [name, price, note]),
      [
        ['Yearly', 'US$48 a year', 'That’s US$4 a month'],
        ['Monthly', 'US$6 a month', ''],
      ],
    );
    assert.deepEqual(shown.can, { manage: false, invoices: false, promo: true, again: false });
  });

  test('[MONEY-51] its key works in every set of keys, and the settings lead to it', async () => {
    for (const preset of ['standard', 'vim', 'emacs']) {
      const { desk } = await sit();
      desk.app.run('keys.preset', { value: preset });
      assert.deepEqual(desk.app.keysOf('plan.open')[0], ['g', '$'], preset);
      assert.deepEqual((await open(desk)).title, 'Plan and payment', preset);
    }
    const { desk } = await sit();
    desk.app.run('settings.open');
    await desk.settle();
    desk.app.answer('settings', { action: 'filter', text: 'plan and payment' });
    const shown = desk.app.view.dialog.get();
    assert.ok(shown?.type === 'settings');
    assert.deepEqual(
      shown.settings.ways.map(({ command }) => command),
      ['plan.open'],
    );
  });

  test('[MONEY-52] a promo code is in the price before it is paid', async () => {
    const promo = { code: 'HARBOUR', partner: 'The Harbour', percent: 25, months: 12, isApplied: false };
    const { desk } = await sit({ promo });
    desk.press('Mod+K');
    desk.app.paletteInput('promo');
    assert.equal(desk.palette()[0], 'Enter promo code');
    desk.app.paletteInput('commission');
    assert.equal(desk.palette()[0], 'Affiliates');
    desk.press('Escape', 'Escape');
    const shown = await open(desk);
    assert.deepEqual(
      shown.choices.map(({ note }) => note),
      ['US$36 for the first year with HARBOUR', 'US$4.50 a month in your first 12 months with HARBOUR'],
    );
    assert.match(shown.promo ?? '', /applied automatically when you pay/);
  });

  test('[MONEY-53] by keys: a choice leads to the payment page in the browser, and the window notices that it was paid', async () => {
    const { desk, server } = await sit();
    await open(desk);
    desk.press('y');
    await desk.settle();
    assert.equal(view(desk).step, 'leaving');
    assert.deepEqual(desk.links, []);
    await act(desk, { action: 'open' });
    assert.deepEqual(desk.links, ['https://pay.example.org/year']);
    server.become(ACTIVE);
    await desk.settle();
    assert.equal(view(desk).step, 'returned');
    assert.match(
      view(desk).lines.join(' '),
      /^Thank you\. Your payment is here\. You’re subscribed for US\$48 a year\./,
    );
  });

  test('[MONEY-54] back from paying it asks until it is settled, and says nothing that isn’t so', async () => {
    const { desk, server } = await sit();
    server.paying = 'open';
    desk.app.follow('/app/open/purchase?checkout=cs_test_1', { hasOpened: true, isForeign: true });
    await desk.until(() => desk.app.view.dialog.get()?.type === 'plan');
    await desk.settle();
    assert.match(view(desk).lines.join(' '), /^Nothing has been paid yet/);
    server.isOffline = true;
    desk.timers.advance(2_000);
    await desk.settle();
    assert.equal(view(desk).said?.isError, true);
    server.isOffline = false;
    server.paying = 'waiting';
    desk.timers.advance(2_000);
    await desk.settle();
    assert.match(view(desk).lines.join(' '), /Your bank hasn’t answered yet/);
    server.paying = 'paid';
    server.plan = { ...server.plan, ...ACTIVE };
    desk.timers.advance(2_000);
    await desk.settle();
    assert.match(view(desk).lines.join(' '), /^Thank you\./);
    desk.app.follow('/app/open/purchase?checkout=canceled', { hasOpened: true, isForeign: true });
    await desk.until(() => view(desk).lines[0] === 'Nothing was paid.');
  });

  test('[MONEY-55] who pays changes the plan after a question, and finds card, receipts and invoices', async () => {
    const { desk, server } = await sit(ACTIVE);
    server.bills = [
      {
        number: 'A-1',
        at: START,
        cents: 3_600,
        refundedCents: 1_000,
        currency: 'usd',
        state: 'partly-refunded',
        url: 'https://pay.example.org/i/A-1',
      },
    ];
    await open(desk);
    desk.press('y');
    assert.equal(view(desk).said?.text, 'That’s the one you have.');
    desk.press('m');
    await desk.settle();
    assert.equal(view(desk).step, 'change');
    assert.deepEqual(view(desk).lines, [
      'You’ll pay US$6 a month. Nothing is charged today.',
      'The US$42 that you’ve paid and not used pays for what comes next.',
    ]);
    const changed = await act(desk, { action: 'yes' });
    assert.deepEqual([changed.step, changed.choices.map(({ isNow }) => isNow)], ['plan', [false, true]]);
    desk.press('y');
    await desk.settle();
    assert.deepEqual(view(desk).lines, ['You’ll pay US$48 a year. Your card is charged US$45 right away.']);
    await act(desk, { action: 'back' });
    const bills = await act(desk, { action: 'invoices' });
    assert.deepEqual(bills.invoices, [
      {
        number: 'A-1',
        on: '27 Nov 2026',
        amount: 'US$36',
        state: 'Partly refunded: US$10',
        url: 'https://pay.example.org/i/A-1',
      },
    ]);
    desk.press('Escape');
    assert.equal(view(desk).step, 'plan');
    desk.press('c');
    await desk.settle();
    await act(desk, { action: 'open' });
    assert.deepEqual(desk.links, ['https://pay.example.org/portal']);
  });

  test('[MONEY-55] a failed payment, and a plan that was canceled, lead to the card and begin no second subscription', async () => {
    for (const state of ['past-due', 'ending'] as const) {
      const { desk } = await sit({ ...ACTIVE, state });
      const shown = await open(desk);
      assert.deepEqual([shown.choices, shown.can.manage, shown.isEnding], [[], true, state === 'ending']);
      desk.press('y');
      await desk.settle();
      assert.equal(view(desk).step, 'plan');
    }
  });

  test('[MONEY-56] another device’s payment is known here at once, and after a start without a network', async () => {
    const preferences = new Map([['lesson', 'over']]);
    const { desk, server } = await sit(LAPSED, '> Plan', preferences);
    desk.press('Ctrl+Enter');
    assert.match(desk.message, REFUSED);
    server.become(ACTIVE);
    await desk.settle();
    desk.press('Escape', 'Ctrl+Enter');
    desk.type('Oats');
    desk.press('Escape');
    assert.match(desk.screen(), /Oats/);
    server.become(LAPSED);
    await desk.settle();
    const later = await sit(ACTIVE, '> Plan', preferences);
    later.server.isOffline = true;
    const offline = createMemoryPlan();
    offline.isOffline = true;
    preferences.set('plan', JSON.stringify({ account: 1, plan: { ...trialPlan, ...LAPSED } }));
    const live = () => Promise.resolve({ ...noLive, plan: () => offline });
    const again = new Desk('> Plan', {
      account: { ...noAccount, email: 'ida@example.org', live },
      preferences,
      isConfirmed: true,
      features: ['plans'],
    });
    again.press('Ctrl+Enter');
    assert.match(again.message, REFUSED);
  });
});

describe('the calm lines of a plan', () => {
  test('[MONEY-57] day 11 and the last day are spoken of once, on all devices', async () => {
    const { desk } = await sit();
    assert.equal(line(desk), null);
    desk.timers.advance(11 * DAY_MS - 2_000);
    assert.equal(line(desk), null);
    desk.timers.advance(DAY_MS / 2);
    assert.match(line(desk) ?? '', /^Your trial runs until 11 December 2026\. Nothing is charged/);
    const notice = must(desk.notices.get()[0], 'it is shown');
    desk.app.run('notice.dismiss', { notice: notice.id });
    desk.timers.advance(DAY_MS);
    assert.equal(line(desk), null);
    const told = [...desk.replica.all()].find(
      (row) => row.type === 'setting' && row.fields.key === 'plan.told',
    );
    assert.ok(told);
    desk.timers.advance(DAY_MS);
    assert.match(line(desk) ?? '', /^This is the last day of your trial\./);
    // Another device dismissed it.
    desk.replica.issue([{ a: 'set', id: told.id, field: 'value', value: `last ${trialPlan.trialEndsAt}` }]);
    assert.equal(line(desk), null);
  });

  test('[MONEY-57] a failed payment, and the end of a plan, are said, and go when it is paid', async () => {
    const { desk, server } = await sit({ ...ACTIVE, state: 'past-due', graceUntil: START + DAY_MS });
    assert.match(line(desk) ?? '', /didn’t go through/);
    server.become({ state: 'grace' });
    await desk.settle();
    assert.match(
      line(desk) ?? '',
      /^Your plan has ended\. You can add tasks and lists until 28 November 2026\./,
    );
    server.become(ACTIVE);
    await desk.settle();
    assert.equal(line(desk), null);
  });
});

/** Commands that end the desk, or the account. */
const NOT_RUN = new Set(['account.signOutNow', 'application.reload']);

describe('a lapsed plan', () => {
  test('[MONEY-58] what begins something new is answered with one sentence and the key to subscribe', async () => {
    for (const [keys, what] of [
      ['Ctrl+Enter', 'a task below'],
      ['Shift+Enter', 'a task above'],
      ['Alt+Enter', 'a subtask'],
    ] as const) {
      const { desk } = await sit(LAPSED);
      const tasks = count(desk, 'task');
      desk.press(...keys.split(' '));
      await desk.settle();
      assert.match(desk.message, REFUSED, what);
      assert.equal(count(desk, 'task'), tasks, what);
    }
  });

  /** Runs every command with answers that some of them make something of; what each has made is told. */
  async function runAll(start: Partial<Plan>): Promise<readonly string[]> {
    const { desk } = await sit(start);
    desk.clipboard = 'Pears\nFigs';
    const made: string[] = [];
    const row = must(desk.rows()[0], 'there is a task').id;
    let before = 0;
    const things = () =>
      [...desk.replica.all()].filter(
        (row) => row.type === 'task' || (row.type === 'list' && row.fields.listType !== 'smart'),
      ).length;
    before = things();
    for (const [id, { args }] of desk.app.commands) {
      if (NOT_RUN.has(id)) continue;
      desk.app.run('go.inbox');
      desk.app.pressRow(row, { shift: false, mod: false });
      desk.app.run(id, Object.fromEntries(args.map(({ name }) => [name, 'Oats'])));
      await desk.settle();
      desk.timers.advance(100);
      desk.press('Escape', 'Escape', 'Escape');
      if (things() > before) made.push(id);
      before = things();
    }
    return made;
  }

  test('[MONEY-58] no command of the app makes a task or a list; those that would do it with a plan that is paid', async () => {
    assert.deepEqual(await runAll(LAPSED), []);
    const made = await runAll(ACTIVE);
    for (const id of ['list.create', 'folder.create', 'task.duplicate', 'task.paste'])
      assert.ok(made.includes(id), `${id} makes something: ${made.join(' ')}`);
  });

  test('[MONEY-59] what is typed after the refusal stays in quick entry, which says why', async () => {
    const { desk } = await sit(LAPSED);
    desk.press('Ctrl+Enter', 'o');
    await desk.settle();
    const entry = () => {
      const shown = desk.app.view.dialog.get();
      assert.ok(shown?.type === 'quickEntry');
      return shown.entry;
    };
    assert.equal(entry().text, 'o');
    assert.match(entry().reason ?? '', REFUSED);
    desk.app.answer('quickEntry', { action: 'save' });
    assert.equal(count(desk, 'task'), 2);
    assert.deepEqual([entry().text, REFUSED.test(entry().answer ?? '')], ['o', true]);
  });

  test('[MONEY-59] what was kept is added where it was typed as soon as it is paid', async () => {
    const { desk, server } = await sit({});
    desk.app.run('list.create', { name: 'Garden' });
    server.become(LAPSED);
    await desk.settle();
    desk.press('Ctrl+Enter', 'o');
    await desk.settle();
    desk.press('Escape');
    server.become(ACTIVE);
    await desk.settle();
    desk.app.run('go.inbox');
    desk.app.run('task.quickEntry');
    await desk.settle();
    const shown = desk.app.view.dialog.get();
    assert.ok(shown?.type === 'quickEntry');
    assert.deepEqual([shown.entry.text, shown.entry.reason], ['o', '']);
    desk.app.answer('quickEntry', { action: 'save' });
    assert.match(desk.message, /^Added ‘o’ to Garden\./);
  });

  test('[MONEY-59] names of lists, and several drafts, are kept as well, and come back one after the other', async () => {
    const { desk, server } = await sit(LAPSED);
    const entry = () => {
      const shown = desk.app.view.dialog.get();
      assert.ok(shown?.type === 'quickEntry');
      return shown.entry;
    };
    desk.app.run('list.create');
    desk.press('r');
    await desk.settle();
    assert.deepEqual([entry().text, REFUSED.test(entry().reason)], ['r', true]);
    desk.press('Escape');
    desk.press('Ctrl+Enter', 's');
    await desk.settle();
    assert.equal(entry().text, 's');
    desk.press('Escape');
    // Quick entry shows what waits, and why.
    desk.app.run('task.quickEntry');
    await desk.settle();
    assert.deepEqual([entry().text, REFUSED.test(entry().reason)], ['s', true]);
    desk.press('Escape');
    server.become(ACTIVE);
    await desk.settle();
    desk.app.run('task.quickEntry');
    await desk.settle();
    desk.app.answer('quickEntry', { action: 'save' });
    assert.deepEqual([entry().text, entry().reason], ['r', '']);
  });

  test('[MONEY-60] pasting, dropping and links make nothing, and say so', async () => {
    const { desk } = await sit(LAPSED);
    desk.clipboard = 'One\nTwo';
    desk.press('Mod+Shift+V');
    await desk.settle();
    desk.timers.advance(100);
    assert.equal(count(desk, 'task'), 2);
    assert.match(desk.message, REFUSED);
    desk.app.follow('/app/open/create-list?name=Alpha', { hasOpened: true, isForeign: false });
    await desk.settle();
    desk.timers.advance(100);
    assert.match(desk.message, REFUSED);
    desk.app.follow('/app/open/quick-entry?title=Oats', { hasOpened: true, isForeign: false });
    await desk.settle();
    desk.timers.advance(100);
    assert.equal(count(desk, 'task'), 2);
    const shown = desk.app.view.dialog.get();
    assert.ok(shown?.type === 'quickEntry');
    assert.equal(shown.entry.text, 'Oats');
  });

  test('[MONEY-60] a dropped file of another program is not imported, and nothing says that it was', async () => {
    const { desk } = await sit(LAPSED);
    desk.app.openFiles([given('tasks.csv', 'title,list,done\nOne,Alpha,yes\nTwo,Beta,')], 'dropped');
    await desk.until(() => REFUSED.test(desk.message));
    assert.equal(desk.app.view.dialog.get(), null);
    assert.equal(count(desk, 'task'), 2);
  });

  test('[MONEY-61] what was made before the device learnt of it, and was refused or is in a file, is made all the same', async () => {
    const { desk } = await sit(LAPSED);
    const id = desk.replica.newId();
    const parent = inboxId(SCOPE);
    desk.replica.issue([
      { a: 'create', id, type: 'task', fields: { title: 'From before' }, place: { parent } },
    ]);
    const made = must(desk.replica.pending.at(-1), 'it waits');
    desk.engine.refuse(new Map([[made, 'badparent' as const]]));
    assert.doesNotMatch(desk.screen(), /From before/);
    desk.app.run('application.recovered');
    await desk.settle();
    desk.app.answer('recovered', { action: 'again', seq: made.q });
    await desk.settle();
    assert.match(desk.screen(), /From before/);
    assert.equal(count(desk, 'task'), 3);
  });

  test('[MONEY-61] everything that exists goes on: editing, completing, moving, deleting, restoring, undo and redo', async () => {
    const { desk } = await sit(LAPSED);
    desk.press('e');
    desk.type('!');
    desk.press('Escape');
    assert.match(desk.screen(), /Plan!/);
    desk.press('Space');
    assert.match(desk.screen(), /Plan! ✓/);
    desk.press('Mod+Z');
    assert.doesNotMatch(desk.screen(), /✓/);
    desk.press('Mod+Shift+Z');
    assert.match(desk.screen(), /✓/);
    desk.press('Alt+ArrowDown');
    assert.match(desk.screen(), /Write\n.*Plan!/);
    desk.press('Mod+X', 'Mod+Shift+V');
    await desk.settle();
    desk.press('Delete');
    const gone = [...desk.replica.all()].filter((row) => row.type === 'task' && row.fields.del !== undefined);
    assert.equal(gone.length, 1);
    desk.press('Mod+Z');
    assert.equal(
      [...desk.replica.all()].filter((row) => row.type === 'task' && row.fields.del !== undefined).length,
      0,
    );
    desk.app.run('go.today');
    assert.notEqual(desk.message, 'x');
    assert.equal(desk.app.view.header.get().title, 'Today');
  });
});

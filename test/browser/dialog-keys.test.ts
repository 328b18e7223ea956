// Every dialog by keyboard: whatever can be pointed at is reached by Tab or by arrows, forwards and backwards, in the order
// in which it stands, and the focus never leaves the dialog.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { dialogFrames } from '#client/dialogs/dialog-view.ts';
import { restParts } from '#client/loading/rest-parts.ts';
import { settingTabs } from '#client/settings/setting.ts';
import { andRead, drawn, id, OF_PARTS, type Ways } from './dialog-ways.ts';
import { addTasks, command, openApp, serve, signUp, synced, withBrowser } from './harness.ts';

type Type = keyof typeof dialogFrames;

const press =
  (...keys: readonly string[]) =>
  async (page: Page) => {
    for (const key of keys) await page.keyboard.press(key);
  };
const run = (name: string) => (page: Page) => command(page, name);

/** The list of some of the keys: arrows go through hundreds as through a few. */
async function someKeys(page: Page): Promise<void> {
  await press('F1', 'ArrowDown')(page);
  await page.locator('[data-ph=key-option]').first().waitFor();
  await page.keyboard.type('bookmark');
  await page.waitForFunction(() => document.querySelectorAll('[data-ph=key-option]').length < 20);
}

const WAYS: Readonly<Record<Type, Ways>> = {
  signIn: { form: run('Sign in') },
  signUp: { form: run('Create an account') },
  sessions: { list: andRead('Sessions and devices') },
  import: {
    problems: drawn({ type: 'import', busy: false, progress: 0, problems: ['Line 1 is no task.'] }),
  },
  export: { text: drawn({ type: 'export', text: 'Pay rent\n'.repeat(200), fileName: 'Tasks.txt' }) },
  keys: {
    sheet: press('F1'),
    list: someKeys,
    recorder: async (page) => {
      await someKeys(page);
      await page.keyboard.press('Enter');
      await page.locator('[data-ph=key-recorder]').waitFor();
      await press('s', 'Enter')(page);
      await page.getByRole('button', { name: 'Press others' }).waitFor();
    },
  },
  cheatSheet: { sheet: run('Key cheat sheet') },
  details: { task: press('i') },
  labels: { picker: press('l', 'Control+l') },
  labelManager: {
    label: run('Manage labels and groups'),
    group: async (page) => {
      await command(page, 'Manage labels and groups');
      await page.getByRole('combobox', { name: 'Find a label' }).waitFor();
      await page.keyboard.type('Energy');
      await page.getByRole('switch', { name: /One label per task/ }).waitFor();
    },
  },
  settings: Object.fromEntries(
    settingTabs.map((_name, tab) => [
      `tab ${tab + 1}`,
      async (page: Page) => {
        await page.keyboard.press('Control+;');
        await page.getByRole('dialog', { name: 'Settings' }).waitFor();
        const tabs = page.getByRole('tab');
        // Some are there with an account, or in an installed app, alone.
        if ((await tabs.count()) <= tab) return;
        await tabs.nth(tab).click();
        await page.locator('#settings-find').focus();
      },
    ]),
  ),
  safety: {
    overview: andRead('Account'),
    tokens: async (page) => {
      await andRead('API access tokens')(page);
      await page.getByRole('button', { name: 'New token' }).waitFor();
    },
    promo: async (page) => {
      // A server without plans lists no command for it: a link leads there.
      await synced(page);
      await page.goto(new URL('/app/open/enter-promo-code/HARBOUR', page.url()).href);
      await page.getByRole('button', { name: 'Redeem' }).waitFor();
    },
  },
  files: { none: run('Attachments') },
  install: { share: drawn({ type: 'install', way: 'share' }), dock: drawn({ type: 'install', way: 'dock' }) },
  listMail: {
    address: drawn({
      type: 'listMail',
      mail: {
        list: 'Work',
        address: 'in.abc@example.org',
        use: null,
        owner: null,
        problem: null,
        endsInAccount: false,
        asksForNew: false,
        busy: false,
        said: null,
      },
    }),
  },
  quickEntry: {
    line: run('Quick entry'),
    question: async (page) => {
      await command(page, 'Quick entry');
      await page.locator('dialog').getByRole('button', { name: 'Due', exact: true }).press('Enter');
      await page.locator('[data-ph=entry-question] [data-ph=month]').waitFor();
    },
    suggestion: async (page) => {
      await command(page, 'Quick entry');
      await page.getByRole('dialog', { name: 'Quick entry' }).getByRole('textbox').waitFor();
      await page.keyboard.type('Pay rent tomorrow ');
      await page.keyboard.press('Shift+Enter');
      await page.getByRole('textbox', { name: 'Notes' }).waitFor();
      await page.locator('#quick-entry-line').focus();
      // Tab takes what is suggested first.
      await page.keyboard.press('Tab');
      await page.locator('[data-ph=token][data-state=suggested]').waitFor({ state: 'detached' });
      await page.locator('[data-ph=token]').waitFor();
    },
  },
  replace: {
    fields: run('Find and replace'),
    found: async (page) => {
      await command(page, 'Find and replace');
      await page.getByLabel('Find in titles').waitFor();
      await page.keyboard.type('Write');
      await page.getByLabel('Replace with').fill('Post');
      await page.locator('[data-ph=replace-row]').first().waitFor();
    },
  },
  history: {
    everything: async (page) => {
      await command(page, 'Show history of everything');
      await page.getByRole('button', { name: /^Bring back/ }).waitFor();
    },
  },
  timeMachine: {
    everything: async (page) => {
      await command(page, 'Time machine for everything');
      await page.locator('[data-ph=time-machine]').waitFor();
      // “Older” waits for the first moments.
      await page.getByText('Reading the history…', { exact: true }).waitFor({ state: 'detached' });
    },
  },
  recovered: {
    two: drawn({
      type: 'recovered',
      items: [
        {
          seq: 1,
          what: 'Title',
          about: 'Pay rent',
          list: null,
          reason: 'The task was deleted.',
          canApply: true,
          sides: { mine: 'Mine', theirs: 'Theirs', by: 'Laptop' },
          kept: 'Kept until 20 December',
        },
        {
          seq: 2,
          what: 'Notes',
          about: 'Buy milk',
          list: null,
          reason: 'The task was deleted.',
          canApply: false,
          sides: null,
          kept: 'Kept until 20 December',
        },
      ],
    }),
  },
  sync: { account: andRead('Sync status') },
  emptyTrash: {
    some: drawn({
      type: 'emptyTrash',
      items: [{ id: id(1), at: 1 }],
      count: 1,
      hasAccount: true,
      busy: false,
      error: null,
    }),
  },
  signOut: { waiting: drawn({ type: 'signOut', waiting: 2, copies: 1 }) },
  disableSync: { waiting: drawn({ type: 'disableSync', waiting: 2, sending: false, error: null }) },
  enableSync: {
    lost: drawn({
      type: 'enableSync',
      lost: {
        since: '20 November',
        parts: [{ name: 'Created', count: 1, items: ['Pay rent'] }],
        others: 1,
        lists: [{ name: 'Inbox', count: 1 }],
        waiting: 1,
      },
      busy: false,
      error: null,
    }),
  },
  safetyCopies: {
    two: drawn({
      type: 'safetyCopies',
      copies: [
        { id: 'a', span: '20 November, 10:00 to 12:30', count: 3, daysLeft: 20 },
        { id: 'b', span: '21 November, 10:00 to 12:30', count: 1, daysLeft: 21 },
      ],
    }),
  },
  otherAccount: {
    both: drawn({
      type: 'otherAccount',
      email: 'new@example.org',
      held: 'old@example.org',
      waiting: 2,
      canKeep: true,
    }),
  },
  confirm: {
    question: drawn({
      type: 'confirm',
      text: 'Import 2 tasks?',
      action: 'Import',
      command: 'dialog.confirm',
    }),
  },
};

type Named = readonly [type: string, name: string, ways: Ways];

/** Every dialog of the app: its type, its name, and the ways to it. */
const OF_APP: readonly Named[] = Object.entries(dialogFrames).map(([type, { name }]) => [
  type,
  name,
  WAYS[type as Type],
]);

/** Those of parts. */
const OF_REST: readonly Named[] = restParts.flatMap(({ dialogs = {} }) =>
  Object.entries(dialogs).map(([type, { name }]): Named => [type, name, OF_PARTS[type] ?? {}]),
);

/** Dialogs that only a device without an account has, or that change there no more when the server answers. */
const SIGNED_OUT: ReadonlySet<string> = new Set(['signIn', 'signUp', 'history', 'timeMachine']);

interface Naming {
  /** What a control is called by whoever looks at it; the same when it is drawn anew. */
  readonly nameOfControl: (element: HTMLElement) => string;
}

/** Runs in the page, once. */
function bringNames(): void {
  const nameOfControl = (element: HTMLElement) => {
    const { role, id: own, ariaLabel, localName } = element;
    const said = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : element.textContent;
    const name = [own, ariaLabel ?? '', (said ?? '').trim().slice(0, 60)].find((text) => text !== '') ?? '';
    return `${localName}${role === null ? '' : `[${role}]`} ${name}`;
  };
  Object.assign(globalThis, { nameOfControl });
}

/** Numbers what can be pointed at in the dialog, in the order of the document; a name for each. Runs in the page. */
function mark(): readonly string[] {
  const dialog = document.querySelector<HTMLDialogElement>('dialog[open]');
  if (!dialog) throw new Error('No dialog is open.');
  const controls =
    'a[href], button, input, select, textarea, summary, [contenteditable=true], [tabindex="0"], ' +
    '[role=button], [role=option], [role=tab], [role=checkbox], [role=radio], [role=switch], [role=treeitem]';
  const names: string[] = [];
  for (const element of dialog.querySelectorAll<HTMLElement>(controls)) {
    delete element.dataset['walk'];
    if (element.matches(':disabled, [aria-hidden=true]') || !element.checkVisibility()) continue;
    const shown = (element instanceof HTMLInputElement ? element.labels?.[0] : null) ?? element;
    shown.scrollIntoView({ block: 'center' });
    const isHit = [element, shown].some((target) => {
      const box = target.getBoundingClientRect();
      const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return hit !== null && box.width > 0 && (target.contains(hit) || hit.contains(target));
    });
    if (!isHit) continue;
    element.dataset['walk'] = String(names.length);
    names.push((globalThis as unknown as Naming).nameOfControl(element));
  }
  return names;
}

interface Focused {
  readonly at: number;
  readonly name: string;
  /** What arrows stand on. */
  readonly active: number;
}

/** A key that comes while a part is still loading is answered a little later. */
const HELD_MS = 500;

/**
 * What has the focus: its number, or a name for what cannot be pointed at. `heldMs`: for so long it may be what it was at the last question,
 * as at an inner stop of one control: day, month or year.
 */
async function focused(page: Page, names: readonly string[], heldMs = 0): Promise<Focused> {
  const found = await page.evaluate(async (patience) => {
    const here = globalThis as unknown as Naming & { stoodAt?: Element | null };
    const until = performance.now() + patience;
    while (document.activeElement === here.stoodAt && performance.now() < until)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    const element = document.activeElement as HTMLElement;
    here.stoodAt = element;
    const active = document.getElementById(element.getAttribute('aria-activedescendant') ?? '');
    return [element, active].map((each) => ({
      walk: each?.dataset['walk'],
      name: each === null ? '' : here.nameOfControl(each),
    }));
  }, heldMs);
  const [at = -1, active = -1] = found.map(({ walk, name }) =>
    walk === undefined ? names.indexOf(name) : Number(walk),
  );
  return { at, active, name: found[0]?.name ?? '' };
}

async function focusedAfter(page: Page, key: string, names: readonly string[]): Promise<Focused> {
  await page.keyboard.press(key);
  // The only one there is stays.
  return focused(page, names, names.length === 1 ? 0 : HELD_MS);
}

/** Inner stops of one control: day, month and year of a date. */
const INNER = 5;

/** The numbers of what a key leads through until it is where it was first; problems are said. */
async function walk(
  page: Page,
  key: 'Tab' | 'Shift+Tab',
  names: readonly string[],
  problems: string[],
): Promise<readonly number[]> {
  const visited: number[] = [];
  for (let step = 0; step < names.length * 2 + 20; step += 1) {
    const { at, name } = await focusedAfter(page, key, names);
    if (at < 0) {
      problems.push(`${key} after “${names[visited.at(-1) ?? -1] ?? 'the start'}” leads to ${name}`);
      if (name.startsWith('body')) return visited;
      continue;
    }
    if (visited.at(-1) === at) {
      const same = visited.slice(-INNER);
      if (same.length === INNER && same.every((each) => each === at)) {
        problems.push(`${key} never leaves “${names[at] ?? ''}”`);
        return visited;
      }
    } else if (visited.includes(at)) return visited;
    visited.push(at);
    // The only one there is.
    if (names.length === 1) return visited;
  }
  problems.push(`${key} goes round and round`);
  return visited;
}

const unique = (numbers: readonly number[]) => [...new Set(numbers)];

/** Adds what arrows lead to from a stop: other radio buttons, tabs, options of a list, rows. Ends when everything is reached. */
async function byArrows(
  page: Page,
  stop: number,
  names: readonly string[],
  reached: Set<number>,
): Promise<void> {
  const keys = await page.evaluate((name) => {
    const { nameOfControl } = globalThis as unknown as Naming;
    const all = document.querySelectorAll<HTMLInputElement>('dialog[open] *');
    const element = [...all].find((each) => nameOfControl(each) === name);
    element?.focus();
    if (element?.role === 'tab') return ['ArrowRight', 'ArrowLeft'];
    // The browser goes around in a group of them.
    if (element?.type === 'radio') return ['ArrowDown'];
    const isList = ['combobox', 'listbox', 'tree', 'radio'].includes(element?.role ?? '');
    return isList ? ['ArrowDown', 'ArrowUp'] : [];
  }, names[stop] ?? '');
  const isAll = () => names.every((_name, at) => reached.has(at));
  for (const key of keys) {
    let first = -1;
    for (let step = 0; step <= names.length && !isAll(); step += 1) {
      const { at, active } = await focused(page, names);
      // Around a group of radio buttons.
      if (step > 0 && active < 0 && at === first) break;
      if (step === 0) first = at;
      reached.add(at).add(active);
      await page.keyboard.press(key);
    }
  }
}

async function check(page: Page): Promise<readonly string[]> {
  const problems: string[] = [];
  await page.evaluate(bringNames);
  const names = await page.evaluate(mark);
  const start = await focused(page, names);
  if (start.name.startsWith('body')) problems.push('the focus begins outside');
  const forwards = unique(await walk(page, 'Tab', names, problems));
  const backwards = unique(await walk(page, 'Shift+Tab', names, problems));
  for (const [key, stops] of [
    ['Tab', forwards],
    ['Shift+Tab', backwards.toReversed()],
  ] as const) {
    const turns = stops.filter((stop, at) => at > 0 && stop < (stops[at - 1] ?? 0));
    if (turns.length > 1) problems.push(`${key} jumps: ${stops.map((stop) => names[stop]).join(', ')}`);
  }
  const missing = (of: readonly number[]) =>
    names.flatMap((name, at) => (of.includes(at) ? [] : [{ name, at }]));
  const reached = new Set(forwards.filter((stop) => backwards.includes(stop)));
  for (const stop of missing([...reached]))
    if (forwards.includes(stop.at) || backwards.includes(stop.at))
      problems.push(`“${stop.name}” is reached in one direction only`);
  for (const stop of forwards) {
    if (missing([...reached]).length === 0) break;
    await byArrows(page, stop, names, reached);
  }
  for (const { name } of missing([...reached])) problems.push(`“${name}” is not reached`);
  return problems;
}

/** An app with what dialogs speak of. */
async function furnished(t: TestContext, browser: Browser, hasAccount: boolean): Promise<Page> {
  const server = await serve(t);
  const { page } = await openApp(t, browser, server.url);
  if (hasAccount) await signUp(page, 'walk@example.org');
  await addTasks(page, ['Read the manual', 'Write the reply', 'Write the letter']);
  await command(page, 'New label group');
  await page.keyboard.type('Energy');
  await page.keyboard.press('Enter');
  for (const name of ['High', 'Low']) {
    await page.keyboard.press('Control+l');
    await page.getByRole('combobox', { name: 'Find or create a label' }).waitFor();
    await page.keyboard.type(name);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
  if (hasAccount) await synced(page);
  return page;
}

/** Opens each of them in each way, and says what is not reached. */
async function walkAll(page: Page, dialogs: readonly Named[]): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [type, name, ways] of dialogs) {
    assert.ok(
      Object.keys(ways).length > 0,
      `nobody knows how to open ${type}: a dialog of a part needs its ways in OF_PARTS of dialog-ways.ts, one of the app in WAYS`,
    );
    for (const [look, open] of Object.entries(ways)) {
      const note = (problem: string) => found.push(`${type}, ${look}: ${problem}`);
      try {
        await open(page);
        await page.getByRole('dialog', { name, exact: true }).waitFor();
        (await check(page)).forEach(note);
      } catch (error) {
        note(`cannot be walked: ${String(error)}`);
      }
      await page.evaluate(() => document.querySelector<HTMLElement>('dialog[open]')?.focus());
      for (let times = 0; times < 4 && (await page.locator('dialog[open]').count()) > 0; times += 1)
        await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      if (await page.evaluate(() => document.activeElement === document.body))
        note('the focus does not come back');
    }
  }
  return found;
}

describe('dialogs by keyboard', () => {
  const browser = withBrowser();

  const half = Math.ceil(OF_REST.length / 2);
  // Each takes its time: there are many controls, and each is gone to with every key.
  for (const [which, hasAccount, dialogs] of [
    ['without an account', false, OF_APP.filter(([type]) => SIGNED_OUT.has(type))],
    ['of the settings', true, OF_APP.filter(([type]) => type === 'settings')],
    ['of the app', true, OF_APP.filter(([type]) => type !== 'settings' && !SIGNED_OUT.has(type))],
    ['of parts', true, OF_REST.slice(0, half)],
    ['of the other parts', true, OF_REST.slice(half)],
  ] as const)
    test(`[KEY-59] every control of the dialogs ${which} is reached by Tab or arrows, both ways`, async (t) => {
      assert.ok(dialogs.length > 0);
      const page = await furnished(t, browser(), hasAccount);
      assert.deepEqual(await walkAll(page, dialogs), []);
    });
});

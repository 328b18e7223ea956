// Custom JavaScript in the whole headless app, as a client that has it will bring it: the API, the commands it adds with their
// keys, news of changes, and what happens to errors. The rules of loading: client/custom-code/loader.test.ts.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { CustomApi, CustomCommand } from '#client/custom-code/api.ts';
import { customCode } from '#client/custom-code/part.ts';
import type { KeyEditorAction } from '#client/keys/editor-view.ts';
import { restParts } from '#client/loading/rest-parts.ts';
import { nameOf } from '#sync/rows/row-reading.ts';
import { readSources } from '../sources.ts';
import { Desk } from './desk.ts';

interface Bench {
  readonly desk: Desk;
  readonly api: CustomApi;
}

/** After the first screen has been idle, and what was asked for then has come. */
async function idle(desk: Desk): Promise<void> {
  desk.timers.advance(1_000);
  for (let n = 0; n < 5; n += 1) await desk.settle();
}

interface Given {
  readonly isShiftHeld?: boolean;
  readonly preferences?: Map<string, string>;
}

const turnedOn = () =>
  new Map([
    ['lesson', 'over'],
    ['customCode', 'true'],
  ]);

/** A desk of a client with custom JavaScript, and the API it was given; null: it did not run. */
async function start(
  outline: string,
  { isShiftHeld = false, preferences = turnedOn() }: Given = {},
): Promise<{ readonly desk: Desk; readonly api: CustomApi | null }> {
  let api: CustomApi | null = null;
  const port = {
    isShiftHeld,
    read: () => Promise.resolve('code'),
    run: (_code: string, given: CustomApi) => {
      api = given;
      return Promise.resolve();
    },
  };
  const desk = new Desk(outline, { parts: [customCode(port)], preferences });
  assert.equal(api, null, 'nothing runs while the app starts');
  await idle(desk);
  return { desk, api };
}

async function bench(outline = '> Pay rent\n- Buy milk\n- Read ✓'): Promise<Bench> {
  const { desk, api } = await start(outline);
  assert.ok(api, 'it runs');
  return { desk, api };
}

const said = (desk: Desk) => desk.app.view.status.get().message?.text ?? '';
const register = ({ api }: Bench, command: Partial<CustomCommand>) =>
  api.commands.register({ id: 'custom.one', title: 'My first command', run: () => undefined, ...command });

/** Every object that can be reached from here. */
function reached(value: unknown): readonly object[] {
  if (typeof value !== 'object' || value === null) return [];
  return [value, ...Object.values(value).flatMap(reached)];
}

describe('custom JavaScript', () => {
  test('[LOOK-20] runs after the start, where it is turned on; it is off to begin with', async () => {
    assert.equal((await start('> A', { preferences: new Map([['lesson', 'over']]) })).api, null);
    assert.notEqual((await start('> A')).api, null);
  });

  test('[LOOK-21] Shift leaves it out, with a message', async () => {
    const { desk, api } = await start('> A', { isShiftHeld: true });
    assert.equal(api, null);
    assert.equal(said(desk), 'Custom JavaScript is left out of this start.');
    assert.equal(desk.preferences.get('customCode'), 'true');
  });

  test('[LOOK-22] two crashes turn its switch off, and turning it on gives it two tries again', async () => {
    const preferences = turnedOn();
    // Nobody closes these: the program is gone.
    for (let n = 0; n < 2; n += 1) assert.notEqual((await start('> A', { preferences })).api, null);
    const { desk, api } = await start('> A', { preferences });
    assert.equal(api, null);
    assert.equal(preferences.get('customCode'), 'false');
    assert.match(said(desk), /Custom JavaScript is off/);
    desk.app.run('setting.customCode');
    assert.equal(preferences.get('customCode'), 'true');
    assert.notEqual((await start('> A', { preferences })).api, null);
  });

  test('[LOOK-22] closing the app is no crash', async () => {
    const preferences = turnedOn();
    for (let n = 0; n < 4; n += 1) {
      const { desk, api } = await start('> A', { preferences });
      assert.notEqual(api, null);
      await desk.app.close();
    }
  });

  test('[LOOK-23] neither rows nor exports have it or its switch', async () => {
    const { desk } = await bench();
    const before = [...desk.replica.all()].length;
    desk.app.run('setting.customCode');
    assert.equal([...desk.replica.all()].length, before);
    desk.app.run('export.accountJson');
    assert.doesNotMatch(desk.files.map(({ text }) => text).join(), /customCode/);
  });

  test('[LOOK-24] nothing that the web app is made of leads to it: the desktop client has a script of its own for it', () => {
    const entry = 'src/web/platform/desktop/custom-code.ts';
    const others = readSources('src', /\.tsx?$/).filter(
      ({ path }) =>
        !path.startsWith('src/client/custom-code/') && path !== entry && !path.endsWith('.test.ts'),
    );
    assert.ok(others.length > 500, 'the whole program was read');
    const leading = others.filter(({ text }) =>
      /custom-code(?:\/|\.ts)/.test(text.replaceAll(/^\s*\/\/.*$/gm, '')),
    );
    assert.deepEqual(
      leading.map(({ path }) => path),
      [],
    );
    assert.equal(
      restParts.some(({ name }) => name === 'Custom JavaScript'),
      false,
    );
    assert.equal(new Desk('> A').app.run('setting.customCode').type, 'refused');
  });

  test('the API is what docs/custom-code.md says, version 1', async () => {
    const { api } = await bench();
    const doc = readFileSync(new URL('../../docs/custom-code.md', import.meta.url), 'utf8');
    const documented = [...doc.matchAll(/^\| `([a-zA-Z.]+)` \|/gm)].map(([, name]) => name);
    const names = Object.entries(api).flatMap(([name, value]) =>
      typeof value === 'object' ? Object.keys(value).map((inner) => `${name}.${inner}`) : [name],
    );
    assert.deepEqual(documented, names);
    assert.equal(api.version, 1);
  });

  test('[LOOK-25] lists every command, and runs one by its id with values', async () => {
    const { desk, api } = await bench();
    const list = api.commands.list();
    assert.equal(list.length, desk.app.commands.size);
    const due = list.find(({ id }) => id === 'task.due');
    assert.deepEqual([due?.title, due?.group, due?.unavailable], ['Set due date…', 'Tasks', null]);
    assert.deepEqual(due?.args, ['value']);

    assert.equal(api.commands.run('task.due', { value: 'tomorrow' }).isDone, true);
    assert.match(api.tasks.selected()[0]?.due ?? '', /^\d{4}-\d{2}-\d{2}$/);
    desk.press('Mod+Z');
    assert.equal(api.tasks.selected()[0]?.due, null);

    const unknown = api.commands.run('task.fly');
    assert.equal(unknown.isDone, false);
    assert.match(unknown.said, /no command “task\.fly”/);
    assert.throws(() => api.commands.run('task.due', { value: 3 as unknown as string }), /“value” is none/);
  });

  test('[LOOK-25] a command of its own is in the palette, takes the selected tasks and can have a key', async () => {
    const at = await bench();
    const { desk } = at;
    // The palette was open before, so it has looked at the commands.
    desk.press('Mod+K', 'Escape');
    const got: string[] = [];
    register(at, { aliases: ['zebra'], run: (rows) => void got.push(...rows.map(({ title }) => title)) });
    desk.press('Mod+K');
    desk.app.paletteInput('zebra');
    assert.equal(desk.app.view.palette.get()?.items[0]?.title, 'My first command');
    desk.press('Enter');
    assert.deepEqual(got, ['Pay rent']);

    desk.app.run('help.keys');
    const inKeys = (action: KeyEditorAction) => desk.app.answer('keys', action);
    inKeys({ action: 'filter', text: 'my first command' });
    const dialog = desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'keys');
    const [option] = dialog.editor.options;
    assert.equal(option?.title, 'My first command');
    inKeys({ action: 'choose', id: option.id });
    inKeys({ action: 'record' });
    desk.press('F7', 'Enter');
    desk.app.closeDialog();
    desk.press('Down', 'F7');
    assert.deepEqual(got, ['Pay rent', 'Buy milk']);
  });

  test('[LOOK-25] what is not of the form is refused, and no id is taken twice or from the app', async () => {
    const at = await bench();
    const wrong = (command: object, words: RegExp) => assert.throws(() => register(at, command), words);
    for (const id of ['task.due', 'custom.', 'custom.a b', 'custom.1', 'one', '', 1])
      wrong({ id }, /The id of a command/);
    for (const title of ['', ' ', 'x'.repeat(101), null]) wrong({ title }, /title of custom\.one/);
    for (const aliases of ['a', [1], Array(21).fill('a')]) wrong({ aliases }, /aliases of custom\.one/);
    wrong({ run: 'alert()' }, /needs a function/);
    register(at, {});
    wrong({}, /already/);
  });

  test('[LOOK-26] rows are frozen copies in the order of the outline', async () => {
    const { desk, api } = await bench('> Pay rent\n-   The flat\n- Buy milk\n- Read ✓');
    const shown = api.tasks.shown();
    assert.deepEqual(
      shown.map(({ title, isComplete }) => [title, isComplete]),
      [
        ['Pay rent', false],
        ['The flat', false],
        ['Buy milk', false],
        ['Read', true],
      ],
    );
    desk.press('x', 'Down', 'Down', 'x');
    assert.deepEqual(
      api.tasks.selected().map(({ title }) => title),
      ['Pay rent', 'Buy milk'],
    );
    const objects = reached([api, shown, api.commands.list()]).filter((value) => value !== shown);
    assert.deepEqual(
      objects.slice(1).filter((value) => !Object.isFrozen(value)),
      [],
    );
    const [first] = shown;
    assert.throws(() => Object.assign(first ?? {}, { title: 'Mine' }), TypeError);
    assert.equal(api.tasks.shown()[0]?.title, 'Pay rent');
  });

  test('[LOOK-26] changes are told by ids, once they are shown; those of the listener are not', async () => {
    const { desk, api } = await bench();
    const told: (readonly string[])[] = [];
    const stop = api.onChange((ids) => {
      told.push(ids);
      api.commands.run('task.due', { value: 'today' });
    });
    const [first] = api.tasks.selected();
    desk.press('Space');
    assert.equal(told.length, 0, 'not before the frame');
    desk.timers.advance(0);
    assert.equal(told.length, 1);
    assert.ok(told[0]?.includes(first?.id ?? ''));
    assert.ok(Object.isFrozen(told[0]));
    desk.timers.advance(1_000);
    assert.equal(told.length, 1, 'what it changed itself is not told');
    stop();
    desk.press('Space');
    desk.timers.advance(1_000);
    assert.equal(told.length, 1);
  });

  test('[LOOK-27] a command that throws, or rejects, is told, and the app goes on', async () => {
    const at = await bench();
    const { desk } = at;
    register(at, {
      run: () => {
        throw new Error('no such thing');
      },
    });
    register(at, { id: 'custom.two', title: 'Late', run: () => Promise.reject(new Error('too late')) });
    const odd = {
      toString: () => {
        throw new Error('odd');
      },
    };
    // What is thrown need not be an error.
    register(at, { id: 'custom.three', title: 'Odd', run: () => void JSON.parse(odd as unknown as string) });
    register(at, { id: 'custom.four', title: 'Odder', run: () => Promise.reject(odd as unknown as Error) });
    desk.app.run('custom.one');
    assert.equal(said(desk), '“My first command” of your custom JavaScript failed: no such thing');
    desk.app.run('custom.two');
    await desk.settle();
    assert.match(said(desk), /“Late” .* too late/);
    desk.app.run('custom.three');
    assert.match(said(desk), /“Odd” .* odd/);
    desk.app.run('custom.four');
    await desk.settle();
    assert.match(said(desk), /“Odder” .* has no words/);
    desk.press('Ctrl+Enter');
    desk.type('Still here');
    desk.press('Escape');
    assert.ok([...desk.replica.all()].some((row) => nameOf(row) === 'Still here'));
  });

  test('[LOOK-27] a listener that throws is told once and ended; the others go on', async () => {
    const { desk, api } = await bench();
    const calls = { bad: 0, good: 0 };
    api.onChange(() => {
      calls.bad += 1;
      throw new Error('bad listener');
    });
    api.onChange(() => (calls.good += 1));
    for (let n = 0; n < 2; n += 1) {
      desk.press('Space');
      desk.timers.advance(0);
    }
    assert.deepEqual(calls, { bad: 1, good: 2 });
    assert.throws(() => api.onChange('x' as unknown as () => void), TypeError);
  });

  test('a message is shown, shortened to what fits', async () => {
    const { desk, api } = await bench();
    api.say('Counted.');
    assert.equal(said(desk), 'Counted.');
    api.say('x'.repeat(1_000));
    assert.equal(said(desk).length, 500);
  });
});

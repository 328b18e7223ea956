// One random sequence in a world of everything: lists, folders, labels, smart and sorted lists, dates, repeats, bookmarks.
// Keys of every set and context, commands with random answers, presses, drags, pasted text. A seed names it: run alone, it
// does the same again. Used by the test beside it and, for as long as one likes, by `npm run soak -- --mode keys`.
import assert from 'node:assert/strict';
import type { Id } from '#core/ids.ts';
import { exportJson } from '#core/formats/json.ts';
import { exportedOf } from '#core/formats/exported.ts';
import type { Argument, ArgumentValues, CommandInfo } from '#client/commands/command.ts';
import { commands, partBindings } from '#client/commands/registry.ts';
import type { PresetId } from '#client/keys/editor-view.ts';
import { bindingsOf, presetOf } from '#client/keys/presets.ts';
import { asRow, fieldOf, type Row } from '#sync/rows/row.ts';
import { receivePage } from '#sync/exchange/taking-in.ts';
import { builtInOf } from '#client/search/built-in.ts';
import { weekSignals } from '#client/week/signals.ts';
import { START } from './desk-engine.ts';
import type { Desk } from './desk.ts';
import { createRandom } from './naive.ts';
import { fullOffice } from './full-office.ts';

type Random = (below: number) => number;

const SETS: readonly PresetId[] = ['standard', 'vim', 'emacs'];
const VIM = ['d', 'y', 'c', '>', '<', 'p', 'Shift+P', 'v', 'm', "'", '.', '2', '3', '}', '{'];
const WORDS = [
  'plan',
  'été',
  '3d',
  '',
  'fri',
  'high',
  'numbers',
  '- [x] a',
  '#Waiting',
  'every week ',
  'is:open ',
  '\\',
  ' ',
];
const TEXTS = [
  'One\n\tTwo\n\t\tThree\nFour',
  '- [x] a\n  noted\n- [ ] b',
  '1. a\n2. b\n   a) c',
  'just a line',
  '\n\n',
  '> x\n  - y',
  '\u200B \n \u200B',
];
const PHRASES: Readonly<Partial<Record<Argument['kind'], readonly string[]>>> = {
  due: ['fri 5pm', 'tomorrow', 'none', '2026-01-31', 'no date'],
  start: ['mon', 'today', 'none'],
  snooze: ['tomorrow', 'in 2h', 'none'],
  repeat: ['every week', 'every month on the 31st', 'every 2 days', 'none', 'never ever'],
  once: ['next tue', 'none'],
  duration: ['45m', '1h30', 'none'],
  remind: ['tomorrow 9am', 'none', '10m before'],
  text: ['Home', 'is:due', 'is:open limit:2', '', '…'],
};
const MOST_UNDOS = 400;

/** What leaves the app, is not about its content, or cannot be taken back. */
const LEFT_OUT = new Set([
  'trash.empty',
  'file.attach',
  'file.show',
  'file.attachClipboard',
  'label.privacy',
]);
const GROUPS: ReadonlySet<CommandInfo['group']> = new Set([
  'Tasks',
  'Lists',
  'Go to',
  'Selection',
  'View',
  'Edit',
]);
/** A lesson leaves nothing behind by itself, and is nothing that undo is about. */
const KEYS_LEFT_OUT = new Set([
  'application.reload',
  'application.print',
  'lesson.start',
  'lesson.skip',
  'lesson.end',
]);

const runnable = [...commands.values()].filter(
  ({ id: name, group }) => GROUPS.has(group) && !LEFT_OUT.has(name),
);

/** Everything that undo is about: without the trash, settings, and what is collapsed. */
export function living(desk: Desk): string {
  const isGone = (row: Row): boolean => {
    for (let at: Row | undefined = row; at;) {
      if (fieldOf(at, 'del')) return true;
      const { parent } = (fieldOf(at, 'place') ?? {}) as { readonly parent?: Id };
      at = parent === undefined ? undefined : desk.replica.row(parent);
    }
    return false;
  };
  const rows = [...desk.replica.all()].flatMap((row): Row[] => {
    // What is there as soon as it is opened is no change.
    if (row.type === 'setting' || builtInOf(desk.replica.scope, row.id) !== null || isGone(row)) return [];
    if (row.type !== 'mine') return [row];
    const kept = Object.entries(row.fields).filter(
      ([name, value]) => name !== 'collapsed' && name !== 'of' && (value ?? null) !== null,
    );
    const of = desk.replica.row(row.fields.of as Id);
    if (kept.length === 0 || of === undefined || isGone(of)) return [];
    return [{ ...row, fields: { of: row.fields.of, ...Object.fromEntries(kept) } }];
  });
  return exportJson(exportedOf(rows), { kind: 'account' });
}

/** Exactly one cursor where there are lines, and the focus on something that is there. */
function check(desk: Desk): void {
  assert.doesNotMatch(desk.message, /failed:/);
  const { view } = desk.app;
  const rows = desk.rows();
  assert.equal(rows.length, view.rows.count.get(), 'every line is drawn');
  assert.equal(rows.filter(({ cursor }) => cursor).length, rows.length > 0 ? 1 : 0, 'one cursor');
  const focus = view.focus.get();
  switch (focus.pane) {
    case 'outline':
      if (focus.edit)
        assert.ok(
          rows.some(({ id: row, editing }) => row === focus.id && editing),
          'the edited line is there',
        );
      else assert.equal(rows.find(({ cursor }) => cursor)?.id ?? null, focus.id, 'the focus is the cursor');
      break;
    case 'sidebar': {
      const lines = view.sidebar.rows.get();
      assert.ok(view.sidebar.visible.get(), 'the sidebar is there');
      assert.ok(
        lines.some(({ id: line }) => line === focus.id),
        'the focused list is there',
      );
      break;
    }
    case 'notes':
      assert.ok(view.notes.get(), 'the notes are there');
      break;
    case 'search':
      assert.ok(view.search.get(), 'the search line is there');
      break;
    case 'palette':
      assert.ok(view.palette.get(), 'the palette is there');
      break;
    case 'calendar':
      assert.ok(weekSignals(desk.engine).view.get(), 'the calendar is there');
      break;
    default:
      assert.ok(view.dialog.get(), 'the dialog is there');
  }
}

class Fingers {
  readonly #desk: Desk;
  readonly #random: Random;
  readonly #keys: readonly string[];
  #version = 1_000_000;

  constructor(desk: Desk, random: Random, keys: readonly string[]) {
    this.#desk = desk;
    this.#random = random;
    this.#keys = keys;
  }

  #pick<T>(of: readonly T[]): T | undefined {
    return of.length === 0 ? undefined : of[this.#random(of.length)];
  }

  /** Somebody else changes, deletes, restores, completes or moves something. */
  elsewhere(): string {
    const { replica } = this.#desk;
    const rows = [...replica.all()].filter(
      (held) => held.type === 'task' || fieldOf(held, 'listType') === 'list',
    );
    const row = this.#pick(rows);
    if (!row) return '';
    this.#version += 1;
    const stamp = [this.#version, replica.now() + 1, 7, this.#version] as const;
    const list = this.#pick(rows.filter(({ type }) => type === 'list'));
    const place = { parent: list?.id ?? row.id, key: `a${this.#random(9)}` };
    const changes: readonly Readonly<Record<string, unknown>>[] = [
      { del: { at: START, by: 1 } },
      { del: undefined },
      row.type === 'task' ? { title: `theirs ${this.#version}` } : { name: `theirs ${this.#version}` },
      row.type === 'task' ? { status: { done: START } } : { archivedAt: START },
      row.type === 'task' ? { place } : { sort: { field: 'alphabetically', order: 'asc' } },
      { notes: `theirs ${this.#version}` },
    ];
    const fields = this.#pick(changes) ?? {};
    const stamps = Object.fromEntries(Object.keys(fields).map((register) => [register, stamp]));
    receivePage(replica, [
      asRow({
        ...row,
        version: this.#version,
        fields: { ...row.fields, ...fields },
        stamps: { ...row.stamps, ...stamps },
      }),
    ]);
    return `elsewhere(${String(fieldOf(row, 'title') ?? fieldOf(row, 'name'))}: ${JSON.stringify(fields)})`;
  }

  /** Does something, and says what. */
  act(): string {
    const choice = this.#random(100);
    if (choice < 55) return this.#press();
    if (choice < 72) return this.#type();
    if (choice < 84) return this.#run();
    if (choice < 89) return this.#point();
    if (choice < 93) return this.#drag();
    if (choice < 97) return this.#paste();
    this.#desk.timers.advance(this.#random(3) * 1_000);
    return '…';
  }

  get #isText(): boolean {
    const focus = this.#desk.app.view.focus.get();
    return focus.pane !== 'outline' || focus.edit !== null;
  }

  #press(): string {
    const { view } = this.#desk.app;
    const key = this.#pick(this.#keys) ?? '';
    // What the palette offers first is chance, and may be about the whole account; an answer to a question is not.
    const palette = view.palette.get();
    if (key.endsWith('Enter') && palette && palette.steps.length === 0) return '';
    // A dialog’s own Enter presses its button.
    this.#desk.press(key);
    return key;
  }

  #type(): string {
    if (!this.#isText) return this.#press();
    const word = this.#pick(WORDS) ?? '';
    this.#desk.type(word);
    return `“${word}”`;
  }

  #run(): string {
    const command = this.#pick(runnable);
    if (!command) return '';
    const isAsked = this.#random(4) > 0;
    const args: Record<string, string> = {};
    if (isAsked) for (const argument of command.args) args[argument.name] = this.#answer(argument);
    this.#desk.app.run(command.id, args as ArgumentValues);
    return `run(${command.id}, ${JSON.stringify(args)})`;
  }

  #answer({ kind, choices }: Argument): string {
    if (choices) return this.#pick(choices)?.value ?? '';
    const phrases = PHRASES[kind];
    if (phrases) return this.#pick(phrases) ?? '';
    const wanted = kind === 'label' ? 'label' : kind === 'task' || kind === 'parent' ? 'task' : 'list';
    const rows = [...this.#desk.replica.all()].filter(({ type }) => type === wanted);
    return this.#pick(rows)?.id ?? '';
  }

  #point(): string {
    const { app } = this.#desk;
    if (app.view.dialog.get() !== null || app.view.palette.get() !== null) return '';
    if (this.#random(3) === 0) {
      const line = this.#pick(app.view.sidebar.rows.get());
      if (line) app.pressSidebarRow(line.id);
      return `list(${line?.name ?? ''})`;
    }
    const row = this.#pick(this.#desk.rows());
    if (!row) return '';
    const held = this.#random(3);
    app.pressRow(row.id, { shift: held === 1, mod: held === 2, at: row.index });
    return `row(${row.index}, ${held})`;
  }

  #drag(): string {
    const { app } = this.#desk;
    const row = this.#pick(this.#desk.rows());
    if (this.#random(4) === 0) return this.#dragList();
    if (!row || app.view.palette.get() !== null) return '';
    const said = [`drag(${row.index}`];
    app.drag.begin(row.id, row.index);
    for (let left = 1 + this.#random(3); left > 0; left -= 1) {
      const side = this.#random(4) === 0 ? this.#pick(app.view.sidebar.rows.get()) : undefined;
      const gap = this.#random(this.#desk.rows().length + 2);
      const level = this.#random(6) - 1;
      app.drag.over(side ? { type: 'side', id: side.id } : { type: 'line', gap, level });
      said.push(side ? side.name : `${gap}/${level}`);
    }
    if (this.#random(5) === 0) return `${said.join(' ')}, ${this.#press()})`;
    app.drag.drop();
    return `${said.join(' ')})`;
  }

  #dragList(): string {
    const { app } = this.#desk;
    const lines = app.view.sidebar.rows.get();
    const [list, by] = [this.#pick(lines), this.#pick(lines)];
    const part = this.#pick(['before', 'after', 'into'] as const) ?? 'after';
    if (!list || !by || app.view.palette.get() !== null) return '';
    app.drag.begin(list.id, -1);
    app.drag.over({ type: 'beside', id: by.id, part });
    app.drag.drop();
    return `drag(${list.name} ${part} ${by.name})`;
  }

  #paste(): string {
    const { app } = this.#desk;
    const text = this.#pick(TEXTS) ?? '';
    const focus = app.view.focus.get();
    if (focus.pane !== 'outline') return '';
    if (focus.edit && focus.id) {
      const { length } = this.#desk.row(focus.id)?.title ?? '';
      const from = this.#random(length + 1);
      app.pastedInTitle(focus.id, { text, from, to: from + this.#random(length - from + 1) });
    } else app.pasted(text);
    return `paste(${JSON.stringify(text)})`;
  }
}

function leaveEverything(desk: Desk): void {
  const { focus, dialog } = desk.app.view;
  desk.app.drag.cancel();
  desk.press('Escape');
  for (let left = 0; left < 14; left += 1) {
    const now = focus.get();
    if (dialog.get() === null && now.pane === 'outline' && now.edit === null && left > 3) break;
    desk.app.closeDialog();
    desk.press('Escape');
  }
  desk.app.run('go.inbox');
}

function undoAll(desk: Desk): void {
  for (let left = MOST_UNDOS; left > 0 && desk.app.run('edit.undo').type === 'done'; left -= 1) check(desk);
}

/** What was undone in between is redone as well, so it is redone twice and compared with itself. */
function checkRedo(desk: Desk, before: string): void {
  const redoAll = (): void => {
    while (desk.app.run('edit.redo').type === 'done') check(desk);
  };
  redoAll();
  const after = living(desk);
  undoAll(desk);
  assert.equal(living(desk), before, 'undo takes back what was redone');
  redoAll();
  assert.equal(living(desk), after, 'redo does the same again');
  undoAll(desk);
  assert.equal(living(desk), before, 'undo takes it back once more');
}

/** Lets what was promised come: copying, cutting, pasting from the clipboard. */
async function turn(): Promise<void> {
  for (let left = 4; left > 0; left -= 1) await Promise.resolve();
}

/** Lives through the sequence of a seed. Throws with the seed and everything that was done. */
export async function liveThrough(seed: number): Promise<void> {
  const random = createRandom(seed);
  const apple = random(2) === 0;
  const set = SETS[random(SETS.length)] ?? 'standard';
  const trail: string[] = [];
  try {
    const fill = (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; at += 1) bytes[at] = random(256);
    };
    const desk = fullOffice({ apple, fill });
    desk.app.run('keys.preset', { value: set });
    const keys = bindingsOf(presetOf(set), apple, partBindings)
      .filter(({ command }) => !KEYS_LEFT_OUT.has(command))
      .map((binding) => binding.keys);
    const fingers = new Fingers(desk, random, set === 'vim' ? [...keys, ...VIM] : keys);
    while (desk.app.run('edit.undo').type === 'done');
    const before = living(desk);
    const isAlone = seed % 5 !== 4;
    for (let left = 3 + random(20); left > 0; left -= 1) {
      trail.push(isAlone || random(3) > 0 ? fingers.act() : fingers.elsewhere());
      check(desk);
      if (left % 4 === 0) await turn();
    }
    await turn();
    leaveEverything(desk);
    check(desk);
    undoAll(desk);
    // What somebody else changed stays, and with it what hangs on it.
    if (!isAlone) return;
    assert.equal(living(desk), before, 'undo takes everything back');
    if (seed % 3 === 0) checkRedo(desk, before);
  } catch (error) {
    throw new Error(
      `seed ${seed} (${set} keys, ${apple ? 'Apple' : 'other'}): ${trail.filter(Boolean).join(' ')}`,
      {
        cause: error,
      },
    );
  }
}

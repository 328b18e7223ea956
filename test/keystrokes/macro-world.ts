// A random account with random macros: each is tried and then run, and what the trial said is compared with what came of it, row by
// row. A seed names it. Used by the test beside it and, for as long as one likes, by `npm run soak -- --mode macros`.
import assert from 'node:assert/strict';
import type { Id } from '#core/ids.ts';
import { ok, failed } from '#core/result.ts';
import { definePart } from '#client/app/part.ts';
import type { Program } from '#client/app/program.ts';
import type { Argument, CommandInfo } from '#client/commands/command.ts';
import { commands } from '#client/commands/registry.ts';
import { type Answer, type Macro, macroCommand, type Step, type Variable } from '#client/macros/macro.ts';
import { titleOf } from '#client/history/telling.ts';
import { macros } from '#client/macros/part.ts';
import { type End, mayBeStep, runMacro } from '#client/macros/running.ts';
import { type OutcomeRow, outcomeOf } from '#client/macros/trial/outcome.ts';
import { dryRun } from '#client/macros/trial/trial.ts';
import type { ScriptPort } from '#client/macros/script/port.ts';
import type { Replica } from '#sync/replica/replica-types.ts';
import type { Row } from '#sync/rows/row.ts';
import { placeOf } from '#sync/rows/row-reading.ts';
import { cabinet } from './cabinet.ts';
import type { Desk } from './desk.ts';
import { fullOffice } from './full-office.ts';
import { living } from './fuzz-world.ts';
import { createRandom } from './naive.ts';
import { id as officeId } from './office.ts';

type Random = (below: number) => number;

/** How often each kind of step, start and end occurred. */
export type Counts = Map<string, number>;

const PHRASES: Readonly<Partial<Record<Argument['kind'], readonly string[]>>> = {
  due: ['fri 5pm', 'tomorrow', 'none', '2026-01-31', '{{today}}', 'blue'],
  start: ['mon', 'today', 'none', '{{when}}'],
  snooze: ['tomorrow', 'in 2h', 'none'],
  repeat: ['every week', 'every month on the 31st', 'every 2 days', 'none', 'never ever'],
  once: ['next tue', 'none'],
  duration: ['45m', '1h30', 'none', 'long'],
  block: ['tomorrow 9:00 45m', 'friday 9-10:30', 'none', 'friday'],
  remind: ['tomorrow 9am', 'none', '10m before'],
  text: [
    'Home',
    'For {{who}}',
    '{{selection.title}} in {{list.name}}',
    '{{clipboard}}',
    '{{digest}}',
    '{{nobody}}',
    'One\nTwo\nThree',
    'Call Ida tomorrow #Waiting',
    '',
    '\\{{braces}}',
  ],
};
const QUERIES = ['is:open', 'is:overdue', 'plan', 'label:High OR is:due', 'is:(', 'nothing at all', ''];
const LABELS = ['High', 'waiting', 'New label', '', '{{who}}'];

/** Groups whose commands are about the account and its rows; the others are drawn seldom. */
const USUAL: ReadonlySet<CommandInfo['group']> = new Set([
  'Tasks',
  'Lists',
  'Go to',
  'Selection',
  'View',
  'Edit',
]);
/** They end the page that they run in, or the session. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  'application.reload',
  'account.signOutNow',
  'account.signOut',
]);

const steps = [...commands.values()].filter(({ id }) => mayBeStep(id) && !LEFT_OUT.has(id));
const usual = steps.filter(({ group }) => USUAL.has(group));
/** What macros are mostly made of. */
const frequent = [
  'task.due',
  'task.complete',
  'task.setTitle',
  'task.setNotes',
  'task.appendNotes',
  'task.addTo',
  'task.addUnder',
  'task.move',
  'task.delete',
  'task.snooze',
  'task.repeat',
  'label.put',
  'label.take',
  'list.create',
  'selection.found',
  'go.list',
  'go.today',
  'go.inbox',
].flatMap((id) => steps.find((command) => command.id === id) ?? []);

/** A random account at a desk, with everything that a trial and a run need. */
class World {
  readonly desk: Desk;
  readonly program: Program;
  readonly #random: Random;
  readonly #counts: Counts;
  readonly trail: string[] = [];

  constructor(seed: number, counts: Counts) {
    const random = createRandom(seed);
    this.#random = random;
    this.#counts = counts;
    let found: Program | null = null;
    const eye = definePart({
      name: 'Eye',
      create(program) {
        found = program;
        return {};
      },
    });
    const fill = (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; at += 1) bytes[at] = random(256);
    };
    const isConfirmed = random(3) === 0;
    this.desk = fullOffice({ fill, parts: [eye], isConfirmed, attached: cabinet });
    assert.ok(found !== null);
    this.program = found;
    this.desk.clipboard = this.#maybe(6) ? null : 'From outside';
    this.desk.scripts = this.#scripts();
    this.#grow();
    if (isConfirmed) this.desk.confirm();
  }

  #maybe(of: number): boolean {
    return this.#random(of) === 0;
  }

  #pick<T>(of: readonly T[]): T | undefined {
    return of.length === 0 ? undefined : of[this.#random(of.length)];
  }

  #some<T>(of: readonly T[]): T {
    const found = this.#pick(of);
    assert.ok(found !== undefined);
    return found;
  }

  count(what: string): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + 1);
  }

  /** Scripts without an engine: a variable tells what they read, so that a trial has to read the same. */
  #scripts(): ScriptPort {
    return {
      run: ({ source, variables, state }) => {
        this.count(`script: ${source}`);
        if (source === 'stops')
          return Promise.resolve(failed({ type: 'threw', message: 'It threw.', line: 1, log: [] }));
        // Ids of what was made differ from run to run.
        const read = JSON.stringify(state).replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'id');
        let sum = 0;
        for (let at = 0; at < read.length; at += 1) sum = (Math.imul(sum, 31) + read.charCodeAt(at)) | 0;
        return Promise.resolve(ok({ variables: { ...variables, digest: `${sum}` }, log: [] }));
      },
    };
  }

  /** More tasks, in a shared list too. */
  #grow(): void {
    const { desk } = this;
    const shared = this.#maybe(2) ? desk.holdShared('Trip', ['Book', 'Pack']) : null;
    const parents = ['Garden', 'Reports', 'Sorted', 'Sow', 'Deep'].map(officeId);
    if (shared !== null) parents.push(shared);
    for (let left = this.#random(8); left > 0; left -= 1) {
      const id = desk.replica.newId();
      const due = this.#maybe(2) ? { due: { on: `2026-11-${20 + this.#random(10)}` } } : {};
      const labels = this.#maybe(3) ? { [`label:${officeId('High')}`]: true } : {};
      const fields = { title: `Task ${left}`, ...due, ...labels };
      desk.replica.issue([{ a: 'create', id, type: 'task', fields, place: { parent: this.#some(parents) } }]);
      if (this.#maybe(2)) parents.push(id);
    }
  }

  /** Opens something and selects something. */
  stand(): void {
    const { desk, program } = this;
    const lists = [...program.replica.all()].filter(({ type }) => type === 'list');
    const place = this.#random(8);
    if (place < 4) desk.app.run('go.list', { list: this.#some(lists).id });
    else if (place === 4) desk.app.run('go.inbox');
    else if (place === 5) desk.app.run('go.today');
    else if (place === 6) {
      desk.press('/');
      desk.app.searchInput(this.#some(['plan', 'is:open', 'task']));
      desk.press('Enter');
      this.count('start: search');
    } else desk.app.run('go.trash');
    if (this.#maybe(4)) {
      desk.app.run('go.list', { list: officeId('Due soon') });
      this.count('start: smart list');
    }
    desk.timers.advance(0);
    for (let left = this.#random(5); left > 0; left -= 1) {
      const row = this.#pick(desk.rows());
      if (row) desk.app.pressRow(row.id, { shift: this.#maybe(3), mod: true, at: row.index });
    }
    if (this.#maybe(8)) desk.app.run('focus.sidebar');
    const { length } = program.workspace.targets();
    this.count(
      length === 0 ? 'start: nothing selected' : length === 1 ? 'start: one task' : 'start: several',
    );
  }

  #answer(command: CommandInfo, { kind, name, choices }: Argument): Answer {
    const { program } = this;
    const found = commands.get(command.id)?.choices?.(program) ?? choices;
    if (found !== undefined && found.length > 0) {
      const choice = this.#some(found);
      return { words: this.#maybe(8) ? 'no such choice' : this.#maybe(2) ? choice.title : choice.value };
    }
    if (name === 'query') return { words: this.#some(QUERIES) };
    if (command.id.startsWith('label.') && kind === 'text') return { words: this.#some(LABELS) };
    const phrases = PHRASES[kind];
    if (phrases) return { words: this.#some(phrases) };
    if (this.#maybe(10)) return { words: 'Nowhere' };
    const wanted = kind === 'label' ? 'label' : kind === 'task' || kind === 'parent' ? 'task' : 'list';
    const row = this.#pick([...program.replica.all()].filter(({ type }) => type === wanted));
    if (row === undefined) return { words: 'Nowhere' };
    const words = titleOf(row);
    return this.#maybe(2) ? { words, id: row.id } : { words };
  }

  #command(): Step {
    const command = this.#some(this.#maybe(15) ? steps : this.#maybe(3) ? usual : frequent);
    const answers: Record<string, Answer> = {};
    for (const argument of command.args)
      if (!this.#maybe(25)) answers[argument.name] = this.#answer(command, argument);
    return { type: 'command', command: command.id, answers, note: '' };
  }

  /** A macro of random steps; `inner`: macros that it may run. */
  #macro(name: string, inner: readonly Macro[]): Macro {
    const { program } = this;
    const id = program.replica.newId();
    const made = Array.from({ length: 1 + this.#random(5) }, (): Step => {
      if (this.#maybe(10)) return { type: 'script', source: this.#maybe(5) ? 'stops' : 'reads', note: '' };
      if (this.#maybe(30)) return { type: 'command', command: 'no.such', answers: {}, note: '' };
      const other = this.#maybe(6) ? this.#pick(inner) : undefined;
      if (other === undefined) return this.#command();
      const answers = this.#maybe(4) ? {} : { who: { words: 'Ann' } };
      return { type: 'command', command: macroCommand(other.id), answers, note: '' };
    });
    // Now and then it runs itself.
    if (this.#maybe(25)) made.push({ type: 'command', command: macroCommand(id), answers: {}, note: '' });
    const variables: readonly Variable[] = [
      { name: 'who', value: 'Ida', isAsked: inner.length === 0 },
      { name: 'when', value: this.#some(['tomorrow', 'blue']), isAsked: false },
    ];
    const macro = { id, name, steps: made, variables, takesLinks: false };
    program.part(macros).save(id, macro, 'made a macro');
    return macro;
  }

  macro(): Macro {
    const made: Macro[] = [];
    for (const name of ['Deepest', 'Deeper', 'Deep', 'Mine'].slice(this.#random(4)))
      made.push(this.#macro(name, [...made]));
    return made.at(-1) as Macro;
  }
}

/** Rows with what is in them. Of their place it counts what they stand behind: keys are made anew when operations are replayed. */
function contentsOf(replica: Replica): readonly (readonly [Id, string])[] {
  return [...replica.all()].map((row) => {
    const { id, type, fields } = row;
    // How notes are kept so that they can be merged says nothing that they do not say.
    const told = Object.entries(fields).filter(([name]) => name !== 'notesDoc');
    const sorted = told.toSorted(([a], [b]) => a.localeCompare(b));
    const { parent } = placeOf(row) ?? {};
    const around = parent === undefined ? [] : replica.children(parent);
    const place =
      parent === undefined ? null : [parent, around[around.findIndex((each) => each.id === id) - 1]?.id];
    return [id, JSON.stringify([id, type, { ...Object.fromEntries(sorted), place }])] as const;
  });
}

/** Fields in the order of their names, which hold ids: asked again once those are numbered. */
function inOrder(line: string): string {
  const [id, type, fields, ...rest] = JSON.parse(line) as readonly unknown[];
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return line;
  const sorted = Object.entries(fields).toSorted(([a], [b]) => a.localeCompare(b));
  return JSON.stringify([id, type, Object.fromEntries(sorted), ...rest]);
}

/** Ids of what was made since differ from run to run: they are numbered in the order in which they were made. */
function numbered(lines: readonly string[], known: ReadonlySet<string>): readonly string[] {
  const all = lines.join('\n');
  const made = [...new Set(all.match(/[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[\da-f]{4}-[\da-f]{12}/g) ?? [])]
    .filter((id) => !known.has(id))
    .toSorted((a, b) => a.localeCompare(b));
  const names = new Map(made.map((id, at) => [id, `made ${at + 1}`]));
  return lines
    .map((line) =>
      // Ids that derive from ids of what was made.
      inOrder(
        line.replaceAll(
          /[\da-f]{8}-[\da-f-]{27}/g,
          (id) => names.get(id) ?? (known.has(id) ? id : 'derived'),
        ),
      ),
    )
    .toSorted((a, b) => a.localeCompare(b));
}

const told = (rows: readonly OutcomeRow[]): readonly string[] =>
  rows.map(({ id, kind, row, changes }) =>
    JSON.stringify([id, kind, row.type, changes.map((change) => JSON.stringify(change)).toSorted()]),
  );

/** All that a trial must leave alone. */
function stateOf({ desk, program }: World): string {
  const { workspace, undo, pane, sidebar, query } = program;
  const { selection, place, outline } = workspace;
  return JSON.stringify([
    contentsOf(program.replica).map(([, line]) => line),
    desk.replica.pending.length,
    desk.replica.meta,
    undo.newest?.id,
    undo.undone.length,
    place,
    workspace.targets(),
    selection.cursor,
    outline.length,
    pane,
    sidebar.cursor,
    query,
    desk.message,
    desk.clipboard,
    [...desk.preferences],
    [desk.files, desk.links, desk.prints, desk.reloads, desk.engine.nudges],
    desk.app.view.dialog.get()?.type,
    desk.app.view.palette.get() !== null,
  ]);
}

/** Lets promises and work that waits for its turn go on until there is a value. */
async function until<T>({ desk }: World, get: () => T | null): Promise<T> {
  for (let turns = 0; turns < 2_000; turns += 1) {
    desk.timers.advance(0);
    const value = get();
    if (value !== null) return value;
    await new Promise((resolve) => setImmediate(resolve));
  }
  throw new Error('It does not end.');
}

function countEnd(world: World, end: End): void {
  if (end.type === 'left') world.count('end: left');
  else if (end.type === 'ran') world.count(end.asks ? 'end: asks' : 'end: ran');
  else {
    world.count('end: stopped');
    world.count(`stop: ${end.reason.replaceAll(/‘[^’]*’|“[^”]*”/g, '…').replaceAll(/\d+/g, 'n')}`);
    if (end.at.includes(' of ')) world.count('stop: in an inner macro');
  }
}

/** Tries and runs one macro, and takes the run back. */
async function round(world: World): Promise<void> {
  const { desk, program } = world;
  world.stand();
  const macro = world.macro();
  const shelf = program.part(macros);
  const given = new Map([['who', 'Ann']]);
  world.trail.push(JSON.stringify(shelf.all.map((each) => [each.name, macroCommand(each.id), each.steps])));
  // What was opened and made has settled: nothing more comes of it.
  for (let turns = 0; turns < 3; turns += 1) {
    desk.timers.advance(0);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const known = new Set(
    contentsOf(program.replica).flatMap(([id, line]) => [
      id,
      ...(line.match(/[\da-f]{8}-[\da-f-]{27}/g) ?? []),
    ]),
  );

  const before = stateOf(world);
  let trial: Awaited<ReturnType<typeof dryRun>> = null;
  void dryRun(shelf, macro, given).then((result) => (trial = result));
  await until(world, () => trial);
  const tried = trial as NonNullable<Awaited<ReturnType<typeof dryRun>>> | null;
  assert.ok(tried !== null);
  assert.deepEqual(JSON.parse(stateOf(world)), JSON.parse(before), 'a trial leaves everything as it was');

  const rows = new Map([...program.replica.all()].map((row) => [row.id, row]));
  const alive = living(desk);
  const newest = program.undo.newest?.id;
  desk.app.onRun = (id) => world.count(`step: ${id}`);
  let ended: End | null = null;
  runMacro(shelf, macro, given, { ended: (end) => (ended = end) });
  const end = await until(world, () => ended);
  await until(world, () => (program.batchesLeft > 0 ? null : true));
  desk.app.onRun = null;
  countEnd(world, end);
  world.count('tried');
  if (macro.steps.some((step) => step.type === 'command' && shelf.find(step.command) !== null))
    world.count('inner macro');
  assert.deepEqual(tried.end, end, 'it ends in the same way');
  const changed = new Map<Id, Row | undefined>();
  for (const row of program.replica.all())
    if (rows.get(row.id) !== row) changed.set(row.id, rows.get(row.id));
  for (const [id, row] of rows) if (program.replica.row(id) === undefined) changed.set(id, row);
  const outcome = outcomeOf(changed, program.replica);
  assert.deepEqual(
    numbered(told(tried.rows), known),
    numbered(told(outcome), known),
    'the same is said of them',
  );
  for (const { kind } of outcome) world.count(`row: ${kind}`);
  if (outcome.length === 0) world.count('row: none');

  // A line that was left without a word goes, in a trial as well.
  program.dialog.close();
  program.palette.close();
  program.act(() => program.leaveText());
  const now = contentsOf(program.replica).map(([, line]) => line);
  const there = contentsOf(tried.replica).map(([, line]) => line);
  assert.deepEqual(numbered(there, known), numbered(now, known), 'the same rows come of it');
  if (program.undo.newest?.id === newest) return;
  desk.app.run('edit.undo');
  if (desk.app.view.dialog.get()?.type === 'confirm') {
    desk.app.run('dialog.confirm');
    program.dialog.close();
  }
  await until(world, () => (program.batchesLeft > 0 ? null : true));
  assert.equal(living(desk), alive, 'one undo takes all of it back');
  world.count('undone');
  if (program.undo.undone.length > 0 && world.trail.length % 3 > 0) desk.app.run('edit.redo');
}

/** Lives through some rounds of a seed. Throws with the seed and the steps of its macros. */
export async function tryMacros(seed: number, rounds: number, counts: Counts): Promise<void> {
  const world = new World(seed, counts);
  try {
    for (let left = rounds; left > 0; left -= 1) await round(world);
  } catch (error) {
    throw new Error(`seed ${seed}: ${world.trail.join('\n')}`, { cause: error });
  }
}

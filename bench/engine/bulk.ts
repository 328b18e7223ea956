// One command on a thousand selected tasks, and taking it back: what the key waits for, in the app's own code. Beside the
// wall's clock stands what this thread used of a core: on a shared machine that says more.
import { inboxId, type Id } from '#core/ids.ts';
import type { ArgumentValues } from '#client/commands/command.ts';
import { lazyClearing } from '#client/clearing/part.ts';
import { lazyLabels } from '#client/labels/lazy.ts';
import { lazyReminders } from '#client/reminders/part.ts';
import { datasetOf } from '../datasets.ts';
import { conditions } from '../machine.ts';
import { type Gate, print, say, show, table } from '../report.ts';
import { type Distribution, distributionOf } from '../statistics.ts';
import { cpuMs, datasetRows, type HeadlessApp, openApp, scope } from './subject.ts';
import { fieldOf } from '#sync/rows/row.ts';

const TASKS = 10_000;
const SELECTED = 1_000;
const BUDGET_MS = 50;
/** One of each is not counted: it warms up. */
const ROUNDS = 12;
const QUICK_ROUNDS = 6;
const WAITS = 500;

interface Step {
  readonly name: string;
  readonly command: string;
  readonly args?: ArgumentValues;
  /** What the tasks have to be like before; taken back with the rest. */
  readonly first?: readonly (readonly [command: string, args?: ArgumentValues])[];
  /** It changes nothing that could be taken back. */
  readonly leavesAll?: true;
}

interface Timed {
  readonly step: Step;
  readonly run: Distribution;
  readonly undo: Distribution | null;
  readonly runCpu: Distribution;
  readonly undoCpu: Distribution | null;
}

const yieldOnce = () => new Promise<void>((resolve) => setTimeout(resolve));

/** Where the commands lead that ask for a place, a task or a label. */
interface Places {
  readonly list: Id;
  readonly task: Id;
  readonly label: Id;
}

const steps = ({ list, task, label }: Places): readonly Step[] => [
  { name: 'complete', command: 'task.complete' },
  { name: 'reopen', command: 'task.complete', first: [['task.complete']] },
  { name: 'delete', command: 'task.delete' },
  { name: 'indent', command: 'task.indent' },
  { name: 'outdent', command: 'task.outdent', first: [['task.indent']] },
  { name: 'move up', command: 'task.moveUp' },
  { name: 'move down', command: 'task.moveDown' },
  { name: 'move to a list', command: 'task.move', args: { list } },
  { name: 'move under a task', command: 'task.moveUnder', args: { task } },
  { name: 'due', command: 'task.due', args: { value: 'fri 5pm' } },
  { name: 'start', command: 'task.start', args: { value: 'today' } },
  { name: 'snooze', command: 'task.snooze', args: { value: 'tomorrow' } },
  { name: 'repeat', command: 'task.repeat', args: { value: 'every week' } },
  {
    name: 'skip an occurrence',
    command: 'task.skip',
    first: [['task.repeat', { value: 'every week' }]],
  },
  {
    name: 'complete, repeating',
    command: 'task.complete',
    first: [['task.repeat', { value: 'every week' }]],
  },
  { name: 'duration', command: 'task.duration', args: { value: '45m' } },
  { name: 'remind', command: 'task.remind', args: { value: 'tomorrow 9am' } },
  { name: 'label', command: 'label.toggle', args: { label } },
  { name: 'bookmark', command: 'bookmark.toggle' },
  { name: 'clear', command: 'task.clear', first: [['task.complete']] },
  { name: 'copy', command: 'task.copyText', leavesAll: true },
  { name: 'ask for a date', command: 'task.due', leavesAll: true },
  { name: 'ask for a list', command: 'task.move', leavesAll: true },
  { name: 'ask for a label', command: 'label.pick', leavesAll: true },
];

/** What is timed in lists with an order of their own, too. */
const ELSEWHERE = new Set(['complete', 'delete', 'due', 'label', 'snooze', 'move under a task']);

/** Selects the second task and those after it: the first is what others go under. */
function select({ app }: HeadlessApp, from = 1): void {
  const ids = app.engine.replica.children(inboxId(scope)).filter((row) => fieldOf(row, 'del') == null);
  const first = ids[from]?.id;
  const last = ids[from + SELECTED - 1]?.id;
  if (first === undefined || last === undefined) throw new Error('There are not so many tasks.');
  app.run('selection.clear');
  app.pressRow(first, { shift: false, mod: false });
  app.pressRow(last, { shift: true, mod: false });
  const { selected } = app.view.status.get();
  if (selected !== SELECTED) throw new Error(`${selected} are selected.`);
}

function clock(work: () => void): { readonly ms: number; readonly cpu: number } {
  const cpu = cpuMs();
  const startedAt = performance.now();
  work();
  return { ms: performance.now() - startedAt, cpu: cpuMs() - cpu };
}

function mustRun({ app }: HeadlessApp, command: string, args?: ArgumentValues): void {
  const result = app.run(command, args);
  if (result.type !== 'done') throw new Error(`${command}: ${JSON.stringify(result)}`);
}

interface Rounds {
  readonly count: number;
  /** Brings the tasks to be selected on screen and selects them. */
  readonly select: (subject: HeadlessApp) => void | Promise<void>;
}

async function timeStep(subject: HeadlessApp, step: Step, rounds: Rounds): Promise<Timed> {
  const { app } = subject;
  const runs: { ms: number; cpu: number }[] = [];
  const undos: { ms: number; cpu: number }[] = [];
  for (let round = 0; round <= rounds.count; round += 1) {
    await rounds.select(subject);
    for (const [command, args] of step.first ?? []) mustRun(subject, command, args);
    await yieldOnce();
    const run = clock(() => mustRun(subject, step.command, step.args));
    await yieldOnce();
    const undo = step.leavesAll ? null : clock(() => mustRun(subject, 'edit.undo'));
    await yieldOnce();
    for (const _ of step.first ?? []) mustRun(subject, 'edit.undo');
    app.run('palette.close');
    app.closeDialog();
    await yieldOnce();
    if (round === 0) continue;
    runs.push(run);
    if (undo) undos.push(undo);
  }
  const of = (times: readonly { ms: number; cpu: number }[], key: 'ms' | 'cpu') =>
    distributionOf(times.map((time) => time[key]));
  return {
    step,
    run: of(runs, 'ms'),
    runCpu: of(runs, 'cpu'),
    undo: undos.length === 0 ? null : of(undos, 'ms'),
    undoCpu: undos.length === 0 ? null : of(undos, 'cpu'),
  };
}

/** The same in a list that sorts itself, in a smart list and among results: a thousand tasks that are all there is. */
async function timeElsewhere(subject: HeadlessApp, places: Places, count: number): Promise<Timed[]> {
  const { app } = subject;
  select(subject);
  mustRun(subject, 'task.move', { list: places.list });
  mustRun(subject, 'list.createSmart', { name: 'Open there', query: 'in:Elsewhere is:open' });
  const smart = [...app.engine.replica.all()].find((held) => fieldOf(held, 'name') === 'Open there')?.id;
  mustRun(subject, 'go.list', { list: places.list });
  mustRun(subject, 'list.sort', { by: 'due-date asc' });
  await yieldOnce();
  const ways: readonly (readonly [where: string, open: () => void])[] = [
    ['sorted', () => mustRun(subject, 'go.list', { list: places.list })],
    ['smart list', () => mustRun(subject, 'go.list', { list: smart ?? '' })],
    ['results', () => mustRun(subject, 'search.for', { query: 'in:Elsewhere is:open' })],
  ];
  const timed: Timed[] = [];
  for (const [where, open] of ways) {
    const selectAll = async (): Promise<void> => {
      open();
      // What is found comes in portions.
      for (let left = WAITS; left > 0 && app.view.rows.count.get() !== SELECTED; left -= 1) await yieldOnce();
      mustRun(subject, 'selection.all');
      const { selected } = app.view.status.get();
      if (selected !== SELECTED) throw new Error(`${where}: ${selected} are selected.`);
    };
    for (const step of steps(places)) {
      if (!ELSEWHERE.has(step.name)) continue;
      const named = { ...step, name: `${step.name}, ${where}` };
      timed.push(await timeStep(subject, named, { count, select: selectAll }));
    }
  }
  return timed;
}

function prepare(subject: HeadlessApp): Places {
  const { app } = subject;
  const [first] = app.engine.replica.children(inboxId(scope));
  app.run('list.create', { name: 'Elsewhere' });
  app.run('label.create', { name: 'Urgent' });
  const rows = [...app.engine.replica.all()];
  const list = rows.find((held) => fieldOf(held, 'name') === 'Elsewhere')?.id;
  const label = rows.find(({ type }) => type === 'label')?.id;
  if (!first || !list || !label) throw new Error('The places could not be made.');
  app.run('go.inbox');
  return { list, task: first.id, label };
}

export async function runBulkSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  say(`bulk: ${SELECTED} of ${TASKS} tasks selected`);
  await Promise.all([lazyLabels.load(), lazyClearing.load(), lazyReminders.load()]);
  const subject = await openApp(datasetRows(datasetOf(TASKS)));
  const places = prepare(subject);
  const count = quick ? QUICK_ROUNDS : ROUNDS;
  const timed: Timed[] = [];
  for (const step of steps(places)) timed.push(await timeStep(subject, step, { count, select }));
  timed.push(...(await timeElsewhere(subject, places, count)));
  await subject.close();
  print(
    `## A command on ${SELECTED} selected tasks of ${TASKS}: ms, p50 / p95 (load ${show(conditions().load)})`,
  );
  const pair = (one: Distribution | null) => (one ? `${show(one.p50)} / ${show(one.p95)}` : '–');
  print(
    table(
      ['', 'run', 'run, processor', 'undo', 'undo, processor'],
      timed.map(({ step, run, runCpu, undo, undoCpu }) => [
        step.name,
        pair(run),
        pair(runCpu),
        pair(undo),
        pair(undoCpu),
      ]),
    ),
  );
  return timed.flatMap(({ step, run, undo }) =>
    [
      { name: step.name, reached: run.p95 },
      ...(undo ? [{ name: `undo of ${step.name}`, reached: undo.p95 }] : []),
    ].map(({ name, reached }): Gate => ({
      name: `bulk, ${SELECTED} tasks, ${name}: p95`,
      reached,
      bound: BUDGET_MS,
      unit: 'ms',
      kind: 'at most',
    })),
  );
}

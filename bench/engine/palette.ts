// The palette with very much in it: from a typed character to the rows it lists, and what it goes on doing after the frame.
// 500 commands and 100,000 tasks, no browser: what is drawn comes on top (the interaction "palette" of the browser part).
import { must } from '#core/assert.ts';
import { type Command, define, done } from '#client/commands/define.ts';
import { type Rest, restPart } from '#client/loading/rest.ts';
import type { Lazy } from '#client/loading/lazy.ts';
import { datasetOf } from '../datasets.ts';
import { conditions } from '../machine.ts';
import { type Gate, print, say, show, table } from '../report.ts';
import { type Distribution, distributionOf } from '../statistics.ts';
import { cpuMs, datasetRows, keyInput, openApp } from './subject.ts';

const TASKS = 100_000;
const COMMANDS = 500;
/** One frame. */
const FRAME_MS = 16;
/** So long a typist leaves the app between two keys, at least. */
const PAUSE_MS = 20;
const WARM_UP = 20;

/** Typed letter by letter: commands, tasks by words that most have and that one has, operators, and nothing there is. */
const TYPED = [
  'complete task',
  'move to list',
  'undo',
  'snooze',
  'setdue',
  'repair the bridge',
  'no.47113',
  'in the morning',
  'inspect a recipe by hand',
  'xyzzy plugh',
  '@list',
  '/is:open bridge',
];

/** The real ones, and again with other titles until there are enough. */
function manyCommands(real: ReadonlyMap<string, Command>): ReadonlyMap<string, Command> {
  const all = new Map(real);
  for (let round = 1; all.size < COMMANDS; round += 1) {
    for (const { id, title, aliases, group } of real.values()) {
      if (all.size >= COMMANDS) break;
      const again = `${id}${round}`;
      all.set(again, define({ id: again, title: `${title} ${round}`, aliases, group, run: () => done }));
    }
  }
  return all;
}

const pause = () => new Promise<void>((resolve) => setTimeout(resolve, PAUSE_MS));

interface Measured {
  readonly key: Distribution;
  readonly open: Distribution;
  /** What went on after a frame, without letting a key in: processor time. */
  readonly portion: Distribution;
  readonly slowest: string;
  /** Of the thread for one key, on average: neighbours on the machine are not in it. */
  readonly processorMs: number;
}

async function measure(count: number): Promise<Measured> {
  const portions: number[] = [];
  await restPart.load();
  const rest: Rest = must(restPart.now, 'it was loaded');
  const now = { ...rest, commands: manyCommands(rest.commands) };
  const part: Lazy<Rest> = { now, load: () => Promise.resolve(now) };
  const subject = await openApp(datasetRows(datasetOf(TASKS, 200)), (ms) => portions.push(ms), part);
  const { app } = subject;
  await app.loadRest();
  await pause();
  const keys: number[] = [];
  const opens: number[] = [];
  let slowest = { ms: 0, query: '' };
  let processorMs = 0;
  for (let at = 0; keys.length < count + WARM_UP; at += 1) {
    const openedAt = performance.now();
    app.key(keyInput('Control+k'));
    opens.push(performance.now() - openedAt);
    const text = TYPED[at % TYPED.length] ?? '';
    for (let length = 1; length <= text.length; length += 1) {
      const query = text.slice(0, length);
      const before = cpuMs();
      const startedAt = performance.now();
      app.paletteInput(query);
      const ms = performance.now() - startedAt;
      processorMs += cpuMs() - before;
      keys.push(ms);
      if (keys.length > WARM_UP && ms > slowest.ms) slowest = { ms, query };
      await pause();
    }
    app.run('palette.close');
  }
  await subject.close();
  return {
    key: distributionOf(keys.slice(WARM_UP)),
    open: distributionOf(opens.slice(1)),
    portion: distributionOf(portions),
    slowest: `“${slowest.query}”, ${show(slowest.ms, 'ms')}`,
    processorMs: processorMs / keys.length,
  };
}

export async function runPaletteSuite({ quick }: { readonly quick: boolean }): Promise<Gate[]> {
  say(`palette: ${COMMANDS} commands, ${TASKS} tasks`);
  const { key, open, portion, slowest, processorMs } = await measure(quick ? 120 : 400);
  const thousands = new Intl.NumberFormat('en').format(TASKS);
  print(`## The palette with ${COMMANDS} commands and ${thousands} tasks in 200 lists: ms`);
  const line = (name: string, { count, p50, p95, p99, max }: Distribution) => [
    name,
    String(count),
    p50,
    p95,
    p99,
    max,
  ];
  print(
    table(
      ['', 'times', 'p50', 'p95', 'p99', 'longest'],
      [line('open', open), line('key → rows', key), line('portion after a frame, processor', portion)],
    ),
  );
  print(
    `Processor per key ${show(processorMs, 'ms')} on average. Slowest key: ${slowest}. Load ${show(conditions().load)}.`,
  );
  const gate = (name: string, reached: number): Gate => ({
    name: `palette, ${COMMANDS} commands, ${thousands} tasks, ${name}: p95`,
    reached,
    bound: FRAME_MS,
    unit: 'ms',
    kind: 'at most',
  });
  return [gate('open', open.p95), gate('key', key.p95)];
}

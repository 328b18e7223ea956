// Commands that make tasks: one from a line, many from an outline, and those that still wait.
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Call, Command } from '../command.ts';
import type { Said } from '../entry.ts';
import { Failure, wrongUse } from '../failure.ts';
import { listName } from '../names.ts';
import { NotAdded, type Sent } from '../outbox.ts';
import { plainLine } from '../printing.ts';
import { shortId } from '../seen.ts';
import { wishesOf, wishOptions } from '../wishes.ts';

const TOP = { name: 'top', short: 't', summary: 'at the beginning of the list' } as const;
const UNDER = { name: 'under', short: 'u', value: 'task', summary: 'under this task' } as const;

function saidOf(call: Call, kind: Said['kind'], { text, notes }: Pick<Said, 'text' | 'notes'>): Said {
  const { world } = call;
  const under = call.option('under');
  return {
    kind,
    text,
    notes,
    isLiteral: call.has('literal'),
    isOnTop: call.has('top'),
    under: under === undefined ? null : call.seen.task(under),
    wishes: wishesOf(call),
    at: world.now(),
    zone: world.zone,
    locale: world.locale,
  };
}

/** What was typed comes back in every case. */
function explained(error: unknown): unknown {
  if (!(error instanceof NotAdded)) return error;
  const { said, id } = error.waiting;
  const whole = [said.text.trimEnd(), said.notes.trimEnd()].filter((part) => part !== '').join('\n');
  const text = whole.replaceAll(/^/gm, '  ');
  const kept = error.isSentLater
    ? 'Kept; the next command sends it:'
    : `Not added. It waits in the outbox (posthaste outbox drop ${shortId(id)} forgets it):`;
  return new Failure(error.kind, `${error.message}\n${kept}\n${text}`);
}

async function sent(call: Call, said: Said): Promise<Sent> {
  try {
    return await call.outbox.add(said);
  } catch (error) {
    throw explained(error);
  }
}

async function listOf(call: Call, id: string): Promise<string> {
  try {
    const list = (await call.names.all()).lists.find((each) => each.id === id);
    return list === undefined ? 'its list' : plainLine(listName(list));
  } catch {
    // The task is made; not knowing where it stands in words is no failure.
    return 'its list';
  }
}

function warnAll(call: Call, warnings: readonly string[]): void {
  for (const warning of warnings) call.world.warn(plainLine(warning));
}

const add: Command = {
  name: 'add',
  aliases: ['a'],
  usage: '<words…> | -',
  summary: 'Add a task, in the language of quick entry.',
  details: [
    'Dates, repeats, lengths, #labels and @lists are taken out of the title, as in the app. Put the words in quotation',
    'marks: to most shells # begins a comment. With - the first line of the input is the title and the rest its notes.',
  ],
  options: [
    { name: 'notes', short: 'n', value: 'text', summary: 'notes, markdown; - reads them from the input' },
    ...wishOptions,
    UNDER,
    TOP,
    { name: 'literal', summary: 'the words are the title, nothing is taken out of them' },
  ],
  sendsOutbox: true,
  async run(call) {
    const isRead = call.words.length === 1 && call.words[0] === '-';
    let text = call.words.join(' ');
    let notes = call.option('notes') ?? '';
    if (isRead) {
      if (call.has('notes')) throw wrongUse('With - the notes are the lines after the first one.');
      const [first = '', ...rest] = (await call.world.readInput()).replace(/^\s*\n/, '').split(/\r?\n/);
      text = first;
      notes = rest.join('\n').trim();
    } else if (notes === '-') notes = (await call.world.readInput()).trimEnd();
    if (text.trim() === '') throw wrongUse('Say what is to be done.');
    const { tasks, understood, warnings } = await sent(call, saidOf(call, 'line', { text, notes }));
    warnAll(call, warnings);
    const [task] = tasks;
    if (!task) {
      call.show({ success: true, task: null, warnings }, 'It was there already.');
      return;
    }
    call.seen.add(tasks);
    const parts = [`‘${plainLine(task.title)}’`, ...understood.map(plainLine)].join(', ');
    const said = call.isJson
      ? ''
      : `Added ${parts} to ${await listOf(call, task.list_id)}.  ${shortId(task.id)}`;
    call.show({ success: true, task, warnings }, said);
  },
};

const importing: Command = {
  name: 'import',
  usage: '<file> | -',
  summary: 'Make tasks from an outline: indented, bulleted, numbered or checkbox lines.',
  details: [
    'Each line becomes a task under the one it is indented below, as when text is pasted into the app.',
  ],
  options: [wishOptions.find(({ name }) => name === 'list') ?? TOP, UNDER, TOP],
  sendsOutbox: true,
  async run(call) {
    const [path, ...more] = call.words;
    if (path === undefined || more.length > 0) throw wrongUse('Say one file, or - for the input.');
    const text = path === '-' ? await call.world.readInput() : readGiven(call, path);
    const { tasks, warnings } = await sent(call, saidOf(call, 'outline', { text, notes: '' }));
    warnAll(call, warnings);
    call.seen.add(tasks);
    const said = tasks.length === 1 ? 'Imported one task.' : `Imported ${tasks.length} tasks.`;
    call.show({ success: true, tasks, warnings }, said);
  },
};

function readGiven(call: Call, path: string): string {
  try {
    return readFileSync(resolve(call.world.folder, path), 'utf8');
  } catch (error) {
    throw new Failure('missing', error instanceof Error ? error.message : String(error));
  }
}

const outbox: Command = {
  name: 'outbox',
  usage: '[send | drop <id…>]',
  summary: 'What could not be added yet: show it, send it, or forget it.',
  details: ['Every command that talks to the server sends it first. `send` also tries what was refused.'],
  options: [],
  async run(call) {
    const [action, ...ids] = call.words;
    const all = call.outbox.all();
    if (action === undefined) {
      const lines = all.map(({ id, said, problem }) => {
        const [title = ''] = said.text.split('\n');
        return `${shortId(id)}  ${plainLine(title)}${problem === null ? '' : `\n        ${plainLine(problem)}`}`;
      });
      call.show({ success: true, outbox: all }, lines.length === 0 ? 'Nothing waits.' : lines.join('\n'));
      return;
    }
    if (action === 'drop' && ids.length > 0) {
      const found = ids.map((end) => all.find(({ id }) => id.endsWith(end.toLowerCase())));
      const missing = ids.find((_, at) => found[at] === undefined);
      if (missing !== undefined) throw new Failure('missing', `Nothing that waits ends in ${missing}.`);
      for (const waiting of found) if (waiting) call.outbox.drop(waiting.id);
      call.show(
        { success: true, dropped: ids.length },
        ids.length === 1 ? 'Forgotten.' : `${ids.length} forgotten.`,
      );
      return;
    }
    if (action !== 'send' || ids.length > 0)
      throw wrongUse('Say: posthaste outbox, outbox send, or outbox drop <id>.');
    let count = 0;
    for (const waiting of all) {
      try {
        count += (await call.outbox.send(waiting)).tasks.length;
      } catch (error) {
        throw explained(error);
      }
    }
    call.show({ success: true, sent: count }, count === 1 ? 'Sent one task.' : `Sent ${count} tasks.`);
  },
};

export const addingCommands: readonly Command[] = [add, importing, outbox];

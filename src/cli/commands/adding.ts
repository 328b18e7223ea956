// Commands that create tasks: one from a line, many from an outline, and the outbox of those not sent yet.
import type { Call, Command } from '../command.ts';
import type { Said } from '../entry.ts';
import { Failure, wrongUse } from '../failure.ts';
import { readInputText } from '../given-text.ts';
import { listName } from '../names.ts';
import { importingCommand } from './importing.ts';
import { NotAdded, type Sent, type Waiting } from '../outbox.ts';
import { plainLine } from '../printing.ts';
import { shortId } from '../seen.ts';
import { wishesOf, wishOptions } from '../wishes.ts';

const TOP = { name: 'top', short: 't', summary: 'at the top of the list' } as const;
const UNDER = { name: 'under', short: 'u', value: 'task', summary: 'under this task' } as const;

function saidOf(call: Call, kind: Said['kind'], { text, notes }: Pick<Said, 'text' | 'notes'>): Said {
  const { world } = call;
  const under = call.option('under');
  if (under !== undefined && call.option('list') !== undefined)
    throw wrongUse('--under already sets the place. Leave out --list.');
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

/** Puts the typed text into every error message, so that it is never lost. */
function explained(error: unknown): unknown {
  if (!(error instanceof NotAdded)) return error;
  const { said, id } = error.waiting;
  const whole = [said.text.trimEnd(), said.notes.trimEnd()].filter((part) => part !== '').join('\n');
  const text = whole.replaceAll(/^/gm, '  ');
  const short = shortId(id);
  const kept = error.isSentLater
    ? 'Saved. The next command sends it:'
    : error.isKept
      ? `Not added. It's in the outbox. Retry with posthaste outbox send ${short}, or delete it with posthaste outbox drop ${short}:`
      : 'Not added, and not saved:';
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
    // The task is created; failing to name its list is no failure.
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
  summary: 'Add a task, in the words of quick entry.',
  details: [
    'Dates, starts, snoozes, repeats, lengths, #labels, and @lists leave the title, as in the app. Put the words in quotation',
    "marks, because # starts a comment in most shells. With -, the input's first line is the title and the rest is notes.",
  ],
  options: [
    { name: 'notes', short: 'n', value: 'text', summary: 'notes in Markdown; - reads them from the input' },
    ...wishOptions,
    UNDER,
    TOP,
    { name: 'literal', summary: 'use the words as the title, as they are' },
  ],
  sendsOutbox: true,
  async run(call) {
    const isRead = call.words.length === 1 && call.words[0] === '-';
    let text = call.words.join(' ');
    let notes = call.option('notes') ?? '';
    if (isRead) {
      if (call.has('notes'))
        throw wrongUse('With -, the notes are the lines after the first one. Leave out --notes.');
      const [first = '', ...rest] = (await readInputText(call.world)).replace(/^\s*\n/, '').split(/\r?\n/);
      text = first;
      notes = rest.join('\n').trim();
    } else if (notes === '-') notes = (await readInputText(call.world)).trimEnd();
    if (text.trim() === '') throw wrongUse('Type what to do.');
    const { tasks, understood, warnings } = await sent(call, saidOf(call, 'line', { text, notes }));
    warnAll(call, warnings);
    const [task] = tasks;
    if (!task) {
      call.show({ success: true, task: null, warnings }, "It's already there.");
      return;
    }
    call.seen.add(tasks);
    const parts = [`‘${plainLine(task.title)}’`, ...understood.map(plainLine)].join(', ');
    const said = call.isJson
      ? ''
      : `Added ${parts} to ${await listOf(call, task.list_id)}.  ${shortId(task.id)}`;
    call.show({ success: true, task, read: understood, warnings }, said);
  },
};

const importing = importingCommand(
  {
    async run(call, text) {
      const { tasks, warnings } = await sent(call, saidOf(call, 'outline', { text, notes: '' }));
      warnAll(call, warnings);
      call.seen.add(tasks);
      const said = tasks.length === 1 ? 'Imported one task.' : `Imported ${tasks.length} tasks.`;
      call.show({ success: true, tasks, warnings }, said);
    },
  },
  [wishOptions.find(({ name }) => name === 'list') ?? TOP, UNDER, TOP],
);

const outbox: Command = {
  name: 'outbox',
  usage: '[send [id…] | drop <id…>]',
  summary: "Show, send, or delete tasks that aren't added yet.",
  details: [
    'Every command that talks to the server sends them first. Refused tasks are only sent again with `send` and their id. Tasks',
    'for another server or account wait until you sign in there.',
  ],
  options: [],
  async run(call) {
    const [action, ...ids] = call.words;
    const all = call.outbox.all();
    if (action === undefined) {
      const lines = all.map((waiting) => waitingLine(call, waiting));
      call.show({ success: true, outbox: all }, lines.length === 0 ? "Nothing's waiting." : lines.join('\n'));
      return;
    }
    const isDropping = action === 'drop' && ids.length > 0;
    if (!isDropping && action !== 'send')
      throw wrongUse('Use posthaste outbox, outbox send, outbox send <id>, or outbox drop <id>.');
    const named = ids.map((end) => waitingNamed(all, end));
    if (isDropping) {
      for (const { id } of named) call.outbox.drop(id);
      const said = ids.length === 1 ? 'Deleted.' : `Deleted ${ids.length}.`;
      call.show({ success: true, dropped: ids.length }, said);
      return;
    }
    const foreign = named.find((waiting) => !call.outbox.isOurs(waiting));
    if (foreign) throw new Failure('access', `That's for another account (${foreign.url}). Sign in there.`);
    let count = 0;
    for (const waiting of ids.length > 0 ? named : call.outbox.due()) {
      try {
        count += (await call.outbox.send(waiting)).tasks.length;
      } catch (error) {
        throw explained(error);
      }
    }
    call.show({ success: true, sent: count }, count === 1 ? 'Sent one task.' : `Sent ${count} tasks.`);
  },
};

function waitingLine(call: Call, waiting: Waiting): string {
  const { id, said, problem, url } = waiting;
  const [title = ''] = said.text.split('\n');
  const more = [
    ...(problem === null ? [] : [`refused: ${plainLine(problem)}`]),
    ...(call.outbox.isOurs(waiting) ? [] : [`for another account at ${plainLine(url)}`]),
  ];
  return [`${shortId(id)}  ${plainLine(title)}`, ...more.map((line) => `        ${line}`)].join('\n');
}

function waitingNamed(all: readonly Waiting[], end: string): Waiting {
  const [found, ...more] = all.filter(({ id }) => id.endsWith(end.toLowerCase()));
  if (found === undefined) throw new Failure('missing', `Nothing in the outbox ends in ${end}.`);
  if (more.length > 0)
    throw new Failure('missing', `Several in the outbox end in ${end}. Type more of the id.`);
  return found;
}

/** The commands add, import and outbox. */
export const addingCommands: readonly Command[] = [add, importing, outbox];

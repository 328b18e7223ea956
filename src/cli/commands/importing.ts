// The command that imports files of other programs, with the plan of the app, through the public API; and takes an import back.
import { directImporter } from '#client/importing/direct.ts';
import type { ImportOptions, Importer, PlanContext, Planned, PlanSummary } from '#client/importing/port.ts';
import { counted, countLines, leadOf, leftLines, lossLine, reportText } from '#client/importing/report.ts';
import { Standing } from '#client/importing/standing.ts';
import { nextColor } from '#client/labels/colors.ts';
import type { Id } from '#core/ids.ts';
import type { Call, Command } from '../command.ts';
import { Failure, wrongUse } from '../failure.ts';
import { openDatabase, sourcesOf } from '../importing/files.ts';
import { Here } from '../importing/here.ts';
import { type Made, Sending, takeBack, type There, type Unsent } from '../importing/sending.ts';
import { importOwn } from '../importing/own-import.ts';
import { isOwnText } from '../importing/own-document.ts';
import {
  marksOf,
  progressOf,
  recordSchema,
  RECORDS,
  remember,
  rememberAgain,
  stopped,
  unsentLines,
} from '../importing/records.ts';
import { plainLine } from '../printing.ts';
import { phraseContextOf } from '../saying.ts';
import type { Said } from '../entry.ts';

/** Ids of imports that lie in the trash can't be used again. */
const MOST_TURNS = 8;
const COLORS = 24;
const EVENING_HOUR = 18;

interface Planning {
  readonly summary: PlanSummary;
  readonly planned: readonly Planned[];
  readonly context: PlanContext;
}

/** The commands that lines of text go to. */
export interface Lines {
  run(call: Call, text: Said['text']): Promise<void>;
}

const optionsOf = (call: Call): ImportOptions => ({
  hasPriorities: !call.has('no-priorities'),
  hasCompleted: !call.has('no-completed'),
  somedayIsList: call.has('someday-list'),
  topIsLists: call.has('top-lists'),
  isInto: false,
  without: [],
});

class Import {
  readonly #call: Call;
  readonly #importer: Importer;
  readonly #lists: readonly { readonly id: string; readonly list_type: string }[];
  readonly #labels: readonly {
    readonly id: string;
    readonly name: string;
    readonly color_hex_string: string;
  }[];

  constructor(
    call: Call,
    importer: Importer,
    there: {
      readonly lists: readonly { readonly id: string; readonly list_type: string }[];
      readonly labels: readonly {
        readonly id: string;
        readonly name: string;
        readonly color_hex_string: string;
      }[];
    },
  ) {
    this.#call = call;
    this.#importer = importer;
    this.#lists = there.lists;
    this.#labels = there.labels;
  }

  async plan(turn: number): Promise<Planning> {
    const { world } = this.#call;
    const inbox = this.#lists.find(({ list_type: type }) => type === 'inbox')?.id;
    if (inbox === undefined) throw new Failure('unexpected', 'The account has no Inbox.');
    const colors: string[] = [];
    const used = this.#labels.map(({ color_hex_string: color }) => color);
    for (let made = 0; made < COLORS; made += 1) colors.push(nextColor([...used, ...colors]));
    const context: PlanContext = {
      // The API has no root of its own: what has this parent is at the top.
      scope: inbox as Id,
      inbox: inbox as Id,
      phrase: phraseContextOf({ at: world.now(), zone: world.zone, locale: world.locale }),
      labels: this.#labels.map(({ id, name }) => ({ id: id as Id, name, group: null })),
      groups: [],
      colors,
      turn,
    };
    const planned = await this.#importer.plan(optionsOf(this.#call), context);
    if (!planned.ok) throw new Failure('refused', planned.problem);
    return {
      summary: planned.value,
      planned: await this.#importer.portion(0, planned.value.size),
      context,
    };
  }

  /** The plan whose lists are here; else the first one. */
  async current(): Promise<{ readonly planning: Planning; readonly turn: number }> {
    const known = new Set(this.#lists.map(({ id }) => id));
    const first = await this.plan(0);
    const hasHere = ({ planned }: Planning) =>
      planned.some(({ type, isFound, id }) => type === 'list' && isFound && known.has(id));
    if (hasHere(first)) return { planning: first, turn: 0 };
    for (let turn = 1; turn < MOST_TURNS; turn += 1) {
      // oxlint-disable-next-line no-await-in-loop -- Ends with the first that is here.
      const planning = await this.plan(turn);
      if (hasHere(planning)) return { planning, turn };
    }
    return { planning: first, turn: 0 };
  }

  async standing({ planned, context }: Planning): Promise<Standing> {
    const marks = marksOf(this.#call);
    const here = new Here(context.scope, { lists: this.lists, labels: this.labels, marks });
    const lists = new Set(this.#lists.map(({ id }) => id));
    // Nothing of it is here if none of its lists is, but what is in the Inbox.
    const isAgain = planned.some(
      ({ type, id, parent }) => (type === 'list' && lists.has(id)) || (type === 'task' && lists.has(parent)),
    );
    const { session, world } = this.#call;
    if (isAgain) await here.read(session, planned, progressOf(world, 'Compared'));
    const standing = new Standing(here, { restores: false, movesNothing: true });
    standing.add(planned);
    standing.finish();
    return standing;
  }

  get lists(): There {
    return new Map(this.#lists.map((list) => [list.id as Id, list]));
  }

  get labels(): There {
    return new Map(this.#labels.map((label) => [label.id as Id, label]));
  }
}

const labelsSkipped = (planned: readonly Planned[]) => planned.some(({ type }) => type === 'labelGroup');

interface Asked {
  readonly name: string;
  readonly problems: readonly string[];
}

function reportOf(
  { summary, planned }: Planning,
  standing: Standing,
  { problems }: Asked,
): readonly string[] {
  return [
    leadOf(summary),
    ...countLines(standing.counts, { restores: false }),
    ...summary.losses.map(lossLine),
    ...leftLines(standing.left),
    ...(standing.unmoved > 0
      ? [
          `${counted(standing.unmoved, 'thing')} in another order in the file since: left. Import in the app to move them.`,
        ]
      : []),
    ...(summary.unfound > 0
      ? [`${counted(summary.unfound, 'task')} without an id: importing again makes them again.`]
      : []),
    ...(labelsSkipped(planned) ? ["The API can't make label groups: new labels are in none."] : []),
    ...summary.notes,
    ...problems,
  ];
}

async function importTasks(call: Call, importer: Importer, asked: Asked): Promise<void> {
  const { session } = call;
  const { lists } = await session.askPatiently((client) => client.listLists());
  const { labels } = await session.askPatiently((client) => client.listLabels());
  const work = new Import(call, importer, { lists, labels });
  const { planning, turn } = await work.current();
  const standing = await work.standing(planning);
  const { summary } = planning;
  const { counts, left } = standing;
  if (call.has('report'))
    call.world.print(reportText(asked.name, { summary, counts, left, restores: false }));
  const isDry = call.has('dry-run');
  if (isDry || standing.actions.length === 0) {
    const lines = [
      ...reportOf(planning, standing, asked),
      isDry ? 'Nothing was imported.' : 'Nothing to change.',
    ];
    const json = { success: true, dry_run: isDry, undo: null, ...jsonOf(planning, standing) };
    call.show(json, lines.map(plainLine).join('\n'));
    return;
  }
  await send(call, work, { planning, standing, turn, asked });
}

/** Ids that lie in the trash, or are gone for good, can't be used again: then others are derived. */
async function send(
  call: Call,
  work: Import,
  first: {
    readonly planning: Planning;
    readonly standing: Standing;
    readonly turn: number;
    readonly asked: Asked;
  },
): Promise<void> {
  const { session, world } = call;
  const { asked } = first;
  let { planning, standing, turn } = first;
  // Short enough to type.
  const record = world.newId().slice(-6);
  const file = `${RECORDS}/${record}.json`;
  const about = { account: session.account, name: asked.name, at: world.now(), marks: marksOf(call) };
  for (;;) {
    const unsent: Unsent = new Map();
    const ports = {
      session,
      zone: world.zone,
      unsent,
      progress: progressOf(world, 'Sent'),
      keep: (made: Made) => call.folder.write(file, { ...about, ...made }),
    };
    const sending = new Sending(ports, {
      scope: planning.context.scope,
      lists: work.lists,
      labels: work.labels,
    });
    try {
      // oxlint-disable-next-line no-await-in-loop -- Once, unless ids are taken.
      await sending.send(standing.actions);
      remember(call, standing.actions);
      const undo = `Undo it with: posthaste import --undo ${record}`;
      const lines = [...reportOf(planning, standing, asked), ...unsentLines(unsent), undo];
      const json = { undo: record, ...jsonOf(planning, standing), unsent: Object.fromEntries(unsent) };
      call.show({ success: true, ...json }, lines.map(plainLine).join('\n'));
      return;
    } catch (error) {
      if (!(error instanceof Failure) || !error.isTaken || turn >= MOST_TURNS)
        throw stopped(error, record, sending.made);
      turn += 1;
    }
    // oxlint-disable-next-line no-await-in-loop -- As above.
    await takeBack(session, sending.made);
    // oxlint-disable-next-line no-await-in-loop -- As above.
    planning = await work.plan(turn);
    // oxlint-disable-next-line no-await-in-loop -- As above.
    standing = await work.standing(planning);
  }
}

function jsonOf({ summary }: Planning, { counts, left }: Standing): object {
  return {
    kind: summary.kind,
    tasks: summary.tasks,
    lists: summary.lists.map(({ name, folders, tasks, isInbox }) => ({
      name,
      folders,
      tasks,
      is_inbox: isInbox,
    })),
    new_labels: summary.newLabels,
    counts,
    left,
    losses: summary.losses,
    notes: summary.notes,
  };
}

async function undo(call: Call, asked: string): Promise<void> {
  const names = call.folder.names(RECORDS).filter((name) => name.startsWith(asked));
  const [found, ...more] = names;
  if (found === undefined || more.length > 0)
    throw new Failure(
      'missing',
      found === undefined ? `There's no import ${asked}.` : `Several imports begin with ${asked}.`,
    );
  const record = call.folder.read(`${RECORDS}/${found}`, recordSchema);
  if (record === null) throw new Failure('missing', `The record of import ${asked} is damaged.`);
  if (record.account !== call.session.account)
    throw new Failure('access', "That's an import of another account. Sign in there.");
  const gone = await takeBack(call.session, record as Made);
  rememberAgain(
    call,
    record.entities.map(({ id }) => id),
    record.marks,
  );
  call.folder.remove(`${RECORDS}/${found}`);
  const said = gone === 0 ? '' : ` ${counted(gone, 'thing')} of it had gone before.`;
  call.show(
    { success: true, undone: found.replace(/\.json$/, ''), gone },
    `Took back the import of ${plainLine(record.name)}.${said}`,
  );
}

/** `lines`: what makes tasks of lines of text. */
export const importingCommand = (lines: Lines, options: Command['options']): Command => ({
  name: 'import',
  usage: '<file…> | -',
  summary: 'Import files of other programs, or make tasks from lines of text.',
  details: [
    'Backups, databases and exports of other apps are told by their content: Todoist, Things, Workflowy, CSV, OPML and more, and our own JSON. A',
    'folder stands for its files. --dry-run says what would come, and what has no place. Importing a newer export again updates what',
    "changed there, and leaves what you changed here. In a text, each line becomes a task under the one it's indented below.",
  ],
  options: [
    { name: 'dry-run', short: 'n', summary: 'say what would be imported, and import nothing' },
    { name: 'report', summary: 'print the whole report in Markdown first' },
    { name: 'no-priorities', summary: 'leave priorities out; otherwise they become labels' },
    { name: 'no-completed', summary: 'leave completed tasks out' },
    { name: 'someday-list', summary: 'put what is for someday into a list of its own' },
    { name: 'top-lists', summary: 'make lists of the top items of an outline' },
    { name: 'undo', value: 'import', summary: 'take an import back, by the id it named' },
    ...options,
  ],
  sendsOutbox: true,
  async run(call) {
    const asked = call.option('undo');
    if (asked !== undefined) {
      if (call.words.length > 0) throw wrongUse('--undo takes the id of an import, and no files.');
      await undo(call, asked);
      return;
    }
    if (call.words.length === 0) throw wrongUse('Name the files, or - for the input.');
    const { world } = call;
    const sources = await sourcesOf(world, call.words);
    const importer = directImporter({ newId: () => world.newId(), openDatabase });
    const phrase = phraseContextOf({ at: world.now(), zone: world.zone, locale: world.locale });
    const { hasTasks, texts, problems } = await importer.read(
      sources,
      { phrase, eveningHour: EVENING_HOUR },
      () => undefined,
    );
    const [text, ...more] = texts;
    if (hasTasks) {
      const beside = texts.map(({ name }) => `${name} has lines of text. Import it by itself.`);
      const name = call.words.map((word) => (word === '-' ? 'the input' : word)).join(', ');
      await importTasks(call, importer, { name, problems: [...problems, ...beside] });
      return;
    }
    if (text === undefined) throw wrongUse(problems.join(' ') || 'There is nothing to import.');
    if (more.length > 0) throw wrongUse('Import files with lines of text one at a time.');
    if (isOwnText(text.text)) {
      if (text.text.includes('"posthaste-unsent"'))
        throw wrongUse(`${text.name} has unsent changes. Import it in the app.`);
      await importOwn(call, text);
      return;
    }
    if (call.has('dry-run')) throw wrongUse('--dry-run is for files of other programs.');
    if (text.note !== null) world.warn(`${text.name}: ${text.note}`);
    await lines.run(call, text.text);
  },
});

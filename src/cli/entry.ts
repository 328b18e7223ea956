// Turns a typed line into a new task for the API, in the language of quick entry (client/entry): dates, repeats, lengths,
// #labels and @lists are taken out of the title.
import * as z from 'zod/mini';
import { finishTask, TokenLine } from '#client/entry/token-line.ts';
import type { Names as EntryNames } from '#core/titles/names.ts';
import { endOf, readTokens, type Token } from '#core/titles/tokens.ts';
import { sayToken, valuesOf } from '#client/entry/values.ts';
import { deriveId, type Id } from '#core/ids.ts';
import { type OutlineItem, parseOutlineText } from '#core/formats/outline-text.ts';
import type { NewTask } from '#wire/api/client.ts';
import { wrongUse } from './failure.ts';
import { type KnownList, listName, type KnownNames, type Names } from './names.ts';
import { phraseContextOf, type Saying } from './saying.ts';
import { dateFields, fieldsOfWishes, repeatFields, wishesSchema } from './wishes.ts';
import type { World } from './world.ts';

/** A line as the person said it. */
export interface SaidLine {
  readonly words: string;
  readonly notes: string;
  /** The words are the title, as they are. */
  readonly isLiteral: boolean;
}

/** Reads a line: the task to create with this id, and what was read, in words. */
export type LineReading = (id: Id, line: SaidLine) => Promise<Interpreted>;

/** Input of `add` or `import` exactly as it was given: stored in the outbox until the server has it. */
export const saidSchema = z.object({
  kind: z.enum(['line', 'outline']),
  text: z.string(),
  notes: z.string(),
  /** The text is the whole title; nothing is parsed out of it. */
  isLiteral: z.boolean(),
  isOnTop: z.boolean(),
  /** Id of the parent task. */
  under: z.nullable(z.string()),
  wishes: wishesSchema,
  at: z.number(),
  zone: z.string(),
  locale: z.string(),
});
/** What a person asked to add, with the moment, zone and locale in which its words are read. */
export type Said = z.infer<typeof saidSchema>;

export interface Interpreted {
  readonly bodies: readonly NewTask[];
  /** What was understood: "due Fri 27 Nov 2026", "#errands". */
  readonly understood: readonly string[];
  readonly warnings: readonly string[];
}

const HOLDS_TASKS: ReadonlySet<string> = new Set(['list', 'inbox']);
/** A # is often just a #: names are fetched for a line at most this often. */
const WORDS_MS = 60_000;
/** A sign that starts a label or list name. */
const NAMED = /(?<![^\s(])([#@])"?(?=[^\s#@])/;

function entryNames({ lists, labels }: KnownNames): EntryNames {
  const holding = lists.filter(
    ({ list_type: type, archived_at: archived }) => HOLDS_TASKS.has(type) && archived === null,
  );
  const named = (list: KnownList) => ({ id: list.id as Id, name: listName(list) });
  return {
    labels: labels.map(({ id, name }) => ({ id: id as Id, name })),
    lists: holding.map(named),
  };
}

const nobody: EntryNames = { labels: [], lists: [] };

interface ReadLine {
  readonly title: string;
  readonly tokens: readonly Token[];
  readonly warnings: readonly string[];
}

function readLine({ text, notes, isLiteral }: Said, saying: Saying, names: EntryNames): ReadLine {
  if (isLiteral) return { title: text.trim(), tokens: [], warnings: [] };
  const context = phraseContextOf(saying);
  const line = new TokenLine('auto', (typed) => readTokens(typed, context, { names: () => names }));
  line.type(text, text.length);
  const warnings: string[] = [];
  const end = endOf(line.pending);
  if (end !== null) warnings.push(`A repeat can't have an end, so “${end}” stays in the title.`);
  for (const token of line.pending) {
    if (token.kind !== 'repeat' || repeatFields(token.reading.rule) !== null) continue;
    warnings.push(`“${token.text}” can only be set in the app, so it stays in the title.`);
    line.refuse(token);
  }
  return { ...finishTask(line, notes), warnings };
}

/** Looks up the names in the line; unknown ones are fetched from the server once more. */
async function readWithNames(said: Said, saying: Saying, names: Names): Promise<ReadLine> {
  if (said.isLiteral || !NAMED.test(said.text)) return readLine(said, saying, nobody);
  const first = readLine(said, saying, entryNames(await names.all()));
  if (!NAMED.test(first.title)) return first;
  const second = readLine(said, saying, entryNames(await names.anew(WORDS_MS)));
  const [sign] = NAMED.exec(second.title) ?? [];
  if (sign === undefined) return second;
  const what = sign.startsWith('#') ? 'label' : 'list';
  return {
    ...second,
    warnings: [
      ...second.warnings,
      `There's no known ${what} after ${sign.charAt(0)}, so it stays in the title.`,
    ],
  };
}

function fieldsOfTokens(tokens: readonly Token[], saying: Saying) {
  const { at, zone } = saying;
  const today = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate();
  const { fields, list, snooze } = valuesOf(tokens, {
    today: { on: today.toString() },
    missed: 'skip',
    moment: { now: at, zone },
    hasDate: false,
  });
  const labels = Object.keys(fields).flatMap((name) => (name.startsWith('label:') ? [name.slice(6)] : []));
  return {
    list,
    labels,
    body: {
      ...(fields.due === undefined ? {} : dateFields('due', fields.due, zone)),
      ...(fields.start === undefined ? {} : dateFields('start', fields.start, zone)),
      ...(snooze === null ? {} : dateFields('snooze', snooze, zone)),
      ...(fields.repeat ? repeatFields(fields.repeat) : {}),
      ...(fields.duration === undefined ? {} : { duration_minutes: fields.duration }),
    },
  };
}

/** Rejects with a Failure when something is not understood or does not exist. */
async function interpretLine(id: string, said: Said, names: Names): Promise<Interpreted> {
  const saying: Saying = said;
  const { title, tokens, warnings } = await readWithNames(said, saying, names);
  if (title === '') throw wrongUse('Type what to do.');
  const named = fieldsOfTokens(tokens, saying);
  const wished = fieldsOfWishes(said.wishes, saying);
  const place = await placeOf(said, names);
  const labels = [...named.labels];
  for (const name of said.wishes.labels) labels.push((await names.label(name)).id);
  const body: NewTask = {
    id,
    title,
    ...(said.notes.trim() === '' ? {} : { notes: said.notes }),
    ...withoutOther(named.body, wished),
    ...wished,
    ...(named.list === null ? {} : { list_id: named.list }),
    ...place,
    ...(labels.length === 0 ? {} : { label_ids: [...new Set(labels)] }),
    ...(said.isOnTop ? { location: 'start' as const } : {}),
  };
  const context = { now: saying.at, zone: saying.zone, locale: saying.locale, dayStart: 0 };
  return { bodies: [body], understood: tokens.map((token) => sayToken(token, context)), warnings };
}

/** An option overrides the words of the line; a time and a day of the same date cannot both be sent. */
function withoutOther<T extends object>(fields: T, wished: object): Partial<T> {
  const bare = (name: string) => name.replace(/^timeless_/, '');
  const said = new Set(Object.keys(wished).map(bare));
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !said.has(bare(name)))) as Partial<T>;
}

async function placeOf(
  { wishes, under }: Said,
  names: Names,
): Promise<Pick<NewTask, 'list_id' | 'parent_id'>> {
  if (under !== null) return { parent_id: under };
  return wishes.list === undefined ? {} : { list_id: (await names.list(wishes.list)).id };
}

/**
 * Makes every line a task, indented ones under the line above. The ids are derived, so sending again creates nothing twice.
 */
async function interpretOutline(id: string, said: Said, names: Names): Promise<Interpreted> {
  const place = await placeOf(said, names);
  const bodies: NewTask[] = [];
  const add = (items: readonly OutlineItem[], parent: string | null) => {
    for (const { title, notes, done, children } of items) {
      const own = deriveId('import', id, String(bodies.length));
      bodies.push({
        id: own,
        title: title.trim() === '' ? '…' : title,
        ...(notes === undefined ? {} : { notes }),
        ...(done === true ? { is_complete: true } : {}),
        ...(parent === null
          ? { ...place, ...(said.isOnTop ? { location: 'start' as const } : {}) }
          : { parent_id: parent }),
      });
      add(children, own);
    }
  };
  add(parseOutlineText(said.text), null);
  if (bodies.length === 0) throw wrongUse("There's nothing to import.");
  return { bodies, understood: [], warnings: [] };
}

export function interpret(id: string, said: Said, names: Names): Promise<Interpreted> {
  return said.kind === 'line' ? interpretLine(id, said, names) : interpretOutline(id, said, names);
}

/** Reads single lines at the moment at which they come, for tools that add them. */
export function lineReader(world: Pick<World, 'now' | 'zone' | 'locale'>, names: Names): LineReading {
  return (id, { words, notes, isLiteral }) =>
    interpretLine(
      id,
      {
        kind: 'line',
        text: words,
        notes,
        isLiteral,
        isOnTop: false,
        under: null,
        wishes: { labels: [] },
        at: world.now(),
        zone: world.zone,
        locale: world.locale,
      },
      names,
    );
}

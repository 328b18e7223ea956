// What the guides take from the program itself: the keys of every command, the operators of the search, the dates in words.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commands, standardBindings } from '#client/commands/registry.ts';
import { Keymap } from '#client/keys/keymap.ts';
import { keySheet } from '#client/keys/key-sheet.ts';
import { operators, possessions, traits } from '#core/search/operators.ts';
import { ROOT } from '../files.ts';
import { formats } from '#core/formats/import/formats.ts';
import { exportFormats } from '#core/formats/export/formats.ts';
import { fateWords, listFields, otherFields, taskFields } from '#core/formats/export/fates.ts';
import { mappings, type MappedProgram } from '#core/formats/import/mappings.ts';
import { documentTables } from './doc-tables.ts';

export interface CommandKeys {
  readonly title: string;
  readonly apple: readonly (readonly string[])[];
  readonly other: readonly (readonly string[])[];
}

export interface Table {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

const sheets = { apple: sheetFor(true), other: sheetFor(false) };

function sheetFor(apple: boolean) {
  return keySheet(standardBindings, new Keymap(standardBindings, apple), commands);
}

/** Of the keys of these the sign is named first, everywhere on the site: it is what people know them by. */
const KNOWN_BY_SIGN: ReadonlySet<string> = new Set(['search.open', 'help.keys']);

function keysOf(sheet: typeof sheets.apple, id: string): readonly (readonly string[])[] {
  const ordered = KNOWN_BY_SIGN.has(id)
    ? sheet.toSorted(
        (one, two) => Number(two.title === 'In the outline') - Number(one.title === 'In the outline'),
      )
    : sheet;
  const found = ordered.flatMap(({ rows }) =>
    rows.filter((row) => row.id === id).flatMap(({ keys }) => keys),
  );
  return found.filter((keys, at) => found.findIndex((other) => other.join(' ') === keys.join(' ')) === at);
}

export function commandKeys(): Readonly<Record<string, CommandKeys>> {
  return Object.fromEntries(
    [...commands.values()].map(({ id, title }) => [
      id,
      { title, apple: keysOf(sheets.apple, id), other: keysOf(sheets.other, id) },
    ]),
  );
}

export function keyGroups(): readonly { readonly title: string; readonly commands: readonly string[] }[] {
  return sheets.other.map(({ title, rows }, at) => ({
    title,
    commands: [...new Set([...rows, ...(sheets.apple[at]?.rows ?? [])].map(({ id }) => id))],
  }));
}

const code = (text: string) => `\`${text}\``;
const words = (table: Readonly<Record<string, string>>, prefix: string): readonly (readonly string[])[] =>
  Object.entries(table).map(([name, meaning]) => [code(`${prefix}:${name}`), meaning]);

const withCode = ([phrase = '', ...rest]: readonly string[]) => [code(phrase), ...rest];

/** What means the same in one row; capitals make no difference. */
function byReading(rows: readonly (readonly string[])[]): Table {
  const groups = Map.groupBy(rows, ([, reading = '']) => reading);
  return {
    head: ['You type', 'It means'],
    rows: [...groups].map(([reading, alike]) => [
      [...new Set(alike.map(([phrase = '']) => code(phrase.toLowerCase())))].join(', '),
      reading,
    ]),
  };
}

/** The tables of phrases, which are the tests of the program at the same time. */
function dateTables(): Record<string, Table> {
  const text = readFileSync(join(ROOT, 'docs/rules/dates.md'), 'utf8');
  const tables: Record<string, Table> = {};
  for (const [, title = '', body = ''] of text.matchAll(/^### (.+)\n([\s\S]*?)(?=^##|(?![\s\S]))/gm)) {
    const lines = body.split('\n').filter((line) => line.startsWith('|'));
    const cells = lines.map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
    const [head, , ...rows] = cells;
    if (head && rows.length > 0)
      tables[`dates ${title}`] = head.length === 2 ? byReading(rows) : { head, rows: rows.map(withCode) };
  }
  return tables;
}

function commandTables(): Record<string, Table> {
  const groups = Map.groupBy(commands.values(), ({ group }) => group);
  return Object.fromEntries(
    [...groups].map(([group, list]) => [
      `commands ${group}`,
      {
        head: ['Command', 'Keys'],
        rows: list.filter(({ inPalette }) => inPalette).map(({ id, title }) => [title, `[[${id}]]`]),
      },
    ]),
  );
}

/** What becomes what, by the program that it comes from; and all formats that are read. */
function importTables(): Record<string, Table> {
  const known = formats.map(({ title, extensions }) => [
    title,
    extensions.map((each) => `\`${each}\``).join(', '),
  ]);
  const names = { todoist: 'In Todoist', things: 'In Things', workflowy: 'In Workflowy' } as const;
  const tables = Object.fromEntries(
    (Object.keys(mappings) as MappedProgram[]).map((program) => [
      `import ${program}`,
      { head: [names[program], 'Here'], rows: mappings[program].map(({ theirs, ours }) => [theirs, ours]) },
    ]),
  );
  return {
    ...tables,
    'import formats': {
      head: ['Import', 'Usual endings'],
      rows: known.toSorted(([a = ''], [b = '']) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1)),
    },
  };
}

/** What becomes of each field in the formats of exports: an own table for each format, and one of what all of them hold. */
function exportTables(): Record<string, Table> {
  const rows = exportFormats.map(({ name, title, extension, fates }) => {
    const { tasks, lists, others } = fates;
    const told = [
      ...namesOf(taskFields).map((field) => [taskFields[field], fateWords(tasks[field])]),
      ...namesOf(listFields).map((field) => [listFields[field], fateWords(lists[field])]),
      ...namesOf(otherFields).map((field) => [otherFields[field], fateWords(others[field])]),
    ];
    return { name, title, extension, told };
  });
  const own = rows.map(({ name, title, told }) => [
    `export ${name}`,
    { head: ['In Posthaste', `In ${title}`], rows: told },
  ]);
  const short: Readonly<Record<string, string>> = { yes: '●', no: '–' };
  const sign = (words: string) => short[words] ?? (words.startsWith('yes') ? '●' : '○');
  const fields = rows[0]?.told.map(([name = '']) => name) ?? [];
  return {
    ...Object.fromEntries(own),
    'export formats': {
      head: ['In Posthaste', ...rows.map(({ extension }) => code(extension))],
      rows: fields.map((name, at) => [name, ...rows.map(({ told }) => sign(told[at]?.[1] ?? ''))]),
    },
  };
}

const namesOf = <Key extends string>(record: Readonly<Record<Key, unknown>>) => Object.keys(record) as Key[];

/** By name. docs/site.md lists them. */
export function generatedTables(): Readonly<Record<string, Table>> {
  return {
    operators: {
      head: ['Operator', 'Finds tasks', 'Example', 'Also called'],
      rows: operators.map(({ name, description, example, aliases }) => [
        code(`${name}:`),
        description,
        code(example),
        aliases.map((alias) => code(`${alias}:`)).join(', '),
      ]),
    },
    'is values': { head: ['Value', 'Finds tasks that are'], rows: words(traits, 'is') },
    'has values': { head: ['Value', 'Finds tasks with'], rows: words(possessions, 'has') },
    ...importTables(),
    ...exportTables(),
    ...dateTables(),
    ...commandTables(),
    ...documentTables(),
  };
}

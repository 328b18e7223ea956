// Writes the tables of docs/ that are made from code: the operators of the search language, the words of dates and the keys. With
// `--check` nothing is written, and it fails where a table says something else than the code. A test does the same.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { english, type Vocabulary } from '#core/dates/vocabulary.ts';
import {
  operators,
  possessionAliases,
  possessions,
  sortFields,
  traitAliases,
  traits,
} from '#core/search/operators.ts';
import { must } from '#core/assert.ts';
import type { KeyContext } from '#client/commands/command.ts';
import { commands } from '#client/commands/registry.ts';
import { layered } from '#client/keys/layers.ts';
import { keyPlaces, placeNames } from '#client/keys/place-names.ts';
import { bindingsOf, type Preset, presets } from '#client/keys/presets.ts';
import { reserved } from '#client/keys/reserved.ts';
import { keycapOf, parseKeys } from '#client/keys/stroke.ts';
import { ROOT } from './files.ts';

type Line = readonly string[];

const code = (text: string) => (text === '' ? '' : `\`${text}\``);
const codes = (texts: Iterable<string>) => [...texts].map(code).join(', ');

function table(head: Line, lines: readonly Line[]): string {
  const row = (cells: Line) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n');
}

function aliasesOf(name: string, aliases: Readonly<Record<string, string>>): string {
  return codes(Object.keys(aliases).filter((alias) => aliases[alias] === name));
}

function page(
  title: string,
  lead: string,
  parts: readonly (readonly [heading: string, table: string])[],
): string {
  const said = parts.map(([heading, body]) => `## ${heading}\n\n${body}\n`);
  return [`# ${title}`, lead, ...said].join('\n\n').replaceAll(/\n{3,}/g, '\n\n');
}

export function searchOperators(): string {
  const lead =
    'Words find tasks that have all of them in title or notes; `OR`, a minus sign and parentheses join them. An operator is a\n' +
    'word before a colon, with its value right behind it; a value with spaces stands in quotation marks. What holds of all of\n' +
    'it are the rules in [rules/search.md](rules/search.md). This page is made from the code by `scripts/tables.ts`.';
  const named = Object.entries(sortFields).filter(([name, field]) => name === field);
  return page('Search operators', lead, [
    [
      'Operators',
      table(
        ['operator', 'also', 'meaning', 'example'],
        operators.map(({ name, aliases, description, example }) => [
          code(`${name}:`),
          codes(aliases.map((alias) => `${alias}:`)),
          description,
          code(example),
        ]),
      ),
    ],
    [
      'What a task is',
      table(
        ['value', 'also', 'finds tasks that are'],
        Object.entries(traits).map(([name, said]) => [
          code(`is:${name}`),
          aliasesOf(name, traitAliases),
          said,
        ]),
      ),
    ],
    [
      'What a task has',
      table(
        ['value', 'also', 'finds tasks with'],
        Object.entries(possessions).map(([name, said]) => [
          code(`has:${name}`),
          aliasesOf(name, possessionAliases),
          said,
        ]),
      ),
    ],
    [
      'Orders',
      table(
        ['value', 'also', 'the other way round'],
        named.map(([name]) => [
          code(`sort:${name}`),
          codes(Object.keys(sortFields).filter((alias) => alias !== name && sortFields[alias] === name)),
          code(`sort:${name}-desc`),
        ]),
      ),
    ],
  ]);
}

/** Words by what they mean, in the order of the vocabulary. */
function grouped<T>(words: ReadonlyMap<string, T>, say: (meaning: T) => string): readonly Line[] {
  const groups = new Map<string, string[]>();
  for (const [word, meaning] of words) {
    const said = say(meaning);
    groups.set(said, [...(groups.get(said) ?? []), word]);
  }
  return [...groups].map(([said, all]) => [codes(all), said]);
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function dayLines({ weekdays, months, namedDays, periodEnds, none }: Vocabulary): readonly Line[] {
  const days = (count: number) => (count === 0 ? 'today' : count > 0 ? 'tomorrow' : 'yesterday');
  return [
    ...grouped(namedDays, days),
    ...grouped(weekdays, (day) => WEEKDAYS[day - 1] ?? ''),
    ...grouped(months, (month) => `month ${month}`),
    ...grouped(periodEnds, (period) => `end of the ${period}`),
    [codes(none), 'no date'],
  ];
}

function amountLines({ units, rhythms, ordinals, numbers }: Vocabulary): readonly Line[] {
  const count = ({ unit, times }: { readonly unit: string; readonly times: number }) =>
    times === 1 ? unit : `${times} ${unit}s`;
  return [
    ...grouped(units, (meanings) => meanings.map(count).join(', or ')),
    ...grouped(rhythms, (rhythm) => `every ${count(rhythm)}`),
    ...grouped(ordinals, (nth) => (nth === -1 ? 'the last' : `number ${nth}`)),
    ...grouped(numbers, String),
  ];
}

function timeLines({ partsOfDay, hours, halves, is }: Vocabulary): readonly Line[] {
  return [
    ...grouped(partsOfDay, (part) => `the ${part}, at the hour set for it`),
    ...grouped(hours, (hour) => (hour === 24 ? '0:00 of the next day' : `${hour}:00`)),
    ...grouped(halves, (half) => (half === 'am' ? 'before noon' : 'after noon')),
    [codes(is.tonight), 'today, at the hour set for the night'],
    [codes(is.now), 'this moment'],
  ];
}

export function dateWords(): string {
  const lead =
    'The English words that due, start and snooze dates, reminders, lengths, repeats and searches are said in; numbers, times\n' +
    '(`17:00`, `5pm`) and dates (`27/11`, `2026-11-27`) go with them. What they do together is told by the tables in\n' +
    '[rules/dates.md](rules/dates.md). This page is made from the code by `scripts/tables.ts`.';
  const head = ['words', 'meaning'];
  const keywords = Object.entries(english.is).map(([name, words]) => [codes(words), name] as const);
  return page('Words for dates', lead, [
    ['Days', table(head, dayLines(english))],
    ['Times', table(head, timeLines(english))],
    ['Amounts and rhythms', table(head, amountLines(english))],
    ['Small words', table(['words', 'work as'], keywords)],
    [
      'Only with company',
      `In a sentence these are words like any other until a date stands beside them: ${codes(english.everyday)}.`,
    ],
  ]);
}

/** Of a set laid over the standard keys: what it changes. */
function keyTable(set: Preset, place: KeyContext): string {
  const lines = new Map<string, { readonly title: string; readonly keys: [Set<string>, Set<string>] }>();
  for (const [column, apple] of [true, false].entries()) {
    const own = set.bindings.length === 0 ? bindingsOf(set, apple) : layered([], set.bindings, apple);
    for (const { context, keys, command } of own) {
      if (context !== place) continue;
      const title = must(commands.get(command), `there is a command ${command}`).title.replace(/…$/, '');
      const line = lines.get(command) ?? { title, keys: [new Set(), new Set()] };
      lines.set(command, line);
      const caps = parseKeys(keys, apple).map((stroke) => keycapOf(stroke, apple));
      line.keys[column]?.add(caps.join(' '));
    }
  }
  return table(
    ['What', 'On Apple keyboards', 'Elsewhere'],
    [...lines.values()].map(({ title, keys }) => [title, codes(keys[0]), codes(keys[1])]),
  );
}

export function keysPage(): string {
  const lead =
    'The standard keys, and what the other sets change about them. The app shows the same with `?`, as you have changed it, and\n' +
    'prints it as a cheat sheet. What keys promise are the rules in [rules/keyboard.md](rules/keyboard.md). This page is made from the code by\n' +
    '`scripts/tables.ts`.';
  const parts = presets.flatMap((set) =>
    keyPlaces
      .map((place) => [place, keyTable(set, place)] as const)
      .filter(([, body]) => body.split('\n').length > 2)
      .map(([place, body]) => [`${set.title}: ${placeNames[place].toLowerCase()}`, body] as const),
  );
  const taken = table(
    ['Key', 'Where', 'What may keep it'],
    reserved.map(({ strokes, on, by, isCertain }) => [
      codes(strokes.map((stroke) => keycapOf(stroke, on === 'apple'))),
      { apple: 'Apple keyboards', other: 'Elsewhere', both: 'Everywhere' }[on],
      isCertain ? `always: ${by}` : by,
    ]),
  );
  return page('Keys', lead, [...parts, ['Keys that may not arrive', taken]]);
}

export const tables: readonly (readonly [file: string, make: () => string])[] = [
  ['docs/search-operators.md', searchOperators],
  ['docs/date-words.md', dateWords],
  ['docs/keys.md', keysPage],
];

/** Files whose table is not what the code says. */
export function drifted(): readonly string[] {
  return tables.flatMap(([file, make]) => {
    try {
      return readFileSync(join(ROOT, file), 'utf8') === make() ? [] : [file];
    } catch {
      // Not there at all.
      return [file];
    }
  });
}

if (import.meta.main) {
  if (process.argv.includes('--check')) {
    const old = drifted();
    for (const file of old) console.error(`${file} is not what the code says. Run: node scripts/tables.ts`);
    process.exitCode = old.length === 0 ? 0 : 1;
  } else for (const [file, make] of tables) writeFileSync(join(ROOT, file), make());
}

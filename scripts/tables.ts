// Writes the tables of docs/ that are made from code: the operators of the search language, the words of dates, the keys and the command line. With
// `--check` nothing is written, and it fails where a table says something else than the code. A test does the same.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { english, type Holiday, type Vocabulary } from '#core/dates/vocabulary.ts';
import {
  operators,
  possessionAliases,
  possessions,
  sortNames,
  traitAliases,
  traits,
} from '#core/search/operators.ts';
import { must } from '#core/assert.ts';
import { commandTables } from '#cli/manual.ts';
import { tools } from '#cli/mcp-tools.ts';
import { commands as cliCommands } from '#cli/registry.ts';
import type { KeyContext } from '#client/commands/command.ts';
import { commands, partBindings } from '#client/commands/registry.ts';
import { layered } from '#client/keys/layers.ts';
import { keyPlaces, placeName } from '#client/keys/place-names.ts';
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
    'word before a colon, with its value right behind it; a value with spaces stands in quotation marks, dates and lengths may\n' +
    'have hyphens for them. What holds of all of it are the rules in [rules/search.md](rules/search.md). This page is made from the code by `npm run docs`.';
  const named = Object.entries(sortNames).filter(([name, field]) => name === field);
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
          codes(Object.keys(sortNames).filter((alias) => alias !== name && sortNames[alias] === name)),
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

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

function holidayMeaning(holiday: Holiday): string {
  if ('easter' in holiday) {
    const days = Math.abs(holiday.easter);
    if (days === 0) return 'Easter Sunday';
    return `${days} ${days === 1 ? 'day' : 'days'} ${holiday.easter > 0 ? 'after' : 'before'} Easter Sunday`;
  }
  const month = MONTHS[holiday.month - 1] ?? '';
  if ('day' in holiday) return `${month} ${holiday.day}`;
  const nth = holiday.nth === -1 ? 'last' : (['first', 'second', 'third', 'fourth'][holiday.nth - 1] ?? '');
  const day = `the ${nth} ${WEEKDAYS[holiday.weekday - 1] ?? ''} of ${month}`;
  return holiday.plus === undefined ? day : `the day after ${day}`;
}

function dayLines({
  weekdays,
  months,
  namedDays,
  periodEnds,
  partsOfMonth,
  holidays,
  none,
}: Vocabulary): readonly Line[] {
  const days = (count: number) => (count === 0 ? 'today' : count > 0 ? 'tomorrow' : 'yesterday');
  return [
    ...grouped(namedDays, days),
    ...grouped(weekdays, (day) => WEEKDAYS[day - 1] ?? ''),
    ...grouped(months, (month) => `month ${month}`),
    ...grouped(periodEnds, (period) => `end of the ${period}`),
    ...grouped(partsOfMonth, (day) => `day ${day} of a month`),
    ...grouped(holidays, holidayMeaning),
    [codes(none), 'no date'],
  ];
}

function amountLines({ units, rhythms, ordinals, numbers, roughNumbers }: Vocabulary): readonly Line[] {
  const count = ({ unit, times }: { readonly unit: string; readonly times: number }) =>
    times === 1 ? unit : `${times} ${unit}s`;
  return [
    ...grouped(units, (meanings) => meanings.map(count).join(', or ')),
    ...grouped(rhythms, (rhythm) => `every ${count(rhythm)}`),
    ...grouped(ordinals, (nth) => (nth === -1 ? 'the last' : `number ${nth}`)),
    ...grouped(numbers, String),
    ...grouped(roughNumbers, (number) => `about ${number}`),
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
    '[rules/dates.md](rules/dates.md). This page is made from the code by `npm run docs`.';
  const head = ['words', 'meaning'];
  const spaced = (name: string) => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const keywords = Object.entries(english.is).map(([name, words]) => [codes(words), spaced(name)] as const);
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
    const own =
      set.bindings.length === 0 ? bindingsOf(set, apple, partBindings) : layered([], set.bindings, apple);
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

/** What the grammar of a set reads. */
function readTable({ read }: Preset): string {
  const capsOf = (keys: string, apple: boolean) =>
    code(
      parseKeys(keys, apple)
        .map((stroke) => keycapOf(stroke, apple))
        .join(' '),
    );
  return table(
    ['What', 'On Apple keyboards', 'Elsewhere'],
    read.map(({ keys, title }) => [title, capsOf(keys, true), capsOf(keys, false)]),
  );
}

/** What those who know its model look for in vain, or find otherwise. */
function missingTable(lines: Preset['absent']): string {
  const codesOf = (keys: readonly string[], apple: boolean) =>
    codes(
      keys.map((each) =>
        parseKeys(each, apple)
          .map((stroke) => keycapOf(stroke, apple))
          .join(' '),
      ),
    );
  return table(
    ['What', 'On Apple keyboards', 'Elsewhere'],
    lines.map(({ keys, title }) => [title, codesOf(keys, true), codesOf(keys, false)]),
  );
}

function keysPage(): string {
  const lead =
    'The standard keys, and what the other sets change about them. The app shows the same with `?`, as you have changed it, and\n' +
    'prints it as a cheat sheet. What keys promise are the rules in [rules/keyboard.md](rules/keyboard.md). This page is made from the code by\n' +
    '`npm run docs`.';
  const parts = presets.flatMap((set) => [
    ...keyPlaces
      .map((place) => [place, keyTable(set, place)] as const)
      .filter(([, body]) => body.split('\n').length > 2)
      .map(([place, body]) => [`${set.title}: ${placeName(place).toLowerCase()}`, body] as const),
    ...(set.read.length === 0
      ? []
      : [[`${set.title}: read by itself in the outline`, readTable(set)] as const]),
    ...(set.absent.length === 0
      ? []
      : [[`${set.title}: not in this set, and without effect`, missingTable(set.absent)] as const]),
    ...(set.otherwise.length === 0
      ? []
      : [[`${set.title}: keys that do something else`, missingTable(set.otherwise)] as const]),
  ]);
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

const CLI_CALENDARS = `## Calendars

\`posthaste events\` shows a week of the calendars that you added in the app, or the days you name. \`posthaste block\` plans time for a task in the words of
the app's dialog, \`posthaste blocks\` lists it.

\`\`\`sh
posthaste events next week
posthaste block 4e1a77 tomorrow 9-10:30
posthaste block 4e1a77 fri 14:00 --move 9b215f
\`\`\`
`;

/** The commands of the command line; what comes before the tables is written here. */
function cliPage(): string {
  return `# The command line

\`posthaste\` adds, finds and changes tasks from a terminal or a script, and serves them to agents. It talks to your server by the
[public API](api.md). What it promises are the rules in [rules/cli.md](rules/cli.md). The tables are made from the code by
\`npm run docs\`.

## Begin

In a copy of this repository, with Node 20 or newer:

\`\`\`sh
npm ci && npm link
posthaste login --url https://your.server --email you@example.org
posthaste add 'Call the plumber tomorrow 9am for 20 min #phone'
posthaste list
posthaste complete 4e1a77
\`\`\`

- **Words.** \`add\` reads what quick entry in the app reads ([capture.md](capture.md)): dates, starts, snoozes, repeats,
  lengths, \`#label\`, \`@list\`. Put them in quotation marks,
  for to most shells \`#\` begins a comment. Dates are said as your language has them (\`LANG\`), in the time zone of the machine.
- **Tasks** are named by the end of their ids, which every listing shows in front.
- **Input.** \`add -\` reads a title and notes, \`import -\` an outline.
- **Without a network** what you add is printed back, kept in the outbox, and sent by the next command, once.
- **Scripts.** \`--json\` everywhere; failures go to the standard error with the exit codes below. Set \`POSTHASTE_URL\` and
  \`POSTHASTE_TOKEN\` where nobody signs in.
- **Files** are in \`~/.config/posthaste\` (\`XDG_CONFIG_HOME\`, on Windows \`%APPDATA%\`, or the folder in \`POSTHASTE_HOME\`), readable by you alone.

## Encrypted accounts

Where your own lists are end-to-end encrypted, \`posthaste key add\` gives your machine the key: you type the recovery code or the passphrase, or with \`--pair\` an
unlocked device gives it, once you have compared three words. Then every command and tool does what it does in another account, and encrypts what it writes before it
sends it; only macros can't be run. Shared lists that stay encrypted open there as well. \`posthaste key forget\`, and \`logout\`, delete the key (in \`keys/\`) and everything that was read with it (in \`copies/\`), which
until then you alone can read. After *Make a new key* in the app, commands say so until you add it.

${CLI_CALENDARS}
## Macros

\`posthaste macros\` lists the macros of the account, \`posthaste macro run\` lets an open app of yours run one on the named tasks. It shows what the
macro would change and asks; \`--dry-run\` only shows, \`--yes\` only runs. Before that, turn on *Let programs run macros* in the settings, and
choose *Let links and programs start a macro…* for each macro that programs may run.

\`\`\`sh
posthaste macro run 'Send invoice' --tasks 4e1a77,9b215f --set client='Meadow Street'
\`\`\`

## Shell completion

\`\`\`sh
source <(posthaste completion bash)
source <(posthaste completion zsh)
posthaste completion fish > ~/.config/fish/completions/posthaste.fish
\`\`\`

## Selected tasks

\`posthaste selected\` asks the app in your browser and writes \`{"selected_task_ids": […], "list_id": …}\` into a file. The app saves the answer as
a download, which the command moves to its place: a page of the web can neither read nor fake it unnoticed. The app answers only after you have
turned on *Links may ask which tasks are selected*. Without the command line the same link leaves the file among your downloads and its text on the clipboard.

## Agents

\`posthaste mcp\` speaks the Model Context Protocol over its standard input and output. Make a token in the app (*API access tokens*),
name it after the agent, and configure the agent with

\`\`\`json
{
  "mcpServers": {
    "posthaste": {
      "command": "posthaste",
      "args": ["mcp"],
      "env": { "POSTHASTE_URL": "https://your.server", "POSTHASTE_TOKEN": "ph_…" }
    }
  }
}
\`\`\`

What the agent writes stands in the history under that name, and one call of it is taken back as one change. \`--read-only\`, or a token
for reading, lets it change nothing.

${table(
  ['Tool', 'What it does'],
  tools.map(({ name, title, isReading }) => [code(name), isReading ? `${title} (reads only)` : title]),
)}

## Commands

${commandTables(cliCommands)}
`;
}

export const tables: readonly (readonly [file: string, make: () => string])[] = [
  ['docs/search-operators.md', searchOperators],
  ['docs/date-words.md', dateWords],
  ['docs/keys.md', keysPage],
  ['docs/cli.md', cliPage],
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

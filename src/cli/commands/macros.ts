// Commands about macros: listing them, and letting an open device of the person run one. What it would change is shown first.
import { counted } from '#core/counted.ts';
import type { Macro, MacroRun } from '#wire/api/client.ts';
import type { Call, Command } from '../command.ts';
import { Failure, wrongUse } from '../failure.ts';
import { macroNamed, runToEnd } from '../macro-runs.ts';
import { plainLine } from '../printing.ts';

const ALLOW = 'Turn on “Let programs run macros” in the app, and let the macro be started there.';

function lineOf({ id, name, variables, can_run: canRun }: Macro): string {
  const asked = variables.length === 0 ? '' : `  asks for ${variables.map((each) => each.name).join(', ')}`;
  return `${id}  ${plainLine(name)}${asked}${canRun ? '' : '  (not for programs)'}`;
}

const listed = (call: Call): Promise<readonly Macro[]> =>
  call.session.askPatiently(async (client) => (await client.listMacros()).macros);

const macros: Command = {
  name: 'macros',
  usage: '',
  summary: 'List your macros, what they ask for, and whether programs may run them.',
  options: [],
  async run(call) {
    const found = await listed(call);
    call.show({ success: true, macros: found }, found.map(lineOf).join('\n') || 'No macros.');
  },
};

/** `name=value`, by name. */
function valuesOf(call: Call): Record<string, string> {
  const values = new Map<string, string>();
  for (const pair of call.all('set')) {
    const at = pair.indexOf('=');
    if (at < 1) throw wrongUse(`--set takes name=value, not “${pair}”.`);
    values.set(pair.slice(0, at), pair.slice(at + 1));
  }
  return Object.fromEntries(values);
}

function tasksOf(call: Call): string[] {
  const ends = call.all('tasks').flatMap((text) => text.split(',').map((end) => end.trim()));
  return [...new Set(ends.filter((end) => end !== '').map((end) => call.seen.task(end)))];
}

const MARKS = { created: '+', changed: '~', deleted: '-', restored: '+' } as const;

/** What was changed, or would be, in numbers. */
function numbersOf({
  changed_count: changed,
  created_count: created,
  deleted_count: deleted,
}: MacroRun): string {
  const parts = [
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(created > 0 ? [`${created} created`] : []),
    ...(deleted > 0 ? [`${deleted} deleted`] : []),
  ];
  return parts.join(', ') || 'nothing changed';
}

function diffOf(run: MacroRun): string {
  const lines = run.changes.flatMap(({ title, change, details }) => [
    `${MARKS[change]} ${plainLine(title)}`,
    ...details.map((detail) => `    ${plainLine(detail)}`),
  ]);
  const all = run.changed_count + run.created_count + run.deleted_count;
  const more = all - run.changes.length;
  const rest = more > 0 && run.changes.length > 0 ? [`… and ${counted(more, 'other')}`] : [];
  return [...lines, ...rest].join('\n');
}

/** What did not end well is a failure with the words of the device or of the server. */
function good(run: MacroRun): MacroRun {
  if (run.state === 'done') return run;
  const said = plainLine(run.message ?? 'The device has not said yet how it ended.');
  const numbers = run.state === 'stopped' && !run.dry_run ? ` Until then: ${numbersOf(run)}.` : '';
  throw new Failure('refused', `${said}${numbers}`);
}

/** Whether it is to be run, after a look at what it would change. */
async function isWanted(call: Call, wanted: Wanted): Promise<boolean> {
  const tried = good(await runToEnd(handsOf(call), { ...wanted, dry_run: true }));
  const diff = diffOf(tried);
  const said = `${diff === '' ? '' : `${diff}\n`}It would be: ${numbersOf(tried)}.`;
  if (call.has('dry-run')) {
    call.show({ success: true, macro_run: tried }, said);
    return false;
  }
  if (!call.world.canAsk)
    throw wrongUse(
      'Nobody can be asked here. Add --dry-run to see what it would change, or --yes to run it.',
    );
  call.world.warn(said);
  const answer = await call.world.readLine('Run it? [y/N] ');
  if (/^y(?:es)?$/i.test(answer.trim())) return true;
  call.show({ success: true, macro_run: tried }, 'Nothing was changed.');
  return false;
}

interface Wanted {
  readonly macro_id: string;
  readonly task_ids: string[];
  readonly variables: Record<string, string>;
}

const handsOf = ({ session, world }: Call) => ({
  ask: session.askPatiently.bind(session),
  newId: () => world.newId(),
  pause: (ms: number) => world.pause(ms),
});

const macro: Command = {
  name: 'macro',
  usage: 'run <name or id>',
  summary: 'Let an open device of yours run a macro; what it would change comes first.',
  details: [
    'The macro runs in Posthaste, where you have it open. Without --yes you are shown what it would change, and asked.',
    `Programs may run a macro only if you let them: ${ALLOW}`,
  ],
  options: [
    {
      name: 'tasks',
      value: 'task,…',
      isRepeatable: true,
      summary: 'the tasks it runs on, by the ends of their ids',
    },
    { name: 'set', value: 'name=value', isRepeatable: true, summary: 'the value of a variable' },
    { name: 'dry-run', summary: 'only show what it would change' },
    { name: 'yes', short: 'y', summary: 'run it without asking' },
  ],
  sendsOutbox: true,
  async run(call) {
    const [act, ...words] = call.words;
    if (act !== 'run' || words.length === 0)
      throw wrongUse('Which macro? Type: posthaste macro run <name or id>');
    if (call.has('yes') && call.has('dry-run'))
      throw wrongUse('--dry-run runs nothing, so it takes no --yes.');
    const found = macroNamed(words.join(' '), await listed(call));
    const wanted = { macro_id: found.id, task_ids: tasksOf(call), variables: valuesOf(call) };
    const missing = found.variables.filter(({ name }) => !Object.hasOwn(wanted.variables, name));
    // What programs may not run isn't asked for more before that is said.
    if (found.can_run && missing.length > 0)
      throw wrongUse(`It asks for ${missing.map(({ name }) => name).join(', ')}. Add --set name=value.`);
    if (!call.has('yes') && !(await isWanted(call, wanted))) return;
    const run = good(await runToEnd(handsOf(call), { ...wanted, dry_run: false }));
    call.show({ success: true, macro_run: run }, `Ran ‘${plainLine(found.name)}’: ${numbersOf(run)}.`);
  },
};

/** The commands macros and macro. */
export const macroCommands: readonly Command[] = [macros, macro];

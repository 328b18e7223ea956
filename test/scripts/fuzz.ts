// Random scripts from a seed: hostile and ordinary ones, cut up and put together again. Whatever they are, each ends with variables or
// a sentence, and now and then the world is looked at as the next script would find it.
import assert from 'node:assert/strict';
import { scriptLimits } from '#client/macros/script/port.ts';
import { isVariableName } from '#core/macros.ts';
import { SeededRandom } from '../simulator/random.ts';
import { ScriptThreads, SMALL_STATE, type ThreadEnd } from './engine.ts';
import { after, hostile } from './hostile.ts';

const ORDINARY: readonly string[] = [
  "function updateVariables(variables, state) { const titles = state.selectedTasks.map((task) => task.title); return { ...variables, summary: titles.join(', '), count: String(titles.length) }; }",
  'const updateVariables = ({ before = "" }, { selectedList: list, now }) => ({ name: list?.name ?? before, day: new Date(now).toISOString().slice(0, 10) });',
  "let count = 0; class Tally { #n = 0; add() { this.#n += 1; return this; } get text() { return `${this.#n}`; } } function updateVariables() { const t = new Tally(); for (const _ of [1, 2, 3]) t.add(); console.log('tally', t.text); return { tally: t.text }; }",
  "function updateVariables(v) { try { JSON.parse('{'); } catch (error) { console.error(error); } finally { v.done = /(\\d+)-(?<b>\\w+)/u.exec('12-ab')?.groups.b ?? ''; } return v; }",
];
const SOURCES: readonly string[] = [...ORDINARY, ...hostile.map(({ source }) => source.slice(0, 2_000))];
const TOKENS = /\s+|[\p{ID_Start}$_][\p{ID_Continue}$]*|\d+n?|=>|\.{3}|'[^']*'|./gsu;
const PIECES: readonly string[] = SOURCES.flatMap((source) => source.match(TOKENS) ?? []);
const ODD: readonly string[] = [
  '\0',
  '\uD800',
  '\u2028',
  '`',
  '\\',
  '/*',
  '//',
  '*/',
  '${',
  '<!--',
  '#!',
  '😀',
  'await ',
  'yield ',
  'super',
  'new.target',
  'import.meta',
  'debugger;',
  'with(this){',
  '1e999',
  '0b',
  '__proto__',
  'arguments',
  'delete ',
];
/** As many small changes as this at most. */
const CHANGES = 6;
/** Of all scripts: those that mean harm mostly cost a worker. */
const ORDINARY_SHARE = 0.9;
/** Scripts without an end are to end soon. */
const SPEED = 10;
/** After so many scripts an ordinary one runs. */
const PROBE_EVERY = 25;
/** Its time is short, too: where the machine is busy with other things, it is asked again. */
const PROBE_TRIES = 20;

function change(tokens: string[], random: SeededRandom): void {
  const at = random.below(tokens.length + 1);
  switch (random.below(6)) {
    case 0:
      tokens.splice(at, random.between(1, 5));
      break;
    case 1:
      tokens.splice(at, 0, random.pick(PIECES));
      break;
    case 2:
      tokens.splice(at, 1, random.pick(PIECES));
      break;
    case 3:
      tokens.splice(at, 0, ...tokens.slice(random.below(tokens.length + 1)).slice(0, 20));
      break;
    case 4:
      tokens.splice(at, 0, random.pick(ODD));
      break;
    default: {
      const other = random.pick(SOURCES).match(TOKENS) ?? [];
      tokens.splice(at, tokens.length, ...other.slice(random.below(other.length)));
    }
  }
}

/** The script of a seed. */
export function scriptOf(seed: number): string {
  const random = new SeededRandom(seed);
  const tokens = [...(random.pick(random.chance(ORDINARY_SHARE) ? ORDINARY : SOURCES).match(TOKENS) ?? [])];
  for (let left = random.below(CHANGES + 1); left > 0; left -= 1) change(tokens, random);
  return tokens.join('');
}

function check({ answer, log }: ThreadEnd): void {
  assert.ok(log.reduce((sum, line) => sum + line.length, 0) <= scriptLimits.logCharacters);
  if (!answer.ok) {
    assert.match(answer.problem.message, /^\S.{10,700}$/);
    assert.ok(answer.problem.line === null || Number.isSafeInteger(answer.problem.line));
    return;
  }
  const members = Object.entries(answer.value);
  assert.ok(members.length <= scriptLimits.variables);
  for (const [name, text] of members) {
    assert.ok(isVariableName(name), name);
    assert.ok(typeof text === 'string' && text.length <= scriptLimits.valueCharacters);
  }
}

export interface Fuzzed {
  readonly answered: number;
  readonly problems: Readonly<Record<string, number>>;
  readonly workers: number;
}

/** Runs the scripts of these seeds; rejects, naming the seed, at the first that breaks a rule. */
export async function fuzzScripts(first: number, count: number, isOver = () => false): Promise<Fuzzed> {
  const threads = new ScriptThreads(SPEED);
  const problems: Record<string, number> = {};
  let answered = 0;
  const job = (source: string) => ({ source, variables: '{"before":"x"}', state: SMALL_STATE });
  let seed = first;
  try {
    for (; seed < first + count && !isOver(); seed += 1) {
      const end = await threads.run(job(scriptOf(seed)));
      check(end);
      if (end.answer.ok) answered += 1;
      else problems[end.answer.problem.type] = (problems[end.answer.problem.type] ?? 0) + 1;
      if (seed % PROBE_EVERY > 0) continue;
      let { answer } = await threads.run(job(after));
      for (let left = PROBE_TRIES; !answer.ok && answer.problem.type === 'slow' && left > 0; left -= 1)
        ({ answer } = await threads.run(job(after)));
      assert.deepEqual(answer.ok && { ...answer.value }, {
        title: 'Buy milk',
        globals: 'undefinedundefined{}',
      });
    }
  } catch (error) {
    throw new Error(
      `Script ${seed} broke a rule: npm run soak -- --mode scripts --seed ${seed} --histories 1\n${scriptOf(seed)}`,
      { cause: error },
    );
  } finally {
    await threads.close();
  }
  return { answered, problems, workers: threads.thrownAway };
}

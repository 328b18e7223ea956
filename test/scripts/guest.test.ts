// The engine in which scripts run: what goes in and out, what is said when something is wrong, and what there is in its world.
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { engineBytes, SMALL_STATE } from './engine.ts';
import type { ScriptState, ScriptTask } from '#client/macros/script/model.ts';
import { createGuest, type Guest } from '#web/platform/scripts/guest.ts';
import { packed } from '#web/platform/scripts/packing.ts';

/** Names of the global object. What is new in a new engine is looked at before it is added here. */
const GLOBALS =
  'AggregateError Array ArrayBuffer BigInt BigInt64Array BigUint64Array Boolean DataView Date Error EvalError FinalizationRegistry Float16Array Float32Array Float64Array Function Infinity Int16Array Int32Array Int8Array InternalError Iterator JSON Map Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TypeError URIError Uint16Array Uint32Array Uint8Array Uint8ClampedArray WeakMap WeakRef WeakSet console decodeURI decodeURIComponent encodeURI encodeURIComponent escape eval globalThis isFinite isNaN parseFloat parseInt undefined unescape';

describe('a script in its engine', () => {
  let guest: Guest;
  before(async () => {
    guest = await createGuest(engineBytes());
  });
  const run = async (source: string, variables: Record<string, string> = {}, state = SMALL_STATE) => {
    const log: string[] = [];
    const job = { source, variables: JSON.stringify(variables), state };
    const end = await guest.run(job, {
      now: () => 0,
      begun: () => undefined,
      wrote: (line) => void log.push(line),
    });
    return { ...end, log };
  };
  const problem = async (source: string) => {
    const { answer } = await run(source);
    assert.ok(!answer.ok, 'it answered');
    return answer.problem;
  };
  const call = (body: string) => `function updateVariables(variables, state) { ${body} }`;

  test('[MACRO-103] any text goes in and comes out as it is', async () => {
    const variables = {
      plain: 'a',
      odd: 'a\0b',
      half: '\uD800',
      pair: '😀',
      lines: 'a\r\n\u2028b',
      quote: '"\\`=',
    };
    for (const source of [call('return variables;'), 'const updateVariables = (v) => ({ ...v });']) {
      const { answer } = await run(source, variables);
      assert.ok(answer.ok);
      assert.deepEqual({ ...answer.value }, variables);
    }
  });

  test('[MACRO-103] members are read once, and only its own that can be seen', async () => {
    const { answer } = await run(
      call(
        "let n = 0; return Object.create({ a: 1 }, { b: { get: () => String((n += 1)), enumerable: true }, c: { value: 2 }, [Symbol('d')]: { value: 3, enumerable: true } });",
      ),
    );
    assert.ok(answer.ok);
    assert.deepEqual(Object.entries(answer.value), [['b', '1']]);
  });

  test('[MACRO-100] [MACRO-101] the state arrives as it was, and what is one object stays one', async () => {
    const task = { id: 't', title: 'One', metadata: { ['__proto__']: 'x' } } as unknown as ScriptTask;
    const other = { ...task, id: 'u', title: 'Two' };
    const list = { id: 'l', name: 'List', tasks: [task, other] } as unknown as ScriptState['selectedList'];
    const state: ScriptState = {
      selectedList: list,
      selectedTasks: [other],
      now: '2026-11-28T02:30:00.000Z',
      zone: 'Europe/Paris',
      today: '2026-11-28',
    };
    const back = call(
      'return { all: JSON.stringify(state), same: String(state.selectedTasks[0] === state.selectedList.tasks[1]) };',
    );
    const { answer } = await run(back, {}, packed(state));
    assert.ok(answer.ok);
    assert.equal(answer.value['same'], 'true');
    assert.deepEqual(JSON.parse(answer.value['all'] ?? ''), JSON.parse(JSON.stringify(state)));
    const none = await run(
      back.replace('state.selectedList', 'state.selectedTasks'),
      {},
      packed({ ...state, selectedList: null, selectedTasks: [] }),
    );
    assert.ok(!none.answer.ok);
  });

  test('[MACRO-104] what is wrong is said, with its line', async () => {
    assert.deepEqual(await problem('\nlet a = ;'), {
      type: 'syntax',
      message: "The script has a mistake in line 2: unexpected token in expression: ';'.",
      line: 2,
    });
    assert.deepEqual(await problem(call('\n\nreturn null.x;')), {
      type: 'threw',
      message: "The script stopped with an error in line 3: TypeError: cannot read property 'x' of null",
      line: 3,
    });
    assert.equal((await problem('const x = 1;')).type, 'missing');
    assert.equal((await problem('let updateVariables = 1;')).type, 'missing');
    assert.equal((await problem('throw 7;')).message, 'The script stopped with an error: 7');
    assert.equal((await problem('eval("a b")')).type, 'threw');
    assert.equal((await problem('export function updateVariables() {}')).type, 'syntax');
    assert.match((await problem(`async ${call('return {};')}`)).message, /returned a promise/);
  });

  test('[MACRO-104] what a script says of itself is one line that ends', async () => {
    const { message } = await problem("throw new Error('a\\n\\t\\u202eb' + 'x'.repeat(1e5));");
    assert.match(message, /in line 1: Error: a bx+…$/);
    assert.ok(message.length < 400);
  });

  test('[MACRO-105] the console is kept in words, and ends at 64 KB', async () => {
    const { log } = await run(
      "console.log('a', 1, null, undefined, { b: [2n.toString()] }, new TypeError('no')); console.warn(); console.log('x'.repeat(65000)); console.log('y'.repeat(65000)); console.log('z');",
    );
    assert.deepEqual(log.slice(0, 2), ['a 1 null undefined {"b":["2"]} TypeError: no', '']);
    assert.deepEqual(
      log.slice(2).map((line) => line.length),
      [65_000, 65_536 - (log[0]?.length ?? 0) - 1 - 1 - 65_001],
    );
  });

  test('[MACRO-106] there is the language and a console', async () => {
    const { answer } = await run(
      call(
        "return { names: Object.getOwnPropertyNames(globalThis).filter((name) => name !== 'updateVariables').sort().join(' ') };",
      ),
    );
    assert.ok(answer.ok);
    assert.deepEqual(answer.value['names']?.split(' '), GLOBALS.split(' '));
    const { answer: more } = await run(call("return { names: Object.keys(console).join(' ') };"));
    assert.equal(more.ok && more.value['names'], 'log info warn error debug');
  });

  test('[MACRO-108] nothing of a script is there for the next', async () => {
    await run(
      'globalThis.left = 1; Object.prototype.left = 2; const lexical = 3; function updateVariables() { return {}; }',
    );
    const { answer } = await run(call('return { left: typeof left + typeof {}.left + typeof lexical };'));
    assert.equal(answer.ok && answer.value['left'], 'undefinedundefinedundefined');
  });

  test('[MACRO-108] a state of 5 MB leaves a script its memory', async () => {
    const task = { id: 't', title: 'x'.repeat(100), notes: 'ü'.repeat(900) } as unknown as ScriptTask;
    const tasks = Array.from({ length: 5_000 }, (_, at) => ({ ...task, id: String(at) }));
    const state = packed({ selectedList: null, selectedTasks: tasks, now: '', zone: '', today: '' });
    const { answer, isSpent } = await run(
      call(
        "const a = []; for (let i = 0; i < 100; i += 1) a.push('x'.repeat(1e5) + i); return { n: String(state.selectedTasks.length + a.length) };",
      ),
      {},
      state,
    );
    assert.ok(answer.ok, answer.ok ? '' : answer.problem.message);
    assert.equal(answer.value['n'], '5100');
    assert.equal(isSpent, false);
  });
});

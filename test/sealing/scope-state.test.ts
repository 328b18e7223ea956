// The way of a scope to being sealed and back: what the server lets in, how rows are walked, and whom a device follows.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { deriveId } from '#core/ids.ts';
import type { Envelope } from '#core/sealing/envelope.ts';
import {
  comparedWith,
  readDirectory,
  signDirectory,
  writeDirectory,
  type Directory,
} from '#sync/sealing/directory.ts';
import { leftIn, reencoded } from '#sync/sealing/reencoding.ts';
import { sealRegister } from '#sync/sealing/registers.ts';
import { sealOperation, type SentOperation } from '#sync/sealing/sealed-operation.ts';
import {
  generationToPush,
  needsReseal,
  neverSealed,
  positionOf,
  scopePhases,
  stepped,
  type ScopeSealing,
  type ScopeStep,
} from '#sync/sealing/scope-state.ts';
import type { Action } from '#sync/rows/operation.ts';
import { asRow, registersOf, type Fields, type Row } from '#sync/rows/row.ts';
import { keysOf, otherTask, owner, sealerOf, task, writer } from './material.ts';

const at = (phase: ScopeSealing['phase'], generation: number): ScopeSealing => ({ phase, generation });
const steps: readonly ScopeStep[] = [
  { step: 'begin' },
  { step: 'rotate' },
  { step: 'unseal' },
  { step: 'finish', left: 0 },
];

function step(state: ScopeSealing, ...names: readonly ScopeStep['step'][]): ScopeSealing {
  return names.reduce((now, name) => {
    const next = stepped(now, now, steps.find((each) => each.step === name) as ScopeStep);
    assert.ok(next.ok, `${name} from ${now.phase}`);
    return next.value;
  }, state);
}

describe('the states of a scope', () => {
  test('[SEAL-50] lead on from plain by sealing to sealed, and back by unsealing, each time with a new generation', () => {
    assert.deepEqual(step(neverSealed, 'begin'), at('sealing', 1));
    assert.deepEqual(step(neverSealed, 'begin', 'finish'), at('sealed', 1));
    assert.deepEqual(step(neverSealed, 'begin', 'finish', 'rotate', 'finish'), at('sealed', 2));
    assert.deepEqual(step(neverSealed, 'begin', 'finish', 'unseal', 'finish'), at('plain', 1));
    assert.deepEqual(step(neverSealed, 'begin', 'unseal', 'finish', 'begin'), at('sealing', 2));
    const allowed = scopePhases.map((phase) =>
      steps.filter((each) => stepped(at(phase, 1), at(phase, 1), each).ok).map(({ step: name }) => name),
    );
    assert.deepEqual(allowed, [['unseal', 'finish'], ['rotate', 'unseal'], ['finish'], ['begin']]);
  });

  test('[SEAL-50] never lead back, whatever is asked for', () => {
    const asked = fc.array(fc.constantFrom(...steps), { maxLength: 40 });
    fc.assert(
      fc.property(asked, (all) => {
        let now = neverSealed;
        for (const each of all) {
          const next = stepped(now, now, each);
          if (!next.ok) continue;
          assert.ok(positionOf(next.value) > positionOf(now));
          now = next.value;
        }
      }),
    );
  });

  test('[SEAL-51] of two devices that ask at once, one is told that the other was first', () => {
    const first = stepped(neverSealed, neverSealed, { step: 'begin' });
    assert.ok(first.ok);
    const second = stepped(first.value, neverSealed, { step: 'begin' });
    assert.deepEqual(second, { ok: false, problem: { type: 'moved', now: at('sealing', 1) } });
    const again = stepped(at('sealed', 1), at('sealing', 1), { step: 'finish', left: 0 });
    assert.deepEqual(again, { ok: false, problem: { type: 'moved', now: at('sealed', 1) } });
  });

  test('[SEAL-52] are not finished while a single register is left', () => {
    for (const phase of ['sealing', 'unsealing'] as const) {
      const left = stepped(at(phase, 1), at(phase, 1), { step: 'finish', left: 1 });
      assert.deepEqual(left, { ok: false, problem: { type: 'unfinished', left: 1 } });
    }
  });
});

const head = { q: 41, u: deriveId('u'), scope: owner.scope, t: 1, b: 1 };
const plainOf = (action: Action) => ({ ...head, ...action }) as unknown as SentOperation;
const set: Action = { a: 'set', id: task, field: 'title', value: 'x' };
const done: Action = { a: 'complete', id: task, occ: 0, at: 1, next: null };

function sealedOf(action: Action, generations: number): SentOperation {
  const sealing = { sealer: sealerOf('ada', generations), device: 3, typeOf: () => 'task' as const };
  const sent = sealOperation(sealing, { ...head, ...action });
  assert.ok(sent.ok);
  return sent.value;
}

const asks = (state: ScopeSealing, generation: number, operation: SentOperation) =>
  needsReseal(state, { generation, operation, type: 'task' });

describe('pushes', () => {
  test('[SEAL-53] with content in another form than the scope takes are to be sealed anew, and no others', () => {
    const states = [
      at('plain', 0),
      at('sealing', 1),
      at('sealed', 1),
      at('sealing', 2),
      at('unsealing', 2),
      at('plain', 2),
    ];
    assert.deepEqual(states.map(generationToPush), [0, 1, 1, 2, 0, 0]);
    const pushed = [plainOf(set), sealedOf(set, 1), sealedOf(set, 2)];
    for (const state of states) {
      const answers = pushed.map((operation, generation) => asks(state, generation, operation));
      assert.deepEqual(
        answers,
        [0, 1, 2].map((generation) => generation !== generationToPush(state)),
      );
    }
  });

  test('[SEAL-53] are not believed: what is said to be sealed is looked at', () => {
    const state = at('sealed', 2);
    assert.equal(asks(state, 2, plainOf(set)), true);
    assert.equal(asks(state, 2, sealedOf(set, 1)), true);
    assert.equal(asks(state, 2, { ...sealedOf(set, 2), value: { e: 'x' } }), true);
    assert.equal(asks(state, 2, { ...sealedOf(set, 2), field: 'meta:open' }), true);
    const create = sealedOf({ a: 'create', id: task, type: 'task', fields: { title: 'x', notes: 'y' } }, 2);
    assert.equal(asks(state, 2, create), false);
    assert.equal(
      asks(state, 2, { ...create, fields: { ...(create['fields'] as Fields), notes: 'y' } }),
      true,
    );
    const note = sealedOf({ a: 'note', id: task, seed: otherTask, update: 'AAAA', text: 'x' }, 2);
    assert.equal(asks(state, 2, note), false);
    assert.equal(asks(state, 2, { ...note, update: 'AAAA' }), true);
  });

  test('[SEAL-53] without content go through in every state', () => {
    const actions: readonly Action[] = [
      done,
      { a: 'delete', id: task },
      { a: 'place', id: task, place: { parent: otherTask } },
      { a: 'set', id: task, field: 'status', value: { done: 1 } },
    ];
    for (const action of actions)
      for (const phase of scopePhases)
        for (const generation of [0, 1, 9])
          assert.equal(asks(at(phase, 1), generation, plainOf(action)), false);
  });

  test('[SEAL-43] that hand rows back may hold envelopes of earlier generations', () => {
    const { value } = sealedOf(set, 1);
    const offer: Action = {
      a: 'reoffer',
      id: task,
      type: 'task',
      fields: { title: value },
      at: 1,
      times: {},
      createdAt: 1,
    };
    assert.equal(asks(at('sealed', 2), 2, sealedOf(offer, 2)), false);
    assert.equal(asks(at('sealed', 2), 2, plainOf({ ...set, value })), true);
    assert.equal(asks(at('sealed', 2), 2, plainOf({ ...offer, fields: { title: 'plain' } })), true);
  });
});

describe('the walk over rows', () => {
  const stamp = [4, 1_000, 5, 6] as const;
  const plain = asRow({
    id: task,
    type: 'task',
    scope: owner.scope,
    version: 9,
    fields: { title: 'x', 'meta:a': 'b', status: { done: 1 } },
    stamp: [3, 900, 2, 1],
    stamps: { 'meta:a': stamp },
    createdAt: 1,
    updatedAt: 2,
  });

  function walked(row: Row, state: ScopeSealing, generations: number): Row {
    let now = row;
    for (const [name, value] of Object.entries(registersOf(row))) {
      const to = sealRegister({ sealer: sealerOf('ada', generations), writer }, row, { name, value });
      assert.ok(to.ok);
      if (to.value.value === value) continue;
      const read = row.stamps?.[name] ?? row.stamp;
      const next = reencoded(now, { from: name, to: to.value, stamp: read }, { state, version: 12 });
      assert.ok(next.ok);
      now = next.value;
    }
    return now;
  }

  test('[SEAL-54] seals every register with content, keeps stamps, and then nothing is left', () => {
    assert.equal(leftIn(at('sealing', 1), plain), 2);
    const sealed = walked(plain, at('sealing', 1), 1);
    assert.equal(leftIn(at('sealing', 1), sealed), 0);
    assert.equal(leftIn(at('sealing', 2), sealed), 2);
    assert.equal(leftIn(at('unsealing', 1), sealed), 2);
    assert.equal(sealed.version, 12);
    assert.deepEqual(sealed.stamp, plain.stamp);
    assert.deepEqual(Object.values(sealed.stamps ?? {}), [stamp]);
    assert.match(Object.keys(sealed.stamps ?? {})[0] ?? '', /^meta:~/);
    assert.deepEqual(Object.keys(registersOf(sealed)).length, 3);
  });

  test('[SEAL-54] leaves what somebody wrote meanwhile, and what is there already', () => {
    const to = { name: 'title', value: sealedOf(set, 1)['value'] };
    const state = { state: at('sealing', 1), version: 12 };
    const changed = { ok: false, problem: { type: 'changed' } };
    assert.deepEqual(reencoded(plain, { from: 'title', to, stamp: [3, 900, 2, 2] }, state), changed);
    assert.deepEqual(
      reencoded(plain, { from: 'notes', to: { ...to, name: 'notes' }, stamp: plain.stamp }, state),
      changed,
    );
    const once = reencoded(plain, { from: 'title', to, stamp: plain.stamp }, state);
    assert.ok(once.ok);
    assert.deepEqual(reencoded(once.value, { from: 'title', to, stamp: plain.stamp }, state), changed);
  });

  test('[SEAL-54] takes nothing in another form, and empties nothing', () => {
    const envelope = sealedOf(set, 1)['value'] as Envelope;
    const wrong: readonly (readonly [ScopeSealing, unknown])[] = [
      [at('sealing', 1), 'still plain'],
      [at('sealing', 1), null],
      [at('sealing', 1), undefined],
      [at('sealing', 2), envelope],
    ];
    for (const [state, value] of wrong)
      assert.deepEqual(
        reencoded(
          plain,
          { from: 'title', to: { name: 'title', value }, stamp: plain.stamp },
          { state, version: 12 },
        ),
        { ok: false, problem: { type: 'form' } },
      );
    const sealed = walked(plain, at('sealing', 1), 1);
    const back = { from: 'title', to: { name: 'title', value: 'x' }, stamp: plain.stamp };
    const opened = reencoded(sealed, back, { state: at('unsealing', 1), version: 13 });
    assert.ok(opened.ok);
    assert.equal(registersOf(opened.value)['title'], 'x');
  });
});

describe('the directory of keys', () => {
  const { account } = keysOf('ada');
  const directory = (n: number, state: ScopeSealing): Directory => ({
    n,
    account: 7,
    scope: owner.scope,
    state,
    generations: { 1: 'wrap' },
  });
  const pinOf = (n: number, state: ScopeSealing) => ({
    n,
    state,
    mac: writeDirectory(account, directory(n, state)).mac,
  });

  test('[SEAL-55] is read by whoever has the account key, and by nobody else’s word', () => {
    const written = writeDirectory(account, directory(3, at('sealed', 1)));
    assert.deepEqual(readDirectory(account, 7, written, null), {
      ok: true,
      value: directory(3, at('sealed', 1)),
    });
    const altered = { ok: false, problem: { type: 'altered' } };
    const body = written.body.replace('sealed', 'plain');
    assert.notEqual(body, written.body);
    assert.deepEqual(readDirectory(account, 7, { ...written, body }, null), altered);
    assert.deepEqual(readDirectory(account, 8, written, null), altered);
    assert.deepEqual(readDirectory(keysOf('bob').account, 7, written, null), altered);
    assert.deepEqual(readDirectory(account, 7, { ...written, mac: '' }, null), altered);
    assert.equal(readDirectory(account, 7, { ...written, mac: '=' }, null).ok, false);
  });

  test('[SEAL-55] holds nothing but what a directory holds, even if its writer had the key', () => {
    const good = directory(3, at('sealed', 1));
    const bad = [
      { ...good, n: -1 },
      { ...good, n: 1.5 },
      { ...good, scope: 'x' },
      { ...good, state: { phase: 'open', generation: 1 } },
      { ...good, state: { phase: 'sealed', generation: 0 } },
      { ...good, state: null },
      { ...good, generations: { '01': 'wrap' } },
      { ...good, generations: { 1: 2 } },
      { ...good, generations: [] },
    ];
    for (const each of bad) {
      const written = signDirectory(account, 7, JSON.stringify(each));
      assert.deepEqual(readDirectory(account, 7, written, null), {
        ok: false,
        problem: { type: 'malformed' },
      });
    }
  });

  test('[SEAL-56] never goes back, neither in its number nor in its state', () => {
    const written = writeDirectory(account, directory(5, at('sealed', 2)));
    const read = (n: number, state: ScopeSealing) => readDirectory(account, 7, written, pinOf(n, state)).ok;
    assert.equal(read(5, at('sealed', 2)), true);
    assert.equal(read(4, at('sealing', 2)), true);
    assert.equal(read(6, at('sealed', 2)), false);
    assert.equal(read(6, at('sealing', 3)), false);
    assert.equal(read(5, at('sealing', 2)), false);
    assert.equal(read(4, at('unsealing', 2)), false);
    assert.equal(read(1, at('plain', 0)), true);
    const other = { n: 5, state: at('sealed', 2), mac: pinOf(4, at('sealed', 2)).mac };
    assert.equal(readDirectory(account, 7, written, other).ok, false);
  });

  test('[SEAL-57] decides, not its server: one that says plain after sealed is told again', () => {
    assert.equal(comparedWith(at('sealed', 1), at('plain', 0)), 'behind');
    assert.equal(comparedWith(at('sealed', 1), at('sealing', 1)), 'behind');
    assert.equal(comparedWith(at('sealed', 1), at('unsealing', 1)), 'ahead');
    assert.equal(comparedWith(at('sealed', 1), at('plain', 1)), 'ahead');
    assert.equal(comparedWith(at('sealed', 1), at('sealed', 1)), 'same');
    // Whatever is said, what goes out follows the directory.
    assert.equal(generationToPush(at('sealed', 1)), 1);
  });
});

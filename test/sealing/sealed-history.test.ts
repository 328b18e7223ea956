// The history of a sealed scope as a device shows it: opened where there is a key, and without a trace of envelopes where there is none.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deriveId } from '#core/ids.ts';
import type { EntityType } from '#core/model.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import { openingIn } from '#sync/sealing/opening-rows.ts';
import { sealRegister } from '#sync/sealing/registers.ts';
import { openedHistory } from '#sync/sealing/sealed-history.ts';
import { sealOperation } from '#sync/sealing/sealed-operation.ts';
import type { WireHistoryEntry } from '#wire/history.ts';
import { registerChecks } from '#wire/registers.ts';
import { keysOf, owner, ringOf, sealerOf, task, writer } from './material.ts';

const sealer = sealerOf('ada');

function entryOf(
  action: Action,
  type: EntityType,
  before: Readonly<Record<string, unknown>>,
): WireHistoryEntry {
  const head = { q: 41, u: deriveId('u'), scope: owner.scope, t: 1_000, b: 4 };
  const operation: Operation = { ...head, ...action };
  const sent = sealOperation({ sealer, device: 3, typeOf: () => type }, operation);
  assert.ok(sent.ok);
  const fields = Object.entries(before).map(([name, value]) => {
    const sealed = sealRegister({ sealer, writer }, { id: task, type }, { name, value });
    assert.ok(sealed.ok);
    return [sealed.value.name, sealed.value.value] as const;
  });
  return {
    version: 9,
    account: 7,
    device: 3,
    at: 1_000,
    operation: sent.value as unknown as WireHistoryEntry['operation'],
    before: [{ id: task, fields: Object.fromEntries(fields) }],
  };
}

const entries = [
  entryOf({ a: 'set', id: task, field: 'title', value: 'after' }, 'task', {
    title: 'before',
    'meta:client': 'Ann',
  }),
  entryOf({ a: 'set', id: task, field: 'name', value: 'list after' }, 'list', { name: 'list before' }),
  entryOf({ a: 'create', id: task, type: 'label', fields: { name: 'label' } }, 'label', {}),
];

describe('the history of a sealed scope', () => {
  test('[SEAL-106] is read with the key, whatever the type of what was changed', () => {
    const opening = openingIn(
      { phase: 'sealed', generation: 1 },
      { ring: ringOf(keysOf('ada')), owner, checks: registerChecks },
    );
    const [title, name, label] = openedHistory(opening, entries);
    assert.equal(title?.operation['value'], 'after');
    assert.deepEqual(title?.before[0]?.fields, { title: 'before', 'meta:client': 'Ann' });
    assert.equal(name?.operation['value'], 'list after');
    assert.deepEqual(name?.before[0]?.fields, { name: 'list before' });
    assert.deepEqual(label?.operation['fields'], { name: 'label' });
  });

  test('[SEAL-106] without the key shows that it is locked, and no envelope as content', () => {
    const opening = openingIn(
      { phase: 'sealed', generation: 1 },
      { ring: null, owner, checks: registerChecks },
    );
    const shown = openedHistory(opening, entries);
    assert.doesNotMatch(JSON.stringify(shown), /"e":/);
    assert.equal(shown[0]?.operation['value'], 'Locked');
    assert.equal(shown[1]?.before[0]?.fields?.['name'], 'Locked');
  });
});

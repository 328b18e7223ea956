// What a register of a time block may hold, in plain scopes and in sealed ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fateOf } from '#core/sealing/sealable.ts';
import { checkCreation, checkRegister } from './registers.ts';

const ID = '018f2b6e-7c1a-7b3e-8d4f-0123456789ab';
const NAME = `block:${ID}`;
const good = { start: Date.UTC(2026, 10, 27, 14), minutes: 45, occ: 0 };

test('[CAL-58] a register of a block holds a block, and nothing else does', () => {
  assert.equal(checkRegister('mine', NAME, good), null);
  assert.equal(checkRegister('mine', NAME, { ...good, zone: 'Asia/Tokyo' }), null);
  assert.equal(checkRegister('mine', NAME, null), null);
  assert.equal(checkCreation('mine', { of: ID, [NAME]: good }), null);
  for (const bad of [
    {},
    [],
    'today',
    { ...good, start: good.start + 1 },
    { ...good, start: Number.MAX_SAFE_INTEGER },
    { ...good, minutes: 0 },
    { ...good, minutes: 10_081 },
    { ...good, zone: 'Moon/Crater' },
    { ...good, occ: -1 },
    { ...good, more: true },
  ])
    assert.equal(checkRegister('mine', NAME, bad), `${NAME} isn't a time block`, JSON.stringify(bad));
  assert.equal(checkRegister('mine', 'block:today', good), "block:today isn't the name of a time block");
  assert.equal(checkRegister('task', NAME, good), `task has no ${NAME}`);
});

test('[CAL-58] in an encrypted account the value of a block is sealed', () => {
  assert.equal(fateOf('mine', NAME), 'sealed');
});

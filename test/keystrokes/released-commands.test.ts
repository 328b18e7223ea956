// Every id of a command that was ever released still means something: macros, keys and links keep them. A new command is added to
// the file; none is taken out.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { definePart } from '#client/app/part.ts';
import type { Program } from '#client/app/program.ts';
import { Desk } from './desk.ts';

test('[MACRO-14] every command that was ever released is still there, and every one there is is written down', () => {
  const text = readFileSync(new URL('released-commands.txt', import.meta.url), 'utf8');
  const released = text.split('\n').filter((line) => line !== '');
  let found: Program | null = null;
  const eye = definePart({
    name: 'Eye',
    create(program) {
      found = program;
      return {};
    },
  });
  const desk = new Desk('> A', { parts: [eye] });
  desk.press('ArrowDown');
  assert.ok(found !== null);
  const here = [...(found as Program).commands.keys()].toSorted();
  assert.deepEqual(
    released.filter((id) => !here.includes(id)),
    [],
    'macros and keys of people name these',
  );
  assert.deepEqual(
    here.filter((id) => !released.includes(id)),
    [],
    'add these to released-commands.txt',
  );
  assert.deepEqual(released, released.toSorted());
});

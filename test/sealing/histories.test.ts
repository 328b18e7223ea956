// Some random histories of an account that is encrypted and decrypted while its devices work: `SEALED_SEED` lives through one,
// `SEALED=5000` through so many.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type HistoryKind, liveSealed } from './histories.ts';

const ONLY = Number(process.env['SEALED_SEED'] ?? 0);
const COUNT = Number(process.env['SEALED'] ?? 6);
/**
 * Edits of notes: one that is merged again after a refused push, one that waited until its scope was plain, one that came while it was opened,
 * two that begin alike, from a text that nobody knows any more, and one that went on from another across a restart.
 */
const TOLD = [18, 33, 116, 550, 2666];
/** An edit of a note that was locked by a new key before it went out. */
const TOLD_SHARING = [10_112];

/**
 * A push that went on after rows had left for another scope; a list at the top that was made in the same push as a task moved there; an edit that
 * began with a text that only devices had known, sent when the server could merge again; a move that was refused after a later one had taken the task on; two edits of what had gone to a
 * scope that its device had not heard of yet.
 */
const TOLD_MOVING = [2421, 2177, 3358, 4201, 4711, 4993];

/** Those that were told, and so many from a first one on. */
function seedsOf(told: readonly number[], first: number): readonly number[] {
  return ONLY > 0 ? [ONLY] : [...new Set([...told, ...Array.from({ length: COUNT }, (_, at) => first + at)])];
}

/** Lives through them. Resolves with how often each thing happened; rejects with the seed of the first that broke. */
async function liveAll(
  seeds: readonly number[],
  kindOf: (seed: number) => HistoryKind,
): Promise<ReadonlyMap<string, number>> {
  const met = new Map<string, number>();
  for (const seed of seeds) {
    const lived = await liveSealed(seed, kindOf(seed)).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`SEALED_SEED=${seed}: ${reason}`, { cause: error });
    });
    for (const [name, times] of Object.entries(lived)) met.set(name, (met.get(name) ?? 0) + times);
  }
  return met;
}

describe('histories of a sealed account', () => {
  const occurred = new Map<string, number>();

  test(`[SEAL-109] ${COUNT} of them end with equal copies, nothing lost, and no content in a sealed database`, async () => {
    const seeds = seedsOf(TOLD, 1);
    // In every second one a program writes, too.
    const met = await liveAll(seeds, (seed) => ({ hasProgram: seed % 2 === 1 && !TOLD.includes(seed) }));
    for (const [name, times] of met) occurred.set(name, times);
  });

  test(`[SEAL-209] ${COUNT} in which lists are shared and made private as well end so, too`, async () => {
    const seeds = seedsOf(TOLD_SHARING, 1_000);
    const met = await liveAll(seeds, (seed) => ({ shares: true, hasProgram: seed % 2 === 0 }));
    if (ONLY > 0) return;
    for (const name of ['shares, sealed', 'shares, plain', 'makes private, sealed'])
      assert.ok((met.get(name) ?? 0) > 0, `${name}: ${JSON.stringify([...met])}`);
  });

  test(`[SEAL-221] ${COUNT} in which tasks are moved between them as well end so, too`, async () => {
    const seeds = seedsOf(TOLD_MOVING, 2_000);
    const met = await liveAll(seeds, (seed) => ({ shares: true, moves: true, hasProgram: seed % 2 === 0 }));
    if (ONLY === 0) assert.ok((met.get('moves across, ok') ?? 0) > 0, JSON.stringify([...met]));
  });

  test('encryption is turned on and off in them', { skip: ONLY > 0 }, () => {
    for (const name of [
      'turned on',
      'turned off',
      'new key',
      'unlocked',
      'restarts',
      'goes offline',
      'ends sealed',
      'program wrote sealed',
    ])
      assert.ok((occurred.get(name) ?? 0) > 0, `${name}: ${JSON.stringify([...occurred])}`);
  });
});

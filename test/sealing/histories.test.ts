// Some random histories of an account that is encrypted and decrypted while its devices work: `SEALED_SEED` lives through one,
// `SEALED=5000` through so many.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { liveSealed } from './histories.ts';

const ONLY = Number(process.env['SEALED_SEED'] ?? 0);
const COUNT = Number(process.env['SEALED'] ?? 10);
/**
 * Edits of notes: one that is merged again after a refused push, one that waited until its scope was plain, one that came while it was opened,
 * two that begin alike, from a text that nobody knows any more, and one that went on from another across a restart.
 */
const TOLD = [18, 33, 116, 550, 2666];
/** An edit of a note that was locked by a new key before it went out. */
const TOLD_SHARING = [10_112];

/**
 * A push that went on after rows had left for another scope; a list at the top that was made in the same push as a task moved there; an edit that
 * began with a text that only devices had known, sent when the server could merge again.
 */
const TOLD_MOVING = [2421, 2177, 3358];

describe('histories of a sealed account', () => {
  const occurred = new Map<string, number>();

  test(`[SEAL-109] ${COUNT} of them end with equal copies, nothing lost, and no content in a sealed database`, async () => {
    const first = Array.from({ length: COUNT }, (_, at) => at + 1);
    const seeds = ONLY > 0 ? [ONLY] : [...new Set([...TOLD, ...first])];
    for (const seed of seeds) {
      // In every second one a program writes, too.
      const met = await liveSealed(seed, { hasProgram: seed % 2 === 1 && !TOLD.includes(seed) }).catch(
        (error: unknown) => {
          throw new Error(`SEALED_SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, {
            cause: error,
          });
        },
      );
      for (const [name, times] of Object.entries(met)) occurred.set(name, (occurred.get(name) ?? 0) + times);
    }
  });

  test(`[SEAL-209] ${COUNT} in which lists are shared and made private as well end so, too`, async () => {
    const met = new Map<string, number>();
    const first = Array.from({ length: COUNT }, (_, at) => 1_000 + at);
    const seeds = ONLY > 0 ? [ONLY] : [...TOLD_SHARING, ...first];
    for (const seed of seeds) {
      const lived = await liveSealed(seed, { shares: true, hasProgram: seed % 2 === 0 }).catch(
        (error: unknown) => {
          throw new Error(`SEALED_SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, {
            cause: error,
          });
        },
      );
      for (const [name, times] of Object.entries(lived)) met.set(name, (met.get(name) ?? 0) + times);
    }
    if (ONLY > 0) return;
    for (const name of ['shares, sealed', 'shares, plain', 'makes private, sealed'])
      assert.ok((met.get(name) ?? 0) > 0, `${name}: ${JSON.stringify([...met])}`);
  });

  test(`[SEAL-221] ${COUNT} in which tasks are moved between them as well end so, too`, async () => {
    const met = new Map<string, number>();
    const first = Array.from({ length: COUNT }, (_, at) => 2_000 + at);
    const seeds = ONLY > 0 ? [ONLY] : [...new Set([...TOLD_MOVING, ...first])];
    for (const seed of seeds) {
      const kind = { shares: true, moves: true, hasProgram: seed % 2 === 0 };
      const lived = await liveSealed(seed, kind).catch((error: unknown) => {
        throw new Error(`SEALED_SEED=${seed}: ${error instanceof Error ? error.message : String(error)}`, {
          cause: error,
        });
      });
      for (const [name, times] of Object.entries(lived)) met.set(name, (met.get(name) ?? 0) + times);
    }
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

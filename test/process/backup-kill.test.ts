// Backups that are killed at each of their steps: the old ones stay, and no half of one is taken for a whole one.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { backupsIn } from '#cli/backup/files.ts';

const PROGRAM = fileURLToPath(new URL('backup-killed.ts', import.meta.url));
const MINUTE = 60_000;

describe('backups that are killed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'posthaste-backup-kill-'));
  after(() => rmSync(folder, { recursive: true }));
  let now = Date.UTC(2026, 0, 1);
  const run = (step: number) => {
    now += MINUTE;
    return spawnSync(process.execPath, [PROGRAM, folder, String(step), String(now)], { encoding: 'utf8' });
  };

  /** Every folder with the name of a backup is a whole one. */
  function whole(): readonly string[] {
    const kept = backupsIn(folder, 'one');
    const named = readdirSync(folder).filter((name) => name.startsWith('posthaste-'));
    for (const { name, manifest } of kept)
      for (const { name: own, sha256 } of manifest.files) {
        const path = join(folder, name, own);
        assert.equal(createHash('sha256').update(readFileSync(path)).digest('hex'), sha256, path);
      }
    assert.equal(kept.length, named.length);
    return kept.map(({ name }) => name);
  }

  test('[IMPORT-223] killed at any step, the old ones are there and whole, and the next run tidies up', () => {
    for (const _ of [1, 2, 3]) assert.equal(run(0).status, 0);
    const steps = Number(run(0).stdout);
    assert.ok(steps >= 8, String(steps));
    for (let step = 1; step <= steps; step += 1) {
      const before = whole();
      const killed = run(step);
      assert.equal(killed.signal, 'SIGKILL', `step ${step}`);
      const left = whole();
      const lost = before.filter((name) => !left.includes(name));
      assert.deepEqual(lost, [], `step ${step}: the old ones stay until the new one is complete`);
      // The lock of the killed one is taken over, and what it left half done goes.
      const next = run(0);
      assert.equal(next.status, 0, next.stderr);
      assert.equal(whole().length, 2, `step ${step}`);
      const rest = readdirSync(folder).filter((name) => name.startsWith('.'));
      assert.deepEqual(rest, [], `step ${step}`);
    }
  });
});

// The real server process, killed while mail comes in (mail-killed.ts).
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { runMailKilled } from './mail-killed.ts';

const KILLS = 4;

describe('mail to a server that is killed', () => {
  test(`[MAIL-19] ${KILLS} times: every message that was taken is one task`, async () => {
    const options = { messages: 250, accounts: 3, senders: 4, kills: KILLS, lifeMs: 500, seed: 19 };
    const report = await runMailKilled(options);
    assert.equal(report.tasks, 250);
    assert.ok(report.kills > 1, `killed ${report.kills} times`);
  });
});

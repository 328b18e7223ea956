// The app over the real engine with a disk in memory: what was typed is there after closing and starting again.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { registerChecks } from '#wire/registers.ts';
import { createApp } from '#client/app/create-app.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { createMemoryStorage, MemoryContents } from '#sync/replica/memory-storage.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { keyInput } from './key-input.ts';

describe('the app over its engine', () => {
  test('[KEY-9] what is being typed when the app closes is there when it opens again', async () => {
    const contents = new MemoryContents();
    const clock = { now: () => Date.now(), monotonic: () => performance.now() };
    const timers = {
      after(delayMs: number, work: () => void) {
        const timer = setTimeout(work, delayMs);
        return () => clearTimeout(timer);
      },
    };
    const random = { fill: (bytes: Uint8Array) => void randomFillSync(bytes), fraction: () => 0.5 };
    const start = async () => {
      const storage = createMemoryStorage(contents);
      const engine = createEngine(
        { storage, transport: null, clock, timers, random, checks: registerChecks },
        { scope: SCOPE, account: 0 },
      );
      await engine.open();
      await engine.loaded();
      return createApp({ engine, platform: new Desk().platform() });
    };
    const app = await start();
    app.key(keyInput('Ctrl+Enter', { apple: true, inText: false }));
    const focus = app.view.focus.get();
    assert.ok(focus.pane === 'outline' && focus.id !== null && focus.edit !== null);
    app.draftTitle(focus.id, 'Half a sent', 11);
    await app.close();
    const again = await start();
    assert.equal(again.view.rows.slot(0).get()?.title, 'Half a sent');
    assert.equal(again.view.header.get().kind, 'inbox');
    await again.close();
  });
});

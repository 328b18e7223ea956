// A server among several says goodbye: the app comes back after the pause that it is given, and goes on meanwhile.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { addTasks, expectEventually, openApp, ready, serve, signUp, synced, withBrowser } from './harness.ts';

const PAUSE_MS = 1_500;
/** The shortest pause that the app makes by itself. */
const OWN_MS = 500;

describe('an app whose server leaves', () => {
  const browser = withBrowser();

  test('[NODE-53] comes back after the pause it is given, and what is written meanwhile is saved', async (t) => {
    const server = await serve(t);
    const { page } = await openApp(t, browser(), server.url);
    await signUp(page, 'guest@example.org');
    await synced(page);
    const opened: number[] = [];
    await page.routeWebSocket(/\/live$/, (socket) => {
      opened.push(performance.now());
      if (opened.length > 1) return void socket.connectToServer();
      socket.send(JSON.stringify({ type: 'bye', reason: 'shutdown', after: PAUSE_MS }));
      void socket.close({ code: 1_012, reason: 'shutdown' });
    });
    await page.reload();
    await ready(page);
    await addTasks(page, ['While it is away']);
    await synced(page);
    await expectEventually(async () => opened.length, 2);
    const [left = NaN, back = NaN] = opened;
    assert.ok(back - left >= PAUSE_MS + OWN_MS, `${back - left} ms`);
  });
});

// What closed pages leave in the small storage is made once it is found, and nothing of it goes before it was made.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { App } from '#client/app/app.ts';
import type { Id } from '#core/ids.ts';
import type { Operation } from '#sync/rows/operation.ts';
import { leaveWhenGone, takeLeft } from './unload-handover.ts';
import type { SmallStorage } from './local-storage.ts';

const PROFILE = 'profile' as Id;

function createStorage(): SmallStorage {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => void values.set(key, value),
    removeItem: (key) => void values.delete(key),
  };
}

describe('what a closed page leaves', () => {
  const { window } = globalThis;
  before(() => {
    Object.assign(globalThis, { window: new EventTarget() });
  });
  after(() => {
    Object.assign(globalThis, { window });
  });

  /** A page with one operation that is on no disk is closed. */
  function closePage(storage: SmallStorage, u: string): void {
    const operations = [{ u } as unknown as Operation];
    const engine = { replica: { scope: 'scope' }, unsaved: () => operations };
    const stop = leaveWhenGone({ commitText: () => undefined, engine } as unknown as App, storage, PROFILE);
    globalThis.window.dispatchEvent(new Event('pagehide'));
    stop();
  }

  /** A page opens; what it makes waits for `settle`. */
  function openPage(storage: SmallStorage) {
    const made: string[] = [];
    let settle = (): void => undefined;
    const { stop, taken } = takeLeft(storage, PROFILE, ({ operations }) => {
      made.push(...operations.map(({ u }) => u));
      return new Promise((resolve) => {
        settle = resolve;
      });
    });
    const turn = () => new Promise((resolve) => setImmediate(resolve));
    let isTaken = false;
    void taken.then(() => {
      isTaken = true;
    });
    return { made, stop, turn, isTaken: () => isTaken, settle: () => (settle(), turn()) };
  }

  test('[KEY-9] stays until it is durable, and is made again where it was not', async () => {
    const storage = createStorage();
    closePage(storage, 'a');
    const first = openPage(storage);
    assert.deepEqual(first.made, ['a']);
    first.stop();
    const second = openPage(storage);
    assert.deepEqual(second.made, ['a']);
    await second.settle();
    assert.deepEqual(openPage(storage).made, []);
  });

  test('[KEY-9] counts as taken once it is made, and at once where there is nothing', async () => {
    const storage = createStorage();
    closePage(storage, 'a');
    const page = openPage(storage);
    await page.turn();
    assert.equal(page.isTaken(), false);
    await page.settle();
    assert.equal(page.isTaken(), true);
    const next = openPage(storage);
    await next.turn();
    assert.equal(next.isTaken(), true);
  });

  test('[KEY-9] of another page is not taken for what was made', async () => {
    const storage = createStorage();
    closePage(storage, 'a');
    const [one, two] = [openPage(storage), openPage(storage)];
    await one.settle();
    closePage(storage, 'b');
    await two.settle();
    assert.deepEqual(openPage(storage).made, ['b']);
  });
});

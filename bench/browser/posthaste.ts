// The app as a subject: the production build, served by a real server in a process of its own, used without an account.
import type { Page } from 'playwright-core';
import { buildWeb } from '../../scripts/web-build.ts';
import type { Dataset } from '../datasets.ts';
import { startServerProcess } from '../server/server-process.ts';
import { SEARCH_PREFIX, searchKey } from '../tasks.ts';
import { appPredicates } from './app-predicates.ts';
import { bundleSeedProgram } from './seed-bundle.ts';
import type { Interaction, InteractionName, Subject } from './subject.ts';

const press = (page: Page, key: string) => page.keyboard.press(key);

interface Cursor {
  readonly id: string;
  readonly index: string;
  readonly level: number;
  readonly isComplete: boolean;
}

function cursorOf(page: Page): Promise<Cursor> {
  return page.evaluate(() => {
    const row = document.querySelector<HTMLElement>('[data-ph-cursor]');
    const { index = '', phLevel = '1', phState = '' } = row?.dataset ?? {};
    return {
      id: row?.id ?? '',
      index,
      level: Number(phLevel),
      isComplete: phState.split(' ').includes('complete'),
    };
  });
}

/** Escape until the keyboard is on a row of a list, with nothing open. */
async function leaveAll(page: Page): Promise<void> {
  for (let tries = 0; tries < 6; tries += 1) {
    const isOnList = await page.evaluate(
      () =>
        document.activeElement?.matches('[data-ph="task"]') === true &&
        document.getElementById('search-input') === null,
    );
    if (isOnList) return;
    await press(page, 'Escape');
  }
  throw new Error('Escape does not lead back to the list.');
}

async function createInteraction(page: Page, at: number) {
  if (at === 0) await press(page, 'Control+Enter');
  const title = `made ${at}`;
  await page.keyboard.insertText(title);
  const id = await page.evaluate(() => document.activeElement?.closest('[data-ph="task"]')?.id ?? '');
  return { key: 'Enter', expect: 'createdAndFresh', argument: { id, title } };
}

async function typeInteraction(page: Page, at: number) {
  if (at === 0) await press(page, 'Enter');
  const length = await page.evaluate(
    () => (document.activeElement as HTMLInputElement | null)?.value?.length ?? -1,
  );
  return { key: 'abcdefgh'[at % 8] ?? 'a', expect: 'inputHolds', argument: length + 1 };
}

function searchInteraction(dataset: Dataset): Interaction {
  return {
    async prepare(page, at) {
      const { isFirst, key, query } = searchKey(at, dataset.tasks);
      if (isFirst) {
        await leaveAll(page);
        await press(page, '/');
        await page.keyboard.type(SEARCH_PREFIX);
      }
      return { key, expect: 'searchShows', argument: query };
    },
    finish: leaveAll,
  };
}

async function completeOf(page: Page, key: string) {
  const { id, isComplete } = await cursorOf(page);
  return { key, expect: 'rowIsComplete', argument: { id, on: !isComplete } };
}

function interactions(dataset: Dataset): Readonly<Record<InteractionName, Interaction>> {
  return {
    move: {
      prepare: async (page) => ({
        key: 'ArrowDown',
        expect: 'focusLeft',
        argument: (await cursorOf(page)).id,
      }),
    },
    toggle: {
      async prepare(page) {
        await press(page, 'ArrowDown');
        return completeOf(page, 'Space');
      },
    },
    type: { prepare: typeInteraction, finish: leaveAll },
    create: { prepare: createInteraction, finish: leaveAll },
    search: searchInteraction(dataset),
    palette: {
      async prepare(page, at) {
        if (at > 0) await press(page, 'Escape');
        return { key: 'Control+k', expect: 'paletteIsOpen', argument: null };
      },
      finish: leaveAll,
    },
    indent: {
      async prepare(page, at) {
        if (at % 2 === 0) await press(page, 'ArrowDown');
        const { id, level } = await cursorOf(page);
        const isIn = at % 2 === 0;
        return {
          key: isIn ? 'Tab' : 'Shift+Tab',
          expect: 'rowIsOnLevel',
          argument: { id, level: level + (isIn ? 1 : -1) },
        };
      },
      // The last key may have been the one inwards: what follows expects a flat list.
      finish: async (page) => ((await cursorOf(page)).level > 1 ? press(page, 'Shift+Tab') : undefined),
    },
    'move task': {
      async prepare(page, at) {
        const { id, index } = await cursorOf(page);
        return {
          key: at % 20 < 10 ? 'Alt+ArrowDown' : 'Alt+ArrowUp',
          expect: 'rowLeft',
          argument: { id, index },
        };
      },
    },
    undo: {
      async prepare(page) {
        await press(page, 'ArrowDown');
        await press(page, 'Space');
        return completeOf(page, 'Control+z');
      },
    },
  };
}

export async function createPosthaste(): Promise<Subject> {
  await buildWeb();
  const seedProgram = await bundleSeedProgram();
  return {
    name: 'Posthaste',
    // A file of the same origin: there the app's own code does not run.
    seedPath: '/app/theme-boot.js',
    async serve() {
      const server = await startServerProcess();
      return { url: `${server.url}/app/`, close: () => server.close() };
    },
    async seed(page, dataset) {
      await page.evaluate(seedProgram);
      const isEncrypted = process.env['ENCRYPTED_DISK'] === '1';
      await page.evaluate(([wanted, encrypted]) => globalThis.benchSeed(wanted, encrypted), [
        dataset,
        isEncrypted,
      ] as const);
    },
    predicates: appPredicates,
    focus: leaveAll,
    interactions,
  };
}

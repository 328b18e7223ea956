// The limit page as a subject.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { type Dataset, openCount } from '../datasets.ts';
import { SEARCH_PREFIX, searchKey, taskTitles } from '../tasks.ts';
import { serveFolder } from './static-server.ts';
import type { Interaction, InteractionName, Subject } from './subject.ts';

declare global {
  var seedLimit: (titles: readonly string[], openCount: number) => Promise<void>;
}

const predicates = {
  ready: () => document.body.dataset['state'] === 'ready',
  complete: (count: number) => {
    const extent = document.getElementById('extent');
    return document.body.dataset['state'] === 'ready' && (extent?.offsetHeight ?? 0) >= count * 28;
  },
  position: () => document.querySelector('.line.cursor')?.textContent,
  cursorLeft: (title: string) => document.querySelector('.line.cursor')?.textContent !== title,
  cursorIsOn: (title: string) => document.querySelector('.line.cursor')?.textContent === title,
  cursorLooks: ({ name, on }: { name: string; on: boolean }) =>
    document.querySelector('.line.cursor')?.classList.contains(name) === on,
  cursorMoved: ({ title, transform }: { title: string; transform: string }) => {
    const line = document.querySelector<HTMLElement>('.line.cursor');
    return line?.textContent === title && line.style.transform !== transform;
  },
  entryHolds: (length: number) =>
    (document.getElementById('entry') as HTMLInputElement).value.length === length,
  searchShows: (query: string) => {
    const lines = [...document.querySelectorAll<HTMLElement>('.line:not([hidden])')];
    const field = document.getElementById('query') as HTMLInputElement;
    return (
      field.value === query && lines.length > 0 && lines.every((line) => line.textContent?.includes(query))
    );
  },
  paletteIsOpen: () => document.querySelector('#palette:popover-open') !== null,
};

interface Cursor {
  readonly title: string;
  readonly transform: string;
  readonly look: string;
}

function cursorOf(page: Page): Promise<Cursor> {
  return page.evaluate(() => {
    const line = document.querySelector<HTMLElement>('.line.cursor');
    return {
      title: line?.textContent ?? '',
      transform: line?.style.transform ?? '',
      look: line?.className ?? '',
    };
  });
}

async function flipping(page: Page, key: string, name: string) {
  const { look } = await cursorOf(page);
  return { key, expect: 'cursorLooks', argument: { name, on: !look.includes(name) } };
}

const press = (page: Page, key: string) => page.keyboard.press(key);

function interactions(dataset: Dataset): Readonly<Record<InteractionName, Interaction>> {
  return {
    move: {
      prepare: async (page) => ({
        key: 'ArrowDown',
        expect: 'cursorLeft',
        argument: (await cursorOf(page)).title,
      }),
    },
    toggle: {
      async prepare(page) {
        await press(page, 'ArrowDown');
        return flipping(page, 'x', 'complete');
      },
    },
    type: {
      async prepare(page, at) {
        if (at === 0) await press(page, 'n');
        return { key: 'abcdefgh'[at % 8] ?? 'a', expect: 'entryHolds', argument: at + 1 };
      },
      finish: (page) => page.fill('#entry', ''),
    },
    create: {
      async prepare(page, at) {
        if (at === 0) await press(page, 'n');
        await page.keyboard.insertText(`made ${at}`);
        return { key: 'Enter', expect: 'cursorIsOn', argument: `made ${at}` };
      },
    },
    search: {
      async prepare(page, at) {
        const { isFirst, key, query } = searchKey(at, dataset.tasks);
        if (isFirst) {
          await press(page, 'Escape');
          await press(page, '/');
          await page.keyboard.type(SEARCH_PREFIX);
        }
        return { key, expect: 'searchShows', argument: query };
      },
    },
    palette: {
      async prepare(page, at) {
        if (at > 0) await press(page, 'Escape');
        return { key: 'Control+k', expect: 'paletteIsOpen', argument: null };
      },
    },
    indent: {
      async prepare(page) {
        await press(page, 'ArrowDown');
        return flipping(page, 'Tab', 'deeper');
      },
    },
    'move task': {
      async prepare(page, at) {
        const { title, transform } = await cursorOf(page);
        return {
          key: at % 20 < 10 ? 'Alt+ArrowDown' : 'Alt+ArrowUp',
          expect: 'cursorMoved',
          argument: { title, transform },
        };
      },
    },
    undo: {
      async prepare(page) {
        await press(page, 'ArrowDown');
        await press(page, 'x');
        return flipping(page, 'Control+z', 'complete');
      },
    },
  };
}

export const limitPage: Subject = {
  name: 'limit page',
  seedPath: '',
  serve: () => serveFolder(join(import.meta.dirname, '../limit')),
  predicates,
  async seed(page, dataset) {
    await page.waitForFunction(() => document.body.dataset['state'] === 'ready');
    const all = { titles: taskTitles(dataset.tasks), count: openCount(dataset) };
    await page.evaluate(({ titles, count }) => globalThis.seedLimit(titles, count), all);
  },
  async focus(page) {
    await press(page, 'Escape');
    await press(page, 'Escape');
  },
  interactions,
};

// Takes the pictures of the README and of the site from the real app: `node scripts/screenshots.ts`. Starts a server with an empty folder,
// imports a sample through the app itself, and photographs what a person would see. The sample names nobody.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type DocumentEntity, printDocument } from '#core/formats/json.ts';
import { createIdSource, type Id } from '#core/ids.ts';
import { readConfig } from '#server/config.ts';
import { startServer } from '#server/server.ts';
import { findBrowser } from './browser.ts';
import { ROOT } from './files.ts';
import { buildWeb } from './web-build.ts';

const FOLDER = join(ROOT, 'docs/images');
const SITE_FOLDER = join(ROOT, 'src/site/images');
const newId = createIdSource({
  now: () => Date.now(),
  random: (bytes) => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>),
});

interface Sample {
  readonly title: string;
  readonly done?: true;
  /** Days from today. */
  readonly due?: number;
  readonly label?: string;
  readonly notes?: string;
  readonly children?: readonly Sample[];
}

const LABELS: Readonly<Record<string, string>> = {
  Writing: '#0090a8',
  Phone: '#c85d00',
  Home: '#019a46',
  Someday: '#7a818d',
};

const ISSUE: readonly Sample[] = [
  {
    title: 'Plan the winter issue',
    label: 'Writing',
    due: 7,
    children: [
      { title: 'Collect the letters that arrived', done: true },
      { title: 'Choose a photograph for the cover', done: true, notes: 'The one with the harbour.' },
      { title: 'Write the opening page', due: 0, notes: 'Two pages at most.' },
      { title: 'Ask the printer for a proof', due: -2, label: 'Phone' },
    ],
  },
  {
    title: 'Move the archive to the new shelves',
    label: 'Home',
    children: [
      { title: 'Measure the boxes', done: true },
      { title: 'Order four more shelves', due: 3 },
      { title: 'Label every box by year' },
    ],
  },
  { title: 'Renew the post-office box', due: 12 },
  { title: 'Answer the three letters in the blue folder', due: 1, label: 'Writing' },
  { title: 'Repair the franking machine', notes: 'It jams on thick paper.' },
  { title: 'Find a quieter room for the reading evening', label: 'Someday' },
  { title: 'Learn to fold an envelope from one sheet', label: 'Someday' },
];

const LISTS: readonly (readonly [name: string, folder: string | null, tasks: readonly Sample[]])[] = [
  ['Winter issue', 'Magazine', ISSUE],
  [
    'Ideas',
    'Magazine',
    [{ title: 'A page about stamps without a value' }, { title: 'Interview with a lighthouse' }],
  ],
  [
    'Household',
    null,
    [{ title: 'Water the plants' }, { title: 'Defrost the freezer' }, { title: 'Oil the gate' }],
  ],
  ['Reading', null, [{ title: 'Finish the atlas' }]],
];

/** The sample as a document that the app imports. */
function sampleDocument(): string {
  const entities: DocumentEntity[] = [];
  const [listsRoot, labelsRoot] = [newId(), newId()];
  const labels = new Map(Object.keys(LABELS).map((name) => [name, newId()]));
  const folders = new Map<string, Id>();
  const createdAt = Date.now();
  const counts = new Map<Id, number>();
  function add(type: DocumentEntity['type'], parent: Id, fields: DocumentEntity['fields']): Id {
    const id = newId();
    const order = counts.get(parent) ?? 0;
    counts.set(parent, order + 1);
    entities.push({ id, type, createdAt, parent, order, fields });
    return id;
  }
  for (const [name, id] of labels) {
    const fields = { name, color: LABELS[name] };
    entities.push({ id, type: 'label', createdAt, parent: labelsRoot, order: entities.length, fields });
  }
  function addTask(parent: Id, { title, done, due, label, notes, children }: Sample): void {
    const task = add('task', parent, {
      title,
      ...(notes === undefined ? {} : { notes }),
      ...(done ? { status: { done: createdAt } } : {}),
      ...(due === undefined
        ? {}
        : { due: { on: Temporal.Now.plainDateISO().add({ days: due }).toString() } }),
      ...(label === undefined ? {} : { [`label:${labels.get(label)}`]: true }),
    });
    for (const child of children ?? []) addTask(task, child);
  }
  for (const [name, folder, tasks] of LISTS) {
    if (folder !== null && !folders.has(folder)) {
      folders.set(folder, add('list', listsRoot, { listType: 'folder', name: folder }));
    }
    const parent = folder === null ? listsRoot : (folders.get(folder) ?? listsRoot);
    const list = add('list', parent, { listType: 'list', name });
    for (const task of tasks) addTask(list, task);
  }
  return printDocument({ kind: 'account', root: null, roots: [listsRoot, labelsRoot], entities, extra: {} });
}

async function palette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('#palette-input').waitFor();
  await page.keyboard.type(text);
  await page.locator('[role=option][aria-selected=true]').filter({ hasText: text }).waitFor();
  await page.keyboard.press('Enter');
}

/** The app with the sample in it, its cursor on a task. */
async function openSample(context: BrowserContext, url: string): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/app`);
  await page.locator('[data-ph=app]').waitFor();
  const choosing = page.waitForEvent('filechooser');
  await palette(page, 'Import');
  const buffer = Buffer.from(sampleDocument());
  await (await choosing).setFiles({ name: 'sample.json', mimeType: 'application/json', buffer });
  // The message of the import goes by itself; the picture waits for it.
  await page.locator('[data-ph=message]').waitFor();
  await palette(page, 'Winter issue');
  await page.locator('h1').filter({ hasText: 'Winter issue' }).waitFor();
  await page.keyboard.press('Home');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown');
  await page.locator('[data-ph=message]').waitFor({ state: 'detached', timeout: 60_000 });
  return page;
}

async function photograph(browser: Browser, url: string, theme: 'light' | 'dark'): Promise<void> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 720 },
    deviceScaleFactor: 2,
    colorScheme: theme,
    locale: 'en-GB',
  });
  const page = await openSample(context, url);
  await page.screenshot({ path: join(FOLDER, `app-${theme}.png`) });
  await context.close();
}

/** The four pictures of the site's carousel. */
async function photographPhone(browser: Browser, url: string): Promise<void> {
  const phone = {
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 1.5,
    hasTouch: true,
    isMobile: true,
    locale: 'en-GB',
  };
  const light = await browser.newContext({ ...phone, colorScheme: 'light' });
  const page = await openSample(light, url);
  const take = (of: Page, name: string) => of.screenshot({ path: join(SITE_FOLDER, `phone-${name}.png`) });
  await take(page, 'list');
  await page.keyboard.press('Control+k');
  await page.locator('#palette-input').waitFor();
  await page.keyboard.type('sn');
  await page.locator('[role=option][aria-selected=true]').waitFor();
  await take(page, 'palette');
  await page.keyboard.press('Escape');
  await page.keyboard.press('d');
  await page.locator('dialog input, [role=combobox]').first().waitFor();
  await page.keyboard.type('next fri 5pm');
  await page.locator('[role=option][aria-selected=true]').waitFor();
  await take(page, 'date');
  await light.close();
  const dark = await browser.newContext({ ...phone, colorScheme: 'dark' });
  await take(await openSample(dark, url), 'dark');
  await dark.close();
}

const found = findBrowser();
if (found.type === 'missing') throw new Error(found.reason);
await buildWeb();
const dataDir = mkdtempSync(join(tmpdir(), 'posthaste-screenshots-'));
const config = readConfig({ PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error' });
if (!config.ok) throw new Error(config.problems.join('\n'));
const server = await startServer(config.config, { appFolder: join(ROOT, 'dist/app') });
const browser = await chromium.launch({ executablePath: found.path, chromiumSandbox: false });
try {
  mkdirSync(FOLDER, { recursive: true });
  mkdirSync(SITE_FOLDER, { recursive: true });
  for (const theme of ['light', 'dark'] as const) await photograph(browser, server.url, theme);
  await photographPhone(browser, server.url);
} finally {
  await browser.close();
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
}

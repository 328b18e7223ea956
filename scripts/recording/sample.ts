// A sample of tasks that names nobody, and the app opened with it: what pictures and recordings show. Brought in through the app's
// own import, as a person would.
import type { BrowserContext, Page } from 'playwright-core';
import { type DocumentEntity, printDocument } from '#core/formats/json.ts';
import type { RepeatRule } from '#core/model.ts';
import { createIdSource, type Id } from '#core/ids.ts';
import type { When } from '#core/when.ts';

const newId = createIdSource({
  now: () => Date.now(),
  random: (bytes) => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>),
});

interface Sample {
  readonly title: string;
  readonly done?: true;
  /** Days from today. */
  readonly due?: number;
  /** "20:00" */
  readonly at?: string;
  /** Minutes. */
  readonly duration?: number;
  readonly isWeekly?: true;
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

/** Of these a task has one at most. */
const PRIORITIES: Readonly<Record<string, string>> = {
  Urgent: '#d9403a',
  High: '#c85d00',
  Low: '#7a818d',
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
      { title: 'Order four more shelves', due: 3, duration: 45 },
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
    [
      { title: 'Water the plants', due: 0, isWeekly: true },
      { title: 'Put the trash out', due: 0, at: '20:00' },
      { title: 'Defrost the freezer' },
      { title: 'Call the plumber', due: 0, at: '15:30', label: 'Phone' },
      { title: 'Sweep the stairs', due: 2 },
      { title: 'Mend the lamp' },
      { title: 'Return the ladder', due: 4 },
    ],
  ],
  ['Reading', null, [{ title: 'Finish the atlas', duration: 40 }]],
];

function whenOf(days: number, time: string | undefined): When {
  const day = Temporal.Now.plainDateISO().add({ days }).toString();
  return time === undefined ? { on: day } : { local: `${day}T${time}` };
}

const NOTES: Readonly<Record<string, string>> = {
  'Winter issue': 'Forty-eight pages, one photograph for each spread.',
};

const WEEKLY: RepeatRule = {
  value: 1,
  unit: 'weeks',
  metadata: null,
  from: null,
  missed: 'skip',
  anchorDay: null,
};

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
  const group = newId();
  const asGroup = { name: 'Priority', exclusive: true };
  entities.push({
    id: group,
    type: 'labelGroup',
    createdAt,
    parent: labelsRoot,
    order: labels.size,
    fields: asGroup,
  });
  for (const [name, color] of Object.entries(PRIORITIES)) add('label', group, { name, color });
  function addTask(parent: Id, sample: Sample): void {
    const { title, done, due, at, duration, label, notes, children } = sample;
    const task = add('task', parent, {
      title,
      ...(duration === undefined ? {} : { duration }),
      ...(sample.isWeekly ? { repeat: WEEKLY } : {}),
      ...(notes === undefined ? {} : { notes }),
      ...(done ? { status: { done: createdAt } } : {}),
      ...(due === undefined ? {} : { due: whenOf(due, at) }),
      ...(label === undefined ? {} : { [`label:${labels.get(label)}`]: true }),
    });
    for (const child of children ?? []) addTask(task, child);
  }
  for (const [name, folder, tasks] of LISTS) {
    if (folder !== null && !folders.has(folder)) {
      folders.set(folder, add('list', listsRoot, { listType: 'folder', name: folder }));
    }
    const parent = folder === null ? listsRoot : (folders.get(folder) ?? listsRoot);
    const list = add('list', parent, {
      listType: 'list',
      name,
      ...(NOTES[name] === undefined ? {} : { notes: NOTES[name] }),
    });
    for (const task of tasks) addTask(list, task);
  }
  return printDocument({ kind: 'account', root: null, roots: [listsRoot, labelsRoot], entities, extra: {} });
}

/** Runs a command by its name, as a person would. */
export async function palette(page: Page, text: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.locator('#palette-input').waitFor();
  await page.keyboard.type(text);
  await page.locator('[role=option][aria-selected=true]').filter({ hasText: text }).waitFor();
  await page.keyboard.press('Enter');
}

/** The app with the sample in it, its cursor on a task. */
export async function openSample(context: BrowserContext, url: string, list = 'Winter issue'): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${url}/app/`);
  await page.locator('[data-ph=app]').waitFor();
  const choosing = page.waitForEvent('filechooser');
  await palette(page, 'Import');
  const buffer = Buffer.from(sampleDocument());
  await (await choosing).setFiles({ name: 'sample.json', mimeType: 'application/json', buffer });
  // The message of the import goes by itself; the picture waits for it.
  await page.locator('[data-ph=message]').waitFor();
  await goToTask(page, list);
  await page.locator('[data-ph=message]').waitFor({ state: 'detached', timeout: 60_000 });
  return page;
}

/** Opens a list of the sample and puts the cursor on the fourth task, the same in all pictures. */
export async function goToTask(page: Page, list = 'Winter issue'): Promise<void> {
  await palette(page, list);
  await page.locator('h1').filter({ hasText: list }).waitFor();
  await page.keyboard.press('Home');
  for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowDown');
}

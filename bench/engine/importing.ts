// An import of 10,000 tasks beside 10,000 that are here: how long until its rehearsal shows what would come, until all of it is here, and how
// long the longest piece of work on the page takes meanwhile. Reading and planning happen in a worker of the browser; here they are timed
// with the rest, in one thread. Then 100,000 tasks of each of three programs, each in a process of its own.
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ImportSource } from '#client/importing/port.ts';
import { inboxId } from '#core/ids.ts';
import { datasetOf } from '../datasets.ts';
import { conditions } from '../machine.ts';
import { type Gate, print, say, show, table } from '../report.ts';
import { largeFiles } from './import-sources.ts';
import type { LargeImport } from './large-import.ts';
import { datasetRows, type HeadlessApp, openApp, scope } from './subject.ts';

const TASKS = 10_000;
const LISTS = 20;
const REHEARSED_MS = 2_000;
const IMPORTED_MS = 5_000;
const FRAME_MS = 50;
const WAIT_MS = 60_000;
const LARGE = 100_000;
const LARGE_MS = 60_000;
const LARGE_BYTES = 1_000_000_000;

/** As Todoist's API gives a large account: projects, subtasks, labels, priorities, dates, repeats, notes. */
function backup(changed = 0): ImportSource {
  const projects = Array.from({ length: LISTS }, (_, at) => ({
    id: `p${at}`,
    name: `Project ${at}`,
    child_order: at,
  }));
  const items = Array.from({ length: TASKS }, (_, at) => ({
    id: `i${at}`,
    content: at < changed ? `Changed ${at}` : `Write the part ${at} of the *report*`,
    description: at % 5 === 0 ? 'Two lines\nof words' : '',
    project_id: `p${at % LISTS}`,
    parent_id: at >= LISTS && at % 3 === 0 ? `i${at - LISTS}` : null,
    child_order: at,
    priority: 1 + (at % 4),
    labels: at % 2 === 0 ? ['errand', 'home'] : [],
    checked: at % 7 === 0,
    completed_at: at % 7 === 0 ? '2026-03-01T10:00:00Z' : null,
    added_at: '2026-01-01T10:00:00Z',
    due:
      at % 4 === 0
        ? {
            date: '2026-12-01',
            string: at % 8 === 0 ? 'every monday' : 'Dec 1',
            lang: 'en',
            is_recurring: at % 8 === 0,
          }
        : null,
  }));
  const text = JSON.stringify({ projects, sections: [], labels: [], items, notes: [] });
  const content = new TextEncoder().encode(text);
  return { name: 'todoist.json', size: content.length, content };
}

async function until(isSo: () => boolean): Promise<void> {
  const endsAt = performance.now() + WAIT_MS;
  while (!isSo()) {
    if (performance.now() > endsAt) throw new Error('It does not come to that.');
    // oxlint-disable-next-line no-await-in-loop -- Looks again and again.
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
}

interface Timed {
  readonly name: string;
  readonly rehearsedMs: number;
  readonly importedMs: number;
  readonly longestMs: number;
}

async function timeImport(
  { app }: HeadlessApp,
  {
    name,
    source,
    pieces,
  }: { readonly name: string; readonly source: ImportSource; readonly pieces: number[] },
): Promise<Timed> {
  const shown = () => {
    const dialog = app.view.dialog.get();
    return dialog?.type === 'rehearsal' && dialog.rehearsal.step === 'shown' ? dialog.rehearsal : null;
  };
  const startedAt = performance.now();
  app.openFiles([source]);
  await until(() => shown() !== null);
  const rehearsedMs = performance.now() - startedAt;
  pieces.length = 0;
  const hasWork = shown()?.action !== '';
  const importedAt = performance.now();
  if (hasWork) {
    app.answer('rehearsal', { action: 'import' });
    pieces.push(performance.now() - importedAt);
    await until(() => app.view.dialog.get() === null);
  } else app.closeDialog();
  const importedMs = performance.now() - importedAt;
  return { name, rehearsedMs, importedMs, longestMs: Math.max(0, ...pieces) };
}

/** Imports a large file in a process of its own. */
async function inProcess(path: string): Promise<LargeImport> {
  const child = fork(join(import.meta.dirname, 'large-import.ts'), [path]);
  return await new Promise<LargeImport>((resolve, reject) => {
    let told: LargeImport | null = null;
    child.once('message', (report) => {
      told = report as LargeImport;
    });
    child.once('error', reject);
    child.once('exit', (code) =>
      told === null ? reject(new Error(`The import ended with ${code}.`)) : resolve(told),
    );
  });
}

const gate = (name: string, reached: number, bound: number, unit = 'ms'): Gate => ({
  name: `import, ${name}`,
  reached,
  bound,
  unit,
  kind: 'at most',
});

const MB = 1_000_000;

async function runLargeImports(): Promise<Gate[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'));
  const found: { readonly name: string; readonly bytes: number; readonly import: LargeImport }[] = [];
  try {
    for (const [program, make] of Object.entries(largeFiles)) {
      say(`import: ${show(LARGE)} tasks of ${program}`);
      const { name, bytes } = make(LARGE);
      const path = join(folder, name);
      writeFileSync(path, bytes);
      // oxlint-disable-next-line no-await-in-loop -- Beside each other they would slow each other down.
      found.push({ name: program, bytes: bytes.length, import: await inProcess(path) });
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  print(`## Importing ${show(LARGE)} tasks (load ${conditions().load.toFixed(1)})`);
  print(
    table(
      ['', 'file MB', 'rehearsed ms', 'imported ms', 'longest piece ms', 'peak MB', 'rows'],
      found.map(({ name, bytes, import: each }) => [
        name,
        show(bytes / MB),
        show(each.rehearsedMs),
        show(each.importedMs),
        show(each.longestMs),
        show(each.peakBytes / MB),
        show(each.rows),
      ]),
    ),
  );
  for (const { name, import: each } of found)
    if (each.problem !== null || each.rows < LARGE)
      throw new Error(`${name}: only ${each.rows} rows came. ${each.problem ?? ''}`);
  return found.flatMap(({ name, import: each }) => [
    gate(`${name}, ${show(LARGE)}: altogether`, each.rehearsedMs + each.importedMs, LARGE_MS),
    gate(`${name}, ${show(LARGE)}: memory`, each.peakBytes / MB, LARGE_BYTES / MB, 'MB'),
  ]);
}

export async function runImportSuite(): Promise<Gate[]> {
  say('import: 10,000 tasks');
  const pieces: number[] = [];
  const subject = await openApp(datasetRows(datasetOf(TASKS)), (ms) => pieces.push(ms));
  const timed: Timed[] = [];
  for (const [name, source] of [
    ['new', backup()],
    ['again, unchanged', backup()],
    ['again, 1,000 changed', backup(1_000)],
  ] as const)
    // oxlint-disable-next-line no-await-in-loop -- One after the other: each finds what the one before made.
    timed.push(await timeImport(subject, { name, source, pieces }));
  const count = subject.app.engine.replica.size;
  await subject.close();
  print(`## Importing 10,000 tasks (load ${conditions().load.toFixed(1)})`);
  print(
    table(
      ['', 'rehearsed ms', 'imported ms', 'longest piece ms'],
      timed.map((each) => [each.name, show(each.rehearsedMs), show(each.importedMs), show(each.longestMs)]),
    ),
  );
  if (count < 2 * TASKS) throw new Error(`Only ${count} rows are in ${inboxId(scope)}’s account.`);
  return [
    ...timed.flatMap(({ name, rehearsedMs, importedMs, longestMs }) => [
      gate(`${name}: rehearsed`, rehearsedMs, REHEARSED_MS),
      gate(`${name}: imported`, importedMs, IMPORTED_MS),
      gate(`${name}: longest piece of work`, longestMs, FRAME_MS),
    ]),
    ...(await runLargeImports()),
  ];
}

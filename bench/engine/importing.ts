// An import of 10,000 tasks beside 10,000 that are here: how long until its rehearsal shows what would come, until all of it is here, and how
// long the longest piece of work on the page takes meanwhile. Reading and planning happen in a worker of the browser; here they are timed
// with the rest, in one thread.
import type { ImportSource } from '#client/importing/port.ts';
import { inboxId } from '#core/ids.ts';
import { datasetOf } from '../datasets.ts';
import { conditions } from '../machine.ts';
import { type Gate, print, say, show, table } from '../report.ts';
import { datasetRows, type HeadlessApp, openApp, scope } from './subject.ts';

const TASKS = 10_000;
const LISTS = 20;
const REHEARSED_MS = 2_000;
const IMPORTED_MS = 5_000;
const FRAME_MS = 50;
const WAIT_MS = 60_000;

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
  const gate = (name: string, reached: number, bound: number): Gate => ({
    name: `import, ${name}`,
    reached,
    bound,
    unit: 'ms',
    kind: 'at most',
  });
  return timed.flatMap(({ name, rehearsedMs, importedMs, longestMs }) => [
    gate(`${name}: rehearsed`, rehearsedMs, REHEARSED_MS),
    gate(`${name}: imported`, importedMs, IMPORTED_MS),
    gate(`${name}: longest piece of work`, longestMs, FRAME_MS),
  ]);
}

// A process of its own that imports one file with very many tasks through the app, and tells how long it took and how much memory the
// process had at its largest. Arguments: the file, its number of tasks.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { openApp } from './subject.ts';

/** What the process tells its parent. */
export interface LargeImport {
  readonly rehearsedMs: number;
  readonly importedMs: number;
  readonly longestMs: number;
  /** The most that the process had of memory. */
  readonly peakBytes: number;
  readonly rows: number;
  /** Why nothing was imported; null: it was. */
  readonly problem: string | null;
}

const WAIT_MS = 300_000;

async function until(isSo: () => boolean): Promise<void> {
  const endsAt = performance.now() + WAIT_MS;
  while (!isSo()) {
    if (performance.now() > endsAt) throw new Error('It does not come to that.');
    // oxlint-disable-next-line no-await-in-loop -- Looks again and again.
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

async function run(path: string): Promise<LargeImport> {
  const pieces: number[] = [];
  const subject = await openApp([], (ms) => pieces.push(ms));
  const { app } = subject;
  const startedAt = performance.now();
  const content = {
    arrayBuffer() {
      const { buffer, byteOffset, byteLength } = readFileSync(path);
      return Promise.resolve(buffer.slice(byteOffset, byteOffset + byteLength));
    },
  };
  app.openFiles([{ name: basename(path), size: 1, content }]);
  const shown = () => {
    const dialog = app.view.dialog.get();
    if (dialog?.type === 'import') return { action: '', notes: dialog.problems };
    return dialog?.type === 'rehearsal' && dialog.rehearsal.step === 'shown' ? dialog.rehearsal : null;
  };
  await until(() => shown() !== null);
  const rehearsedMs = performance.now() - startedAt;
  const { action = '', notes = [] } = shown() ?? {};
  pieces.length = 0;
  const importedAt = performance.now();
  if (action !== '') {
    app.answer('rehearsal', { action: 'import' });
    pieces.push(performance.now() - importedAt);
    await until(() => app.view.dialog.get() === null);
  }
  const importedMs = performance.now() - importedAt;
  const rows = app.engine.replica.size;
  await subject.close();
  const peakBytes = process.resourceUsage().maxRSS * 1_024;
  const problem = action === '' ? notes.join(' ') : null;
  return { rehearsedMs, importedMs, longestMs: Math.max(0, ...pieces), peakBytes, rows, problem };
}

const [path = ''] = process.argv.slice(2);
process.send?.(await run(path));
process.disconnect?.();

// A device's disk in a file that outlives the process: every batch is one line, and a line that is torn was never written.
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { renameSync } from 'node:fs';
import { applyBatch, createMemoryStorage, MemoryContents } from '#sync/replica/memory-storage.ts';
import type { DeviceStorage, StorageBatch } from '#sync/replica/ports.ts';

function read(path: string): MemoryContents {
  const contents = new MemoryContents();
  if (!existsSync(path)) return contents;
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    let batch: StorageBatch;
    try {
      batch = JSON.parse(line) as StorageBatch;
    } catch {
      // The process ended while it wrote this one: nobody was told that it is kept.
      continue;
    }
    applyBatch(contents, batch);
  }
  return contents;
}

function append(file: number, batch: StorageBatch): void {
  writeSync(file, `${JSON.stringify(batch)}\n`);
}

/** Begins with one line that holds everything, so that the file does not grow from start to start. */
export function openFileStorage(path: string): DeviceStorage {
  const contents = read(path);
  const fresh = openSync(`${path}.new`, 'w');
  if (contents.meta !== null)
    append(fresh, {
      meta: contents.meta,
      outboxAdd: [...contents.outbox.values()],
      rowsPut: [...contents.rows.values()],
      recoveredAdd: [...contents.recovered.values()],
      journalPut: [...contents.journal.values()],
    });
  fsyncSync(fresh);
  closeSync(fresh);
  renameSync(`${path}.new`, path);
  const file = openSync(path, 'a');
  const memory = createMemoryStorage(contents);
  return {
    ...memory,
    async write(batch) {
      // A turn of the loop in which a kill may come: until then nothing is on the disk.
      await new Promise((resolve) => setImmediate(resolve));
      append(file, batch);
      await memory.write(batch);
    },
    close: () => closeSync(file),
  };
}

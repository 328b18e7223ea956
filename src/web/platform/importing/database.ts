// Opens an SQLite database that somebody imports: in memory, in the import's worker, with an engine that is fetched only then.
import type { SqlJsStatic } from 'sql.js';
// oxlint-disable-next-line import/default -- the bundler makes it
import ENGINE from 'sql.js/dist/sql-wasm-browser.wasm?url';
import { openBySqlJs } from '#core/formats/import/sql-js.ts';

let engine: Promise<SqlJsStatic> | null = null;

async function fetchEngine(): Promise<SqlJsStatic> {
  const [{ default: open }, answer] = await Promise.all([import('sql.js'), fetch(ENGINE)]);
  if (!answer.ok) throw new Error('The code that reads databases couldn’t be loaded. Check your connection.');
  return open({ wasmBinary: await answer.arrayBuffer() });
}

/** Rejects for what SQLite does not take, and where the engine cannot be had. */
export const openDatabase = openBySqlJs(() => {
  engine ??= fetchEngine().catch((error: unknown) => {
    // The next database tries again.
    engine = null;
    throw error;
  });
  return engine;
});

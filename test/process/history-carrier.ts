// A process that carries history into other databases and from one to another, until it is killed; started by tests. Its argument is
// JSON: the options of `openDatabase`, the scopes, and the time to begin at. It writes a line before each step.
import { DAY_MS } from '#core/time.ts';
import type { Id } from '#core/ids.ts';
import { type DatabaseOptions, openDatabase } from '#server/data/database.ts';

interface Work {
  readonly options: DatabaseOptions;
  readonly scopes: readonly Id[];
  readonly now: number;
}

const { options, scopes, now: begin } = JSON.parse(process.argv[2] ?? '') as Work;
const { older } = await openDatabase(options);
if (older === null) throw new Error('There are no groups.');
const rest = async () => {
  process.stdout.write('step\n');
  // So that whoever kills this process can do so between two steps, too.
  await new Promise((resolve) => setImmediate(resolve));
};
for (let round = 0; ; round += 1) {
  await older.run({ now: begin + round * 8 * DAY_MS, rest, onError: (error) => console.error(error) });
  for (const [index, scope] of scopes.entries())
    await older.move(scope, older.names[(round + index) % older.names.length] ?? '', rest);
}

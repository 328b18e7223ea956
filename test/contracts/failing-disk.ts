// A process that saves until its disk fails and then reports what the store says; started by tests.
import { openDatabase } from '#server/data/database.ts';
import { commit, newScope, rowOf } from './store-samples.ts';

const [, , dataDir = ''] = process.argv;
const { store, db } = await openDatabase({ dataDir });
const scope = await newScope(store);
let saved = 0;
try {
  for (;;)
    saved = await commit(store, scope, () => ({
      rows: [rowOf(scope, { fields: { notes: 'x'.repeat(20_000) } })],
    }));
} catch (error) {
  const calls = [
    store.probe(),
    store.scope(scope),
    commit(store, scope, () => ({})),
    db.selectFrom('account').selectAll().execute(),
  ];
  const refused = (await Promise.allSettled(calls)).map((call) =>
    call.status === 'rejected' && call.reason instanceof Error
      ? call.reason.message
      : `answered after ${String(error)}`,
  );
  console.log(JSON.stringify({ saved, scope, refused }));
}

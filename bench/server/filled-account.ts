// An account with many tasks on a server under test, pushed through its own door as a device would: a quarter open, the
// rest done over the last two years, the Inbox first among its lists.
import { gzipSync } from 'node:zlib';
import { createIdSource, inboxId, listsRoot, type Id } from '#core/ids.ts';
import type { Action, Operation } from '#sync/rows/operation.ts';
import { protocolVersion } from '#wire/version.ts';
import { type Dataset, openCount } from '../datasets.ts';
import { taskTitle } from '../tasks.ts';
import type { BenchAccount } from './account.ts';

const PUSH_OPERATIONS = 1_000;
const DAY_MS = 86_400_000;
const DONE_DAYS = 730;

const newId = createIdSource({
  now: () => Date.now(),
  random: (bytes) => {
    crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
  },
});

function* actionsOf(dataset: Dataset, scope: Id): Generator<Action> {
  const perList = openCount(dataset);
  for (let list = 0; list < dataset.lists; list += 1) {
    const isInbox = list === 0;
    const id = isInbox ? inboxId(scope) : newId();
    const fields = isInbox ? { listType: 'inbox' } : { listType: 'list', name: `List ${list}` };
    yield { a: 'create', id, type: 'list', fields, place: { parent: listsRoot(scope), at: 'end' } };
    const end = Math.min(dataset.tasks, (list + 1) * perList);
    for (let at = list * perList; at < end; at += 1) {
      const done = Date.now() - ((at * 7) % DONE_DAYS) * DAY_MS;
      const status = at % 4 === 0 ? {} : { status: { done, cleared: done } };
      const task = { title: taskTitle(at), ...status };
      yield { a: 'create', id: newId(), type: 'task', fields: task, place: { parent: id, at: 'end' } };
    }
  }
}

/** Milliseconds that filling took. */
export async function fill(url: string, { scope, cookie }: BenchAccount, dataset: Dataset): Promise<number> {
  const startedAt = performance.now();
  const device = newId();
  let seq = 0;
  let batch: Operation[] = [];
  const push = async (): Promise<void> => {
    const body = {
      schema: protocolVersion,
      device,
      clientNow: Date.now(),
      ops: batch,
      ack: Math.max(0, seq - batch.length),
      cursors: { [scope]: { generation: 'none', version: 0 } },
      maxRows: 1,
    };
    batch = [];
    const answer = await fetch(`${url}/sync/v1`, {
      method: 'POST',
      headers: {
        origin: new URL(url).origin,
        cookie,
        'content-type': 'application/json',
        'content-encoding': 'gzip',
      },
      body: new Uint8Array(gzipSync(JSON.stringify(body))),
    });
    if (!answer.ok)
      throw new Error(`Filling the account failed with ${answer.status}: ${await answer.text()}`);
    const { results } = (await answer.json()) as { results: [number, string][] };
    const bad = results.find(([, verdict]) => verdict !== 'ok');
    if (bad !== undefined) throw new Error(`Filling the account was refused: ${JSON.stringify(bad)}`);
  };
  for (const action of actionsOf(dataset, scope)) {
    seq += 1;
    batch.push({ ...action, q: seq, u: newId(), scope, t: Date.now(), b: 0 });
    if (batch.length === PUSH_OPERATIONS) await push();
  }
  if (batch.length > 0) await push();
  return performance.now() - startedAt;
}

// People of one shared list on a real server, made through its own doors.
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { listsRoot, type Id } from '#core/ids.ts';
import { DATABASE_FILE } from '#server/data/location.ts';
import { joinedSchema, sharedListSchema } from '#wire/sharing.ts';
import { protocolVersion } from '#wire/version.ts';
import { type BenchAccount, signUp } from './account.ts';
import type { HttpConnection } from './http-connection.ts';

const newId = () => crypto.randomUUID() as Id;

async function ask(door: HttpConnection, path: string, cookie: string, body: unknown = {}): Promise<unknown> {
  const answer = await door.post(path, JSON.stringify(body), cookie);
  if (answer.status !== 200)
    throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** A list of so many people; answers their accounts, the list and its scope. */
export async function shareList(
  door: HttpConnection,
  folder: string,
  people: number,
): Promise<{ readonly accounts: readonly BenchAccount[]; readonly list: Id; readonly scope: Id }> {
  const accounts: BenchAccount[] = [];
  for (let at = 0; at < people; at += 1) accounts.push(await signUp(door, `person${at}`));
  // As if each had followed the link of the letter.
  const database = new DatabaseSync(join(folder, DATABASE_FILE));
  database.exec('PRAGMA busy_timeout = 5000; UPDATE account SET verified_at = 1');
  database.close();
  const [owner, ...others] = accounts;
  if (!owner) throw new Error('A list needs an owner.');
  const list = newId();
  const place = { parent: listsRoot(owner.scope) };
  const fields = { listType: 'list', name: 'Trip' };
  const head = { q: 1, u: newId(), scope: owner.scope, t: Date.now(), b: 0 };
  const op = { ...head, a: 'create', id: list, type: 'list', fields, place };
  const request = {
    schema: protocolVersion,
    device: newId(),
    clientNow: Date.now(),
    ops: [op],
    ack: 0,
    cursors: {},
  };
  await ask(door, '/sync/v1', owner.cookie, request);
  const path = `/app/api/sharing/lists/${list}`;
  const { link, scope } = sharedListSchema.parse(await ask(door, path, owner.cookie));
  for (const { cookie } of others)
    joinedSchema.parse(await ask(door, `/app/api/sharing/invitations/${link?.token ?? ''}`, cookie));
  return { accounts, list, scope };
}

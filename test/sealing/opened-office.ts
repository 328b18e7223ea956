// An encrypted account on a whole server, with a list to share, another one, labels and a file; and others who join. For tests of what leaves
// encrypted accounts.
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { labelsRoot, type Id } from '#core/ids.ts';
import { openDatabase } from '#server/data/database.ts';
import { isKnown } from '#sync/rows/row.ts';
import { leftIn } from '#sync/sealing/reencoding.ts';
import { callSharing, confirmEmail, joinList, told } from '../sharing.ts';
import { SealedDevice } from './sealed-device.ts';
import { WholeOffice } from './whole-office.ts';

/** Stands in everything that stays private. */
export const SECRET = 'canaryprivatezq7';

/** An encrypted account with a list to share, another list, and labels. */
export async function sealedOffice() {
  const dataDir = await mkdtemp(join(tmpdir(), 'posthaste-opened-'));
  const office = await WholeOffice.open(() => openDatabase({ dataDir }));
  await confirmEmail(office.server, office.account);
  const device = await new SealedDevice(office).start();
  const { replica } = device.engine;
  await device.turnOn();
  for (let turn = 0; turn < 4; turn += 1) await device.sync();
  const list = device.add('Shared trip');
  const other = device.add(`${SECRET} list`);
  const label = replica.newId();
  const unused = replica.newId();
  const parent = labelsRoot(office.scope);
  replica.issue([{ a: 'create', id: label, type: 'label', fields: { name: 'packed' }, place: { parent } }]);
  replica.issue([
    { a: 'create', id: unused, type: 'label', fields: { name: `${SECRET} label` }, place: { parent } },
  ]);
  const add = (at: Id, title: string, more: Record<string, unknown> = {}): Id => {
    const id = replica.newId();
    replica.issue([{ a: 'create', id, type: 'task', fields: { title, ...more }, place: { parent: at } }]);
    return id;
  };
  const tasks = [
    add(list, 'Buy tickets', { notes: 'The early train', 'meta:seat': 'window' }),
    add(list, 'Pack', { [`label:${label}`]: true }),
  ];
  tasks.push(add(tasks[1] as Id, 'Socks', { due: { on: '2026-12-01' } }));
  const attachment = replica.newId();
  const fields = { name: 'map of the town.txt', fileType: 'text/plain', sizeBytes: 1, hash: 'a'.repeat(64) };
  replica.issue([
    { a: 'create', id: attachment, type: 'attachment', fields, place: { parent: tasks[0] as Id } },
  ]);
  const repeat = {
    value: 1,
    unit: 'days',
    metadata: null,
    from: 'due date',
    missed: 'skip',
    anchorDay: null,
  };
  const daily = add(list, 'Water the plants', { repeat, due: { on: '2026-12-01' } });
  await device.sync();
  replica.issue([
    {
      a: 'complete',
      id: daily,
      occ: 0,
      at: 5,
      next: { due: { on: '2026-12-02' }, start: null },
    } as never,
  ]);
  const secret = add(other, `${SECRET} task`, { notes: `${SECRET} note`, [`label:${unused}`]: true });
  await device.sync();
  await device.sync();
  const everything = async () => {
    const entries = await readdir(dataDir, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return await Promise.all(files.map((entry) => readFile(join(entry.parentPath, entry.name))));
  };
  const has = async (text: string) => (await everything()).some((content) => content.includes(text));
  /** Rows of the own scope with content in the open. */
  const openRows = async () => {
    const rows = await office.server.database.store.snapshot(office.scope, null, 10_000);
    const sealed = { phase: 'sealed', generation: 1 } as const;
    return rows.flatMap((row) => (isKnown(row) && leftIn(sealed, row) > 0 ? [row.id] : []));
  };
  /** From now on nobody can open the title of this row. */
  const spoil = async (id: Id) => {
    const { db } = office.server.database;
    const { fields } = await db
      .selectFrom('entity')
      .select('fields')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const before = JSON.parse(fields) as { title: { e: string } };
    const e = before.title.e.replace(/.{12}$/, 'A'.repeat(12));
    const changed = JSON.stringify({ ...before, title: { e } });
    await db.updateTable('entity').set({ fields: changed }).where('id', '=', id).execute();
  };
  const close = async () => {
    await device.close();
    await office.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return {
    office,
    device,
    list,
    other,
    label,
    unused,
    tasks,
    attachment,
    secret,
    add,
    has,
    openRows,
    spoil,
    close,
  };
}

/** Syncs until everything that was begun has come to its end. */
export async function settle(...devices: readonly SealedDevice[]): Promise<void> {
  for (let turn = 0; turn < 6; turn += 1) for (const device of devices) await device.sync();
}

/** Goes on until something is so; what it waits for is no matter of turns. */
export async function until(
  is: () => boolean | Promise<boolean>,
  ...devices: readonly SealedDevice[]
): Promise<void> {
  for (let turn = 0; turn < 50 && !(await is()); turn += 1) await settle(...devices);
  assert.ok(await is());
}

/** What `sealedOffice` makes. */
export type Here = Awaited<ReturnType<typeof sealedOffice>>;

/** Calls the routes of sharing about the list. */
export const callList = ({ office, list }: Here, call: 'GET' | 'POST', path = '') =>
  told(callSharing(office.server, office.session, `${call} sharing/lists/${list}${path}`));

/** Somebody who has joined by the link. */
export async function joined(here: Here, email = 'ben@example.org') {
  const { link } = await callList(here, 'GET');
  const neighbour = await here.office.neighbour(email);
  await joinList(here.office.server, neighbour.session, (link as { token: string }).token);
  const device = await new SealedDevice(neighbour).start();
  await settle(device);
  return { neighbour, device };
}

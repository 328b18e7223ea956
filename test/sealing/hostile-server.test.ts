// A device whose server does what it likes with answers: nothing that it invents is ever shown as content, nothing plain is sent to it, and
// on the honest server all stays as people wrote it. `LIES=100000 node --test test/sealing/hostile-server.test.ts` tells more of them.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { must } from '#core/assert.ts';
import { LyingOffice } from './lying-office.ts';
import { numbers } from './material.ts';
import { newDisk, SealedDevice } from './sealed-device.ts';
import { WholeOffice } from './whole-office.ts';

const LIES = Number(process.env['LIES'] ?? '600');
const SEED = Number(process.env['SEAL_SEED'] ?? '1');
const ROWS = 6;
/** Rounds before the device is a new one, and what it has seen so far is compared with the honest copy. */
const ROUNDS = 12;

describe('a server that lies', () => {
  let office: WholeOffice;
  let honest: SealedDevice;
  let code: string;
  const below = numbers(SEED);
  /** All that people ever wrote, by row and register. */
  const written = new Map<string, Set<string>>();
  let serial = 0;

  before(async () => {
    office = await WholeOffice.open();
    honest = await new SealedDevice(office).start();
    for (let row = 0; row < ROWS; row += 1) wrote(honest.add(text()), 'name', `canary${serial}`);
    await honest.sync();
    ({ code } = await honest.turnOn());
    for (let round = 0; round < 6; round += 1) await honest.sync();
    const state = await office.routes.read();
    assert.equal(state.ok && state.value.state.phase, 'sealed');
  });
  after(async () => {
    await honest.close();
    await office.close();
  });

  function text(): string {
    serial += 1;
    return `canary${serial}`;
  }

  function wrote(id: Id, register: string, value: string): void {
    const key = `${id} ${register}`;
    written.set(key, (written.get(key) ?? new Set()).add(value));
  }

  const ids = () => [...new Set([...written.keys()].map((key) => key.slice(0, 36) as Id))];

  function rename(device: SealedDevice, id: Id): void {
    const name = text();
    device.rename(id, name);
    wrote(id, 'name', name);
  }

  /** What is shown is what somebody wrote in this very place, or says that it is locked. */
  function look(device: SealedDevice): void {
    for (const row of device.engine.replica.all()) {
      if (row.type !== 'list' || row.fields.listType === 'inbox') continue;
      const name = device.name(row.id);
      if (name === 'Locked' || name === undefined) continue;
      const isTheirs = written.get(`${row.id} name`)?.has(name as string) === true;
      assert.ok(isTheirs, `${row.id} is called ${JSON.stringify(name)}`);
      const notes = device.notes(row.id);
      assert.ok(notes === '' || !notes.includes('forged'), notes);
    }
  }

  async function victim(): Promise<{ readonly device: SealedDevice; readonly lying: LyingOffice }> {
    const lying = new LyingOffice(office, below);
    lying.lies = false;
    const device = await new SealedDevice(lying, newDisk()).start();
    await device.sync();
    assert.ok((await device.keys.unlock(code)).ok);
    await device.sync();
    lying.lies = true;
    return { device, lying };
  }

  test(`[SEAL-117] [SEAL-118] ${LIES} lies: none is shown, nothing plain goes out, and the honest copy keeps every word`, async () => {
    const told: Record<string, number> = {};
    const count = () => Object.values(told).reduce((sum, each) => sum + each, 0);
    while (count() < LIES) {
      const { device, lying } = await victim();
      for (let round = 0; round < ROUNDS; round += 1) {
        for (let edit = 0; edit < 3; edit += 1) rename(honest, must(ids()[below(ids().length)], 'a row'));
        await honest.sync();
        const id = must(ids()[below(ids().length)], 'a row');
        if (below(3) === 0) {
          wrote(device.add(text()), 'name', `canary${serial}`);
        } else if (below(2) === 0 && device.row(id) !== undefined) rename(device, id);
        await device.sync();
        look(device);
      }
      assert.doesNotMatch(lying.heard.join('\n'), /canary/, 'nothing plain goes out');
      await device.close();
      for (const [name, times] of Object.entries(lying.told)) told[name] = (told[name] ?? 0) + times;
      await honest.sync();
      look(honest);
      for (const id of ids())
        if (honest.row(id) !== undefined)
          assert.notEqual(honest.name(id), 'Locked', 'nothing was overwritten');
      const rows = await office.server.database.db.selectFrom('entity').select('fields').execute();
      assert.doesNotMatch(JSON.stringify(rows), /canary|forged/);
    }
    for (const name of [
      'it is plain',
      'of another row',
      'from before',
      'about the state',
      'about the directory',
    ])
      assert.ok((told[name] ?? 0) > 0, `${name}: ${JSON.stringify(told)}`);
  });
});

// A device that seals anew what programs have written, while they go on writing.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import { SealedDevice } from './sealed-device.ts';
import { WholeOffice } from './whole-office.ts';

describe('what came by the inbox', () => {
  test('[SEAL-110] is sealed anew also where more of the same row comes while that is under way', async () => {
    const office = await WholeOffice.open();
    const device = await new SealedDevice(office).start();
    await device.sync();
    await device.turnOn();
    for (let turn = 0; turn < 4; turn += 1) await device.sync();
    const made = await office.program('POST', '/lists', { name: 'first' });
    const { id } = made['list'] as { readonly id: Id };
    const route = office.routes.reencode.bind(office.routes);
    let isSecond = false;
    office.routes.reencode = async (request) => {
      if (!isSecond) {
        isSecond = true;
        await office.program('PATCH', `/lists/${id}`, { name: 'second', notes: 'more' });
        // It is here before the answer is.
        await device.sync();
      }
      return route(request);
    };
    for (let turn = 0; turn < 6; turn += 1) await device.sync();
    assert.equal(device.name(id), 'second');
    const rows = await office.server.database.db.selectFrom('entity').select('fields').execute();
    assert.ok(!JSON.stringify(rows).includes(String.raw`{\"e\":\"Ag`), 'nothing stays sealed to the inbox');
    await device.close();
    await office.close();
  });
});

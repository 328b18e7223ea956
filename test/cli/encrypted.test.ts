// The command line in an encrypted account: with the key of its own it reads and writes what is in it, and the server sees none of it.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Id } from '#core/ids.ts';
import type { Task } from '#wire/api/client.ts';
import { createEncryptedDesk } from './encrypted-desk.ts';

describe('an encrypted account', () => {
  test('[SEAL-270] with the key, what is written there and here is read here and there', async () => {
    const desk = await createEncryptedDesk();
    const { device } = desk;
    const list = device.add('Garden');
    device.addTask(list, 'Prune the roses');
    await device.sync();
    const { tasks } = await desk.json<{ tasks: Task[] }>('list');
    assert.deepEqual(
      tasks.map(({ title, encrypted }) => [title, encrypted]),
      [['Prune the roses', false]],
    );
    const { task } = await desk.json<{ task: Task }>('add', 'Water the ferns tomorrow @Garden');
    assert.equal(task.title, 'Water the ferns');
    await device.sync();
    assert.equal(device.name(task.id as Id), 'Water the ferns');
    await desk.close();
  });
});

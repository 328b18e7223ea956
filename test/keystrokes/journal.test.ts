// Undo after a restart: the whole app over its real engine, with a disk that outlives it.
import assert from 'node:assert/strict';
import { randomFillSync } from 'node:crypto';
import { describe, test } from 'node:test';
import { registerChecks } from '#wire/registers.ts';
import { inboxId, type Id } from '#core/ids.ts';
import type { App } from '#client/app/app.ts';
import { createApp } from '#client/app/create-app.ts';
import { createEngine } from '#sync/exchange/engine.ts';
import { createMemoryStorage, MemoryContents } from '#sync/replica/memory-storage.ts';
import type { StorageBatch } from '#sync/replica/ports.ts';
import { cabinet } from './cabinet.ts';
import { SCOPE } from './desk-engine.ts';
import { Desk } from './desk.ts';
import { keyInput } from './key-input.ts';
import { fieldOf, registersOf } from '#sync/rows/row.ts';

const clock = { now: () => Date.now(), monotonic: () => performance.now() };
const random = { fill: (bytes: Uint8Array) => void randomFillSync(bytes), fraction: () => 0.5 };
const timers = {
  after(delayMs: number, work: () => void) {
    const timer = setTimeout(work, delayMs);
    return () => clearTimeout(timer);
  },
};

/** A device whose disk is looked at from outside. */
function createDevice() {
  const contents = new MemoryContents();
  const batches: StorageBatch[] = [];
  const seen = { wrote: () => undefined as void };
  const start = async (): Promise<App> => {
    const memory = createMemoryStorage(contents);
    const storage = {
      ...memory,
      async write(batch: StorageBatch) {
        batches.push(batch);
        await memory.write(structuredClone(batch));
        seen.wrote();
      },
    };
    const engine = createEngine(
      { storage, transport: null, clock, timers, random, checks: registerChecks },
      { scope: SCOPE, account: 0 },
    );
    await engine.open();
    await engine.loaded();
    return createApp({
      engine,
      platform: {
        ...new Desk().platform(),
        after: (ms, work) => timers.after(ms, work),
        files: () => Promise.resolve(cabinet),
      },
    });
  };
  return { contents, batches, seen, start };
}

const press = (app: App, ...names: string[]) => {
  for (const name of names)
    app.key(keyInput(name, { apple: true, inText: app.view.status.get().mode === 'EDIT' }));
};

function add(app: App, title: string): Id {
  press(app, 'Ctrl+Enter');
  const focus = app.view.focus.get();
  assert.ok(focus.pane === 'outline' && focus.id !== null && focus.edit !== null);
  app.draftTitle(focus.id, title, title.length);
  press(app, 'Escape');
  return focus.id;
}

const titles = (app: App) =>
  app.engine.replica
    .children(inboxId(SCOPE))
    .flatMap((row) => (fieldOf(row, 'del') ? [] : [fieldOf(row, 'title')]));

const message = (app: App) => app.view.status.get().message?.text ?? '';

async function undo(app: App): Promise<void> {
  press(app, 'Mod+Z');
  await new Promise((resolve) => setImmediate(resolve));
}

describe('undo after a restart', () => {
  test('[UNDO-9] takes back, one by one, what was done before it', async () => {
    const device = createDevice();
    const first = await device.start();
    add(first, 'A');
    add(first, 'B');
    press(first, 'Space');
    await first.close();
    const second = await device.start();
    add(second, 'C');
    await undo(second);
    assert.equal(message(second), 'Undone: added ‘C’.');
    await second.close();
    const third = await device.start();
    await undo(third);
    assert.equal(message(third), 'Undone: completed ‘B’.');
    await undo(third);
    await undo(third);
    assert.deepEqual(titles(third), []);
    await undo(third);
    assert.equal(message(third), 'Nothing to undo.');
    await third.close();
  });

  test('[UNDO-9] what waited for a value that an undo wrote again still takes it back', async () => {
    const device = createDevice();
    const first = await device.start();
    const id = add(first, 'A');
    for (const title of ['B', 'C']) {
      first.run('task.editAll');
      first.draftTitle(id, title, 1);
      press(first, 'Escape');
    }
    await undo(first);
    assert.deepEqual(titles(first), ['B']);
    await first.close();
    const second = await device.start();
    await undo(second);
    assert.deepEqual(titles(second), ['A']);
    await second.close();
    const third = await device.start();
    await undo(third);
    assert.deepEqual(titles(third), []);
    await third.close();
  });

  test('[UNDO-9] an entry is written with what it is about, in one step', async () => {
    const device = createDevice();
    const app = await device.start();
    await app.engine.flushed();
    const before = device.batches.length;
    add(app, 'A');
    await app.engine.flushed();
    const made = device.batches.slice(before);
    const rows = made.flatMap(({ rowsPut = [] }) => rowsPut).filter(({ type }) => type === 'task');
    assert.ok(rows.length > 0);
    for (const { rowsPut = [], journalPut = [] } of made)
      if (rowsPut.some(({ type }) => type === 'task')) assert.ok(journalPut.length > 0);
    await app.close();
  });

  test('[UNDO-10] a large group is taken back whole, also when it was cut short', async () => {
    const device = createDevice();
    const app = await device.start();
    const text = Array.from({ length: 3_000 }, (_, n) => `Task ${n}`).join('\n');
    app.pasted(text);
    while (titles(app).length < 3_000) await new Promise((resolve) => setTimeout(resolve, 5));
    await app.engine.flushed();
    // The tab dies with the first write: what was put off never runs.
    const written = new Promise<MemoryContents>((resolve) => {
      device.seen.wrote = () => resolve(structuredClone(device.contents));
    });
    press(app, 'Mod+Z');
    const copied = await written;
    const again = createDevice();
    Object.assign(again.contents, copied);
    await app.close();
    const next = await again.start();
    const left = titles(next).length;
    assert.ok(left > 0 && left < 3_000, `${left} were left when it was cut short`);
    press(next, 'Mod+Z');
    while (titles(next).length > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await next.close();
  });

  test('[TRASH-2] what was removed for good is gone from the disk and the journal, also after a restart', async () => {
    const device = createDevice();
    const first = await device.start();
    const id = add(first, 'Secret');
    add(first, 'Other');
    first.pressRow(id, { shift: false, mod: false });
    press(first, 'Delete');
    first.run('trash.empty');
    while (first.view.dialog.get()?.type !== 'emptyTrash')
      await new Promise((resolve) => setImmediate(resolve));
    first.answer('emptyTrash', { action: 'confirm' });
    while (first.view.dialog.get() !== null) await new Promise((resolve) => setImmediate(resolve));
    await first.close();
    const disk = [...device.contents.rows.values(), ...device.contents.journal.values()];
    assert.ok(!JSON.stringify(disk).includes('Secret'));
    const second = await device.start();
    assert.equal(second.engine.replica.row(id), undefined);
    await undo(second);
    assert.deepEqual(titles(second), []);
    await second.close();
  });

  test('[UNDO-11] what was done under another identity is not touched, and that is said', async () => {
    const device = createDevice();
    const first = await device.start();
    add(first, 'A');
    await first.close();
    const meta = device.contents.meta;
    assert.ok(meta);
    device.contents.meta = { ...meta, device: first.engine.replica.newId() };
    const second = await device.start();
    await undo(second);
    assert.deepEqual(titles(second), ['A']);
    assert.match(message(second), /copy was renewed/);
    await second.close();
  });

  test('[UNDO-9] [UNDO-12] every kind of change is taken back after it, one gesture at a time', async () => {
    const device = createDevice();
    let app = await device.start();
    const id = add(app, 'A');
    /** Everything living, as it is held; what is bare says nothing. */
    const picture = () =>
      [...app.engine.replica.all()]
        .filter((row) => !fieldOf(row, 'del') && row.type !== 'completion')
        .map((row) => {
          const { place: _place, of: _of, key: _key, occ: _occ, ...fields } = registersOf(row);
          return [row.id, row.type, fieldOf(row, 'place')?.parent, fields] as const;
        })
        .filter(
          ([, type, , fields]) => (type !== 'mine' && type !== 'setting') || Object.keys(fields).length > 0,
        )
        .map((row) => JSON.stringify(row))
        .toSorted();
    const labelled = (name: string) =>
      [...app.engine.replica.all()].find((held) => fieldOf(held, 'name') === name)?.id as Id;
    const gestures: (() => unknown)[] = [
      () => app.pasted('B\n  C\nD'),
      () => press(app, 'Mod+A', 'Space'),
      () => press(app, 'Escape', 'Home', 'Space'),
      () => app.run('task.due', { value: 'tomorrow' }),
      () => app.run('task.repeat', { value: 'every day' }),
      () => press(app, 'Space'),
      () => app.run('task.remind', { value: 'tomorrow 9:00' }),
      () => app.run('label.create', { name: 'Home' }),
      () => app.run('label.toggle', { label: labelled('Home') }),
      () => app.run('label.rename', { label: labelled('Home'), name: 'House' }),
      async () => {
        app.run('label.edit', { label: labelled('House') });
        for (let n = 0; n < 30; n += 1) await new Promise((resolve) => setImmediate(resolve));
        app.answer('labelManager', { action: 'private', isOn: true });
        app.closeDialog();
      },
      () => app.run('bookmark.toggle'),
      () => app.gaveFiles([{ name: 'a.txt', size: 3, content: null }], id),
      () => app.run('list.create', { name: 'Work' }),
      () => app.run('list.archive'),
      () => app.run('go.inbox'),
      () => app.run('setting.weekStart', { value: 'sunday' }),
      () => app.run('list.sort', { by: 'alphabetically asc' }),
      () => app.run('task.clearCompleted'),
      () => app.run('label.delete', { label: labelled('House') }),
    ];
    const pictures = [picture()];
    for (const gesture of gestures) {
      await gesture();
      for (let n = 0; n < 30; n += 1) await new Promise((resolve) => setImmediate(resolve));
      const now = picture();
      if (JSON.stringify(now) !== JSON.stringify(pictures.at(-1))) pictures.push(now);
    }
    assert.equal(pictures.length, gestures.length, 'each changed something, but for going to the Inbox');
    while (pictures.length > 1) {
      // A new start now and then: what was done before it is known all the same.
      if (pictures.length % 3 === 0) {
        await app.close();
        app = await device.start();
      }
      assert.deepEqual(picture(), pictures.pop());
      await undo(app);
    }
    assert.deepEqual(picture(), pictures[0]);
    await app.close();
  });
});

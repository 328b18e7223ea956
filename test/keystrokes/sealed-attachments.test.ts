// Attaching, showing and saving files in an encrypted account, as the app does it: sealed before they are kept, opened before they are saved, and a
// sentence where they don't open.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { FilesView } from '#client/files/files-view.ts';
import type { FileRef, FilesPort, SendState } from '#client/files/port.ts';
import { createSignal } from '#client/app/signal.ts';
import { must } from '#core/assert.ts';
import { ok } from '#core/result.ts';
import { withLocked } from '#sync/rows/locked.ts';
import type { AttachmentRow } from '#sync/rows/row.ts';
import { digestOf } from '#web/platform/account/file-cipher.ts';
import { SealedServer } from '../sealing/sealed-server.ts';
import { SCOPE } from './desk-engine.ts';
import { SealedOffice } from './sealed-office.ts';

const TEXT = 'a canary in a file';

/** A device that keeps contents in memory, and a person who saves them. */
class MemoryCabinet implements FilesPort {
  readonly kept = new Map<string, Uint8Array>();
  readonly saved: string[] = [];
  readonly unsent = createSignal<ReadonlyMap<string, SendState>>(new Map());
  readonly pick: FilesPort['pick'] = () => Promise.resolve([]);
  readonly clipboard: FilesPort['clipboard'] = () => Promise.resolve([]);
  readonly follow = () => undefined;
  readonly sendAgain = () => undefined;
  readonly retry = () => undefined;
  readonly picture: FilesPort['picture'] = () => Promise.resolve(null);

  readonly keep: FilesPort['keep'] = async (_scope, { content }, seal) => {
    const bytes = new TextEncoder().encode(content as string);
    const sealed = (await seal?.(bytes)) ?? null;
    if (sealed?.ok === false) return sealed;
    const kept = sealed?.value.bytes ?? bytes;
    const hash = await digestOf(kept);
    this.kept.set(hash, kept);
    return ok({ hash, sizeBytes: kept.length, fileType: '' });
  };

  readonly save: FilesPort['save'] = async ({ hash, opening }: FileRef) => {
    const bytes = must(this.kept.get(hash), 'it is kept');
    const content = opening === null ? ok(bytes) : await opening.open(bytes);
    if (!content.ok) return content.problem;
    this.saved.push(new TextDecoder().decode(content.value));
    return null;
  };
}

/** A device of an account, whose scope isn't plain if `isApart`. */
class Office {
  readonly cabinet = new MemoryCabinet();
  readonly at: SealedOffice;

  constructor(server?: SealedServer, isApart = true) {
    this.at = new SealedOffice(server, undefined, this.cabinet);
    const { held } = this.at.desk.engine;
    if (isApart) held.amend({ meta: { ...held.meta, apart: true } }, null);
  }

  get attachments(): readonly AttachmentRow[] {
    return [...this.at.desk.replica.all()].filter((row): row is AttachmentRow => row.type === 'attachment');
  }

  /** Drops a file onto the task; answers what is said of it. */
  async attach(): Promise<string> {
    const { desk } = this.at;
    const task = must(
      [...desk.replica.all()].find(({ type }) => type === 'task'),
      'a task',
    );
    desk.app.gaveFiles([{ name: 'a.txt', size: TEXT.length, content: TEXT }], task.id);
    await this.#said(() => desk.message !== '');
    return desk.message;
  }

  get files(): FilesView {
    const dialog = this.at.desk.app.view.dialog.get();
    assert.ok(dialog?.type === 'files');
    return dialog.files;
  }

  /** Saves the one attachment from the dialog; answers what is said, or what was saved. */
  async save(): Promise<string | null> {
    const { desk } = this.at;
    desk.app.run('file.show');
    await this.#said(() => desk.app.view.dialog.get()?.type === 'files');
    const before = this.cabinet.saved.length;
    desk.app.answer('files', { action: 'save', id: must(this.files.items[0], 'an item').id });
    await this.#said(() => this.files.said !== null || this.cabinet.saved.length > before);
    const said = this.files.said?.text ?? this.cabinet.saved.at(-1) ?? null;
    desk.app.closeDialog();
    return said;
  }

  /** Ciphers work beside this thread. */
  async #said(is: () => boolean): Promise<void> {
    for (let turn = 0; turn < 5_000 && !is(); turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await this.at.desk.settle();
    }
    assert.ok(is(), 'it happens');
  }
}

describe('attachments of an encrypted account', () => {
  test('[SEAL-152] are sealed before they are kept, have the size of the file, and are opened before they are saved', async () => {
    const office = new Office();
    await office.at.turnOn();
    office.at.desk.app.closeDialog();
    assert.match(await office.attach(), /^Attached ‘a.txt’/);
    const row = must(office.attachments[0], 'the attachment');
    const { hash = '', sizeBytes, content } = row.fields;
    const says = { hash: await digestOf(new TextEncoder().encode(TEXT)), bytes: TEXT.length, of: row.id };
    assert.deepEqual(content, says);
    const kept = must(office.cabinet.kept.get(hash), 'it is kept');
    assert.ok(!new TextDecoder().decode(kept).includes('canary'));
    assert.equal(sizeBytes, kept.length);
    assert.equal(await office.save(), TEXT);
    office.at.desk.app.run('file.show');
    await office.at.settled();
    assert.equal(office.files.items[0]?.size, `${TEXT.length} bytes`);
  });

  test('[SEAL-152] a locked device attaches nothing and says why; a plain account attaches as ever', async () => {
    const server = new SealedServer(SCOPE, 1);
    await new SealedOffice(server).turnOn();
    const locked = new Office(server);
    assert.equal(await locked.attach(), 'This device is locked. Unlock it with your recovery code first.');
    assert.deepEqual([locked.attachments, locked.cabinet.kept.size], [[], 0]);
    const plain = new Office(undefined, false);
    assert.match(await plain.attach(), /^Attached/);
    const row = must(plain.attachments[0], 'the attachment');
    assert.deepEqual([row.fields.content, row.fields.sizeBytes], [undefined, TEXT.length]);
    assert.equal(await plain.save(), TEXT);
  });

  test('[SEAL-154] [SEAL-160] what doesn’t open is said, and nothing of it is saved', async () => {
    const office = new Office();
    await office.at.turnOn();
    office.at.desk.app.closeDialog();
    await office.attach();
    const { cabinet } = office;
    const [[hash, bytes] = ['', new Uint8Array()]] = cabinet.kept;
    const saving = (changed: Uint8Array) => {
      cabinet.kept.set(hash, changed);
      return office.save();
    };
    const altered = '‘a.txt’ was changed or damaged on the server, so nothing of it was opened.';
    assert.equal(await saving(bytes.slice(0, -1)), altered);
    assert.equal(await saving(new Uint8Array(3)), altered);
    const newer = bytes.slice();
    newer[0] = 9;
    const update = '‘a.txt’ was encrypted by a newer version of Posthaste. Update this one to open it.';
    assert.equal(await saving(newer), update);
    const { kept } = office.at.store;
    office.at.store.kept = null;
    const noKey =
      '‘a.txt’ is encrypted, and this device doesn’t have its key. Unlock it with your recovery code first.';
    assert.equal(await saving(bytes), noKey);
    office.at.store.kept = kept;
    const { held } = office.at.desk.engine;
    const row = must(office.attachments[0], 'the attachment');
    const locked = withLocked({ ...row, version: row.version + 1 }, new Set(['content']));
    held.amend({ incoming: new Map([[row.id, locked]]), queue: [] }, 'remote');
    assert.equal(await saving(bytes), noKey);
    assert.deepEqual(cabinet.saved, []);
  });
});

// Files dropped onto a page of the desktop app, as the program reads and hands them over: limits, what can't be read, and how long they are kept.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { must } from '#core/assert.ts';
import { dropLimits, type FoundFile } from '#desktop/drops.ts';
import type { DroppedFile } from '#desktop/messages.ts';
import { DesktopProgram } from '#desktop/program.ts';
import { NodeShell } from './node-shell.ts';

const HOST = 'desktop';
const WINDOW = 'main@desktop';

describe('files dropped onto a page of the desktop app', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'posthaste-drops-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** A file on the disk, unless only its size counts. */
  function found(name: string, content: string | null, given: Partial<FoundFile> = {}): FoundFile {
    const path = join(folder, name);
    if (content !== null) writeFileSync(path, content);
    const read = async () => new Uint8Array(await readFile(path));
    return {
      name,
      type: 'text/plain',
      bytes: content?.length ?? 0,
      isFolder: false,
      read: () => read().catch(() => null),
      ...given,
    };
  }

  async function started(name: string) {
    const shell = new NodeShell({ built: folder, own: join(folder, name) });
    const program = new DesktopProgram(shell);
    await program.start();
    program.open(null);
    const told = () =>
      shell.told
        .map(({ message }) => message as { type: string; files: readonly DroppedFile[] })
        .filter(({ type }) => type === 'dropped');
    const get = (path: string, host = HOST) =>
      program.answer(host, { method: 'GET', path, headers: {}, body: null });
    return { shell, program, told, get };
  }

  test('[DESK-57] [DESK-60] the page is told where, and fetches each once by an address that nobody else has', async () => {
    const { shell, program, told, get } = await started('once');
    await program.dropped(WINDOW, { x: 10, y: 20, files: [found('a.txt', 'A'), found('b.html', '<b>')] });
    const files = told()[0]?.files ?? [];
    assert.deepEqual(told(), [{ type: 'dropped', x: 10, y: 20, files }]);
    assert.deepEqual(
      files.map(({ name, type }) => [name, type]),
      [
        ['a.txt', 'text/plain'],
        ['b.html', 'text/plain'],
      ],
    );
    const [, page] = files;
    const path = must(page, 'there are two').path;
    assert.equal(await get(path, 'another'), null);
    const answer = await get(path);
    assert.equal(new TextDecoder().decode(answer?.body), '<b>');
    assert.equal(answer?.headers['content-type'], 'application/octet-stream');
    assert.equal((await get(path))?.status, 404, 'it was fetched');
    program.left(WINDOW);
    assert.equal((await get(must(files[0], 'there are two').path))?.status, 404, 'the page is gone');
    assert.deepEqual(shell.notices, []);
    await program.dropped('main@another', { x: 0, y: 0, files: [found('a.txt', 'A')] });
    assert.equal(told().length, 1, 'no such page is open');
  });

  test('[DESK-59] too many and too large are left out whole and said; so are folders and what can’t be read, alone', async () => {
    const { shell, program, told } = await started('limits');
    const drop = (...files: FoundFile[]) => program.dropped(WINDOW, { x: 0, y: 0, files });
    const said = () => shell.notices.at(-1)?.body;
    await drop(found('large', null, { bytes: dropLimits.bytes }), found('a.txt', 'A'));
    assert.equal(said(), 'That’s more than 250 MB. Drop fewer files at a time, or smaller ones.');
    await drop(...Array.from({ length: dropLimits.files + 1 }, () => found('none', null)));
    assert.equal(said(), 'That’s more than 1000 files. Drop fewer at a time.');
    assert.deepEqual(told(), []);
    await drop(found('Photos', null, { isFolder: true }), found('a.txt', 'A'), found('gone.txt', null));
    assert.equal(
      said(),
      'Folders can’t be dropped here, so “Photos” was left out. Open it, and drop what is inside. “gone.txt” can’t be read.',
    );
    assert.deepEqual(
      told()[0]?.files.map(({ name }) => name),
      ['a.txt'],
    );
    await drop(found('gone.txt', null), found('lost.txt', null));
    assert.equal(said(), '2 files can’t be read, like “gone.txt”.');
    assert.equal(told().length, 1);
  });
});

// Attached files in a browser: pasted, dropped and chosen, seen on another device, kept while the server is away.
import assert from 'node:assert/strict';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { give, listed, PNG } from './attaching.ts';
import {
  addTasks,
  command,
  expectEventually,
  installed,
  openApp,
  outline,
  ready,
  serveApart,
  signIn,
  signUp,
  synced,
  temporaryFolder,
  withBrowser,
} from './harness.ts';

describe('attached files', () => {
  const browser = withBrowser({ hasWorkers: true });

  test('[FILE-8] wait on the device, reach the server when it is there, and open on another device', async (t) => {
    const server = await serveApart(t);
    const { page } = await openApp(t, browser(), server.url);
    await signUp(page, 'ada@example.org');
    await addTasks(page, ['Paint the fence']);
    await synced(page);
    await give(page, 'paste', 'red.png', PNG);
    await page.getByText('Attached ‘red.png’').first().waitFor();
    await command(page, 'Attachments');
    await expectEventually(() => listed(page), ['red.png: 73 bytes']);
    await page.keyboard.press('Escape');
    await synced(page);
    // The page is opened again while there is no server.
    await installed(page);
    await server.kill();
    await give(page, 'drop', 'notes <b>.txt', btoa('buy paint'));
    await page.getByText('Attached ‘notes <b>.txt’').first().waitFor();

    await command(page, 'Attachments');
    await expectEventually(
      () => listed(page),
      ['red.png: 73 bytes', 'notes _b_.txt: 9 bytes, only on this device so far'],
    );
    await page.locator('dialog img').waitFor();
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');

    // Nothing is lost with the page: the queue is on the disk.
    await page.reload();
    await ready(page);
    await expectEventually(() => outline(page), ['- Paint the fence']);
    await server.start();
    await synced(page, 30_000);
    await command(page, 'Attachments');
    await expectEventually(() => listed(page), ['red.png: 73 bytes', 'notes _b_.txt: 9 bytes'], 30_000);
    await page.keyboard.press('Escape');

    const { page: other } = await openApp(t, browser(), server.url, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    await signIn(other, 'ada@example.org');
    await expectEventually(() => outline(other), ['- Paint the fence']);
    await command(other, 'Attachments');
    await other.locator('dialog img').waitFor();
    await other.getByRole('button', { name: 'Show red.png' }).press('Enter');
    await other.getByRole('img', { name: 'red.png' }).waitFor();
    const width = await other
      .getByRole('img', { name: 'red.png' })
      .evaluate((image) => (image as HTMLImageElement).naturalWidth);
    assert.equal(width, 4, 'it is drawn');
    await other.keyboard.press('Enter');
    const saving = other.waitForEvent('download');
    await other.getByRole('button', { name: 'Save notes _b_.txt' }).press('Enter');
    const saved = await saving;
    assert.equal(saved.suggestedFilename(), 'notes _b_.txt');
    await other.getByRole('button', { name: 'Remove red.png' }).press('Enter');
    await expectEventually(() => listed(other), ['notes _b_.txt: 9 bytes']);
    await other.keyboard.press('Escape');
    await other.keyboard.press('Control+z');
    await command(other, 'Attachments');
    await expectEventually(async () => (await listed(other)).length, 2);
  });

  test('[FILE-8] one that is too large is named, and keeps the others from nothing', async (t) => {
    const server = await serveApart(t);
    const { page } = await openApp(t, browser(), server.url);
    await addTasks(page, ['Paint the fence']);
    const folder = await temporaryFolder(t);
    const file = async (name: string, sizeBytes: number) => {
      const path = join(folder, name);
      await writeFile(path, '');
      await truncate(path, sizeBytes);
      return path;
    };
    const paths = [await file('film.txt', 26_300_000), await file('one.txt', 1), await file('two.txt', 2)];
    const choosing = page.waitForEvent('filechooser');
    await command(page, 'Attach a file');
    await (await choosing).setFiles(paths);
    await page
      .getByText('‘film.txt’ is 26 MB. Files can be up to 25 MB. Attached 2 files.')
      .first()
      .waitFor();
    await command(page, 'Attachments');
    await expectEventually(
      () => listed(page),
      ['one.txt: 1 byte, only on this device so far', 'two.txt: 2 bytes, only on this device so far'],
    );
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+z');
    await command(page, 'Attachments');
    await expectEventually(() => listed(page), []);
  });
});

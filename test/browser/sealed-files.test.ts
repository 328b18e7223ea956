// Files in an encrypted account, in browsers with a real server: one from before, one that waits through a reload without a network, both on a
// second device. What the server has of them is looked for in its folder.
import assert from 'node:assert/strict';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { give, listed, PNG } from './attaching.ts';
import {
  addTasks,
  command,
  expectEventually,
  installed,
  openApp,
  outline,
  ready,
  serve,
  signIn,
  signUpPlain,
  synced,
  temporaryFolder,
  turnOnEncryption,
  withBrowser,
} from './harness.ts';

const PATIENT_MS = 90_000;
const SECRET = 'canary in a file';
const OLD = Buffer.from(PNG, 'base64');

async function pathsIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Files of the server with these bytes in them. */
async function filesWith(folder: string, bytes: Uint8Array): Promise<readonly string[]> {
  const paths = await pathsIn(folder);
  const has = await Promise.all(paths.map(async (path) => (await readFile(path)).includes(bytes)));
  return paths.filter((_, index) => has[index]);
}

/** Saves a file of the open dialog; answers what was saved. */
async function saved(page: Page, name: string): Promise<string> {
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: `Save ${name}` }).press('Enter');
  return await readFile(await (await saving).path(), 'utf8');
}

describe('files in an encrypted account', () => {
  const browser = withBrowser({ hasWorkers: true });

  test('[SEAL-163] one from before and one that waited open on a second device, and the server has no byte of them', async (t) => {
    const folder = await temporaryFolder(t);
    const server = await serve(t, undefined, { DATA_DIR: folder });
    const { page: one, context } = await openApp(t, browser(), server.url);
    await addTasks(one, ['Paint the fence']);
    await signUpPlain(one, 'ida@example.org');
    await synced(one, PATIENT_MS);
    await give(one, 'paste', 'red.png', PNG);
    await one.getByText('Attached ‘red.png’').first().waitFor();
    await command(one, 'Attachments');
    await expectEventually(() => listed(one), ['red.png: 73 bytes'], PATIENT_MS);
    await one.keyboard.press('Escape');
    await synced(one, PATIENT_MS);
    const [old] = await filesWith(folder, OLD);
    assert.ok(old !== undefined);
    // What is younger than an hour is left to housekeeping.
    await utimes(old, 1_000, 1_000);
    const code = await turnOnEncryption(one, { withinMs: PATIENT_MS });
    await expectEventually(() => filesWith(folder, OLD), [], PATIENT_MS);

    await installed(one);
    await context.setOffline(true);
    await give(one, 'drop', 'secret.txt', btoa(SECRET));
    await one.getByText('Attached ‘secret.txt’').first().waitFor();
    await one.reload();
    await ready(one);
    await command(one, 'Attachments');
    const waiting = 'secret.txt: 16 bytes, only on this device so far';
    await expectEventually(() => listed(one), ['red.png: 73 bytes', waiting], PATIENT_MS);
    await one.locator('dialog img').waitFor();
    assert.equal(await saved(one, 'secret.txt'), SECRET, 'without a network as well');
    await context.setOffline(false);
    await expectEventually(() => listed(one), ['red.png: 73 bytes', 'secret.txt: 16 bytes'], PATIENT_MS);
    await one.keyboard.press('Escape');
    await synced(one, PATIENT_MS);

    const { page: two } = await openApp(t, browser(), server.url);
    await signIn(two, 'ida@example.org', PATIENT_MS);
    await expectEventually(async () => (await outline(two))[0], '- Locked');
    await give(two, 'drop', 'more.txt', btoa(SECRET));
    await two.getByText('This device is locked. Unlock it with your recovery code first.').first().waitFor();
    await command(two, 'Unlock with recovery code…');
    await two.locator('dialog input[name=code]').fill(code);
    await two.keyboard.press('Enter');
    await expectEventually(() => two.locator('dialog h2').innerText(), 'Encryption');
    await two.getByRole('button', { name: 'Close', exact: true }).click();
    await expectEventually(async () => (await outline(two))[0], '- Paint the fence', PATIENT_MS);
    await command(two, 'Attachments');
    await two.locator('dialog img').waitFor();
    await expectEventually(() => listed(two), ['red.png: 73 bytes', 'secret.txt: 16 bytes'], PATIENT_MS);
    assert.equal(await saved(two, 'secret.txt'), SECRET);
    assert.deepEqual(await filesWith(folder, OLD), []);
    assert.deepEqual(await filesWith(folder, Buffer.from(SECRET)), []);
  });
});

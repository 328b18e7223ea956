// The key of an encrypted account goes to another device by a picture: the camera of the first one sees the screen of the other.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  command,
  endWith,
  expectEventually,
  launch,
  openApp,
  outline,
  serve,
  signIn,
  signUpPlain,
  synced,
  turnOnEncryption,
} from './harness.ts';

const PATIENT_MS = 60_000;
const said = (page: Page) => page.locator('dialog[open] [role=status]').first().innerText();
const answer = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** A video of one gray picture, as browsers take it for what a camera sees (YUV4MPEG2, 8 bit, 4:2:0). */
function video(gray: readonly number[], width: number, height: number): Buffer {
  const head = Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`);
  const colors = Buffer.alloc((width * height) / 2, 128);
  const frame = Buffer.concat([Buffer.from('FRAME\n'), Buffer.from(gray), colors]);
  return Buffer.concat([head, frame, frame]);
}

/** What a camera sees that is held before an element of a page: the element on a gray ground. */
async function seen(page: Page, selector: string): Promise<Buffer> {
  const [width, height] = [640, 480];
  const shot = (await page.locator(selector).screenshot()).toString('base64');
  const gray = await page.evaluate(
    async ({ bytes, size: [wide, high] }) => {
      const blob = new Blob([Uint8Array.fromBase64(bytes)], { type: 'image/png' });
      const image = await createImageBitmap(blob);
      const context = new OffscreenCanvas(wide, high).getContext('2d');
      if (context === null) throw new Error('no canvas');
      context.fillStyle = '#777';
      context.fillRect(0, 0, wide, high);
      context.drawImage(image, 150, 60, 340, 340);
      const { data } = context.getImageData(0, 0, wide, high);
      return Array.from({ length: wide * high }, (_, at) => data[at * 4 + 1] ?? 0);
    },
    { bytes: shot, size: [width, height] as const },
  );
  return video(gray, width, height);
}

async function withCamera(t: TestContext) {
  const folder = await mkdtemp(join(tmpdir(), 'posthaste-camera-'));
  const file = join(folder, 'seen.y4m');
  await writeFile(
    file,
    video(
      Array.from({ length: 640 * 480 }, () => 119),
      640,
      480,
    ),
  );
  const args = [
    '--use-fake-device-for-media-stream',
    '--use-fake-ui-for-media-stream',
    `--use-file-for-fake-video-capture=${file}`,
  ];
  const browser = await launch({ args });
  endWith(t, async () => {
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  });
  return { browser, file };
}

describe('the picture that gives the key', () => {
  test('[SEAL-127] is read by the camera of the device that has it', async (t) => {
    const { browser, file } = await withCamera(t);
    const server = await serve(t);
    const { page: one } = await openApp(t, browser, server.url);
    await addTasks(one, ['first']);
    await signUpPlain(one, 'ida@example.org');
    await synced(one, PATIENT_MS);
    await turnOnEncryption(one, { look: () => loadAxe(one), withinMs: PATIENT_MS });
    const { page: two } = await openApp(t, browser, server.url);
    await signIn(two, 'ida@example.org', PATIENT_MS);
    await expectEventually(async () => (await outline(two))[0], '- Locked', PATIENT_MS);
    const [icon, word] = await two.evaluate(() => {
      const title = document.querySelector('[data-ph=title]:has(svg)');
      const range = document.createRange();
      range.selectNodeContents(title?.lastChild ?? document.body);
      return [title?.querySelector('svg'), range].map((each) => each?.getBoundingClientRect().bottom ?? 0);
    });
    assert.ok(
      Math.abs((icon ?? 0) - (word ?? 99)) < 8,
      `the lock stands beside the word: ${icon} and ${word}`,
    );
    await command(two, 'Get the key from another device…');
    const picture = 'dialog svg[role=img]';
    await two.locator(picture).waitFor();
    await loadAxe(two);
    assert.deepEqual(await violations(two), []);
    await writeFile(file, await seen(two, picture));

    await command(one, 'Give the key to another device…');
    await answer(one, 'Use the camera instead');
    await expectEventually(() => said(one), 'The other device has the key now.', PATIENT_MS);
    await expectEventually(() => said(two), 'This device is unlocked.', PATIENT_MS);
    await answer(two, 'Close');
    await expectEventually(async () => (await outline(two))[0], '- first', PATIENT_MS);
  });
});

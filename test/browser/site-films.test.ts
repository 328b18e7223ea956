// The recordings of the public site: how they begin, are stopped, and what they say to those who do not see them.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectEventually } from './harness.ts';
import { type Site, withSite } from './site-world.ts';

describe('the recordings of the public site', () => {
  const site = withSite();
  const visit: Site['visit'] = (...at) => site().visit(...at);

  test('plays its recordings once where motion is wanted, else by a key, and says the film in words', async (t) => {
    const page = await visit(t, '/?demo');
    const film = page.locator('dialog[open] video');
    await expectEventually(() => film.evaluate((video: HTMLVideoElement) => video.poster !== ''), true);
    // What is said stands below the picture, and covers nothing of it.
    await film.evaluate(async (video: HTMLVideoElement) => {
      video.muted = true;
      await video.play();
    });
    const caption = page.locator('dialog[open] [data-caption]');
    await expectEventually(async () => (await caption.innerText()) !== '', true);
    assert.equal(await film.evaluate((video: HTMLVideoElement) => video.textTracks[0]?.mode), 'hidden');
    const [picture, words] = [await film.boundingBox(), await caption.boundingBox()];
    assert.ok(picture && words && words.y >= picture.y + picture.height);
    await page.getByText('Read it instead').press('Enter');
    const sentences = await page.locator('.overview details p').allInnerTexts();
    const cues = film.evaluate(async (video: HTMLVideoElement) => {
      const track = video.textTracks[0];
      if (track) track.mode = 'showing';
      video.muted = true;
      await video.play();
      while (!track?.cues?.length) await new Promise((resolve) => setTimeout(resolve, 20));
      return [Math.round(video.duration), track.cues.length];
    });
    assert.deepEqual(await cues, [160, sentences.length]);
    await page.keyboard.press('Escape');
    await expectEventually(() => film.count(), 0);

    const moment = page.locator('.film').first();
    await moment.scrollIntoViewIfNeeded();
    assert.equal(await page.locator('.film video').count(), 0);
    const button = moment.getByRole('button', { name: 'Play: Add it' });
    const hold = moment.getByRole('button', { name: 'Pause: Add it' });
    const isPaused = () => moment.locator('video').evaluate((video: HTMLVideoElement) => video.paused);
    await button.press('Enter');
    await hold.press('Enter');
    await expectEventually(isPaused, true);
    await button.press('Enter');
    await expectEventually(isPaused, false);
    await moment.locator('video').evaluate(async (video: HTMLVideoElement) => {
      if (video.readyState === HTMLMediaElement.HAVE_NOTHING)
        await new Promise((resolve) => video.addEventListener('loadedmetadata', resolve, { once: true }));
      video.currentTime = video.duration - 0.1;
    });
    await expectEventually(() => page.locator('.film video').count(), 0);
    // It was never taken from under the fingers.
    await moment.locator('button:focus').and(button).waitFor();
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    await page.reload();
    await moment.scrollIntoViewIfNeeded();
    await moment.locator('video').waitFor();
  });
});

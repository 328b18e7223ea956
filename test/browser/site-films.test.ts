// The recordings of the public site: which of them are asked for, how they begin, are stopped, and what they say to those who do not see them.
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

  test('shows fingers to a phone and keys to everything wider, and asks for no recording before it is seen', async (t) => {
    const asked: string[] = [];
    const open = async (viewport: { readonly width: number; readonly height: number }) => {
      const page = await visit(t, '', { viewport, hasTouch: true, reducedMotion: 'no-preference' });
      asked.length = 0;
      page.on('request', (request) => asked.push(new URL(request.url()).pathname));
      await page.goto(`${site().url}/`);
      await page.locator('html[data-script=whole]').waitFor();
      return page;
    };
    // A recording may be asked for in several pieces; it counts once.
    const films = () => {
      const names = asked.filter((path) => path.endsWith('.mp4')).map((path) => path.split('/').at(-1) ?? '');
      return [...new Set(names)].map((name) => name.replace(/-[\w-]{10}\.mp4$/, ''));
    };
    const expectFilms = (...names: readonly string[]) =>
      expectEventually(() => Promise.resolve(films()), names);
    const phone = await open({ width: 390, height: 844 });
    assert.deepEqual(films(), []);
    const strip = phone.locator('.gestures');
    const [first, second] = [strip.locator('.film').first(), strip.locator('.film').nth(1)];
    await first.scrollIntoViewIfNeeded();
    await first.locator('video').waitFor();
    await expectFilms('gesture-finish');
    // A finger can stop it, and what stops it covers nothing of it.
    const stop = first.getByRole('button', { name: 'Pause: Swipe to finish' });
    const [picture, place] = [await first.boundingBox(), await stop.boundingBox()];
    assert.ok(picture && place && place.y >= picture.y + picture.height, 'below the picture');
    assert.ok(place.width >= 44 && place.height >= 44, 'large enough for a finger');
    await stop.tap();
    await second.scrollIntoViewIfNeeded();
    await second.locator('video').waitFor();
    assert.equal(films().length, 2);
    assert.deepEqual(
      asked.filter((path) => /moment-/.test(path)),
      [],
    );

    const tablet = await open({ width: 820, height: 1_180 });
    await tablet.locator('.stage .film').first().scrollIntoViewIfNeeded();
    await tablet.locator('.stage .film video').first().waitFor();
    assert.deepEqual(
      asked.filter((path) => /gesture-/.test(path)),
      [],
    );
    // Of the six keys, the one that is chosen.
    assert.deepEqual(
      asked.filter((path) => /moment-(?!capture|together)/.test(path)),
      [],
    );
    await tablet.getByText('Date it').first().tap();
    await expectEventually(() => Promise.resolve(films().includes('moment-date')), true);
  });

  test('moves nothing on a phone while its recordings are loaded, played and ended', async (t) => {
    const page = await visit(t, '/', {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      reducedMotion: 'no-preference',
    });
    await page.evaluate(() => {
      const seen = { shift: 0 };
      Object.assign(window, { seen });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    const films = page.locator('.gestures .film');
    assert.equal(await films.count(), 6);
    for (const film of await films.all()) {
      await film.scrollIntoViewIfNeeded();
      await film.locator('video').waitFor();
      await film
        .locator('video')
        .evaluate((video: HTMLVideoElement) => video.dispatchEvent(new Event('ended')));
      await expectEventually(() => film.locator('video').count(), 0);
    }
    assert.equal(await page.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift), 0);
  });
});

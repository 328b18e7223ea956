// The layout of the public site: no page is wider than its window, at the widths where something used to stick out and at the usual
// ones. One page of each kind: `npm run site:check` looks at all of them, every 20 px. And the pictures of guides can be read on a phone.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { findSideways } from '../../scripts/site/sideways.ts';
import { withSite } from './site-world.ts';

const KINDS = [
  '/',
  '/pricing',
  '/contact',
  '/changelog',
  '/privacy',
  '/measured',
  '/security',
  '/guides',
  '/guides/focus-tasks',
  '/guides/api',
  '/guides/hotkeys',
  '/guides/affiliates',
  '/guides/hotkeys/cheat-sheet',
  '/all-guides',
  '/api-reference',
  '/a',
  '/invite',
  '/reset-password',
  '/download',
  '/404',
] as const;

describe('no page of the site can be scrolled sideways', () => {
  test('on a phone, at the widths between phone and tablet, on a desktop', async () => {
    const widths = [320, 340, 480, 560, 580, 1_440];
    assert.deepEqual(await findSideways({ widths, textSizes: [1], paths: KINDS }), []);
  });

  test('with text twice as large', async () => {
    const paths = [
      '/',
      '/pricing',
      '/changelog',
      '/guides',
      '/guides/labels',
      '/guides/affiliates',
      '/contact',
    ];
    const widths = [320, 480, 760, 1_020, 1_280];
    assert.deepEqual(await findSideways({ widths, textSizes: [2], paths }), []);
  });
});

describe('the pictures of the guides', () => {
  const site = withSite();

  test('there is one of a phone for each, in light and in dark', () => {
    const files = readdirSync(join(import.meta.dirname, '../../src/site/guides/images'));
    const missing = files
      .filter((file) => !/-(?:dark|phone)\.webp$/.test(file))
      .flatMap((file) =>
        ['-dark', '-phone', '-phone-dark'].map((end) => file.replace('.webp', `${end}.webp`)),
      )
      .filter((file) => !files.includes(file));
    assert.deepEqual(missing, []);
  });

  for (const [width, colorScheme, wanted] of [
    [390, 'light', /\/snoozing-phone-[\w-]{10}\.webp$/],
    [390, 'dark', /\/snoozing-phone-dark-[\w-]{10}\.webp$/],
    [820, 'light', /\/snoozing-(?!phone-|dark-)[\w-]{10}\.webp$/],
  ] as const)
    test(`shows a ${width < 640 ? 'phone' : 'computer'} its own, with its room from the beginning (${width} px, ${colorScheme})`, async (t) => {
      const page = await site().visit(t, '/guides/snoozing', {
        viewport: { width, height: 844 },
        colorScheme,
      });
      const image = page.locator('figure img').locator('visible=true').first();
      const before = await image.boundingBox();
      await image.scrollIntoViewIfNeeded();
      await image.evaluate((each: HTMLImageElement) => each.decode());
      assert.match(await image.evaluate((each: HTMLImageElement) => each.currentSrc), wanted);
      assert.equal((await image.boundingBox())?.height, before?.height);
      // In words no smaller than two thirds of the app's own.
      const scale = await image.evaluate(
        (each: HTMLImageElement) => (each.clientWidth * 2) / each.naturalWidth,
      );
      assert.ok(scale > 0.66, `shown at ${scale.toFixed(2)} of its size`);
    });
});

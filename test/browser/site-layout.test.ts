// The layout of the public site: no page is wider than its window, at the widths where something used to stick out and at the usual
// ones. One page of each kind: `npm run site:check` looks at all of them, every 20 px.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findSideways } from '../../scripts/site/sideways.ts';

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

// The front page of the public site: its live list answers the keys that it names and says how long they took, its film opens by
// its address, and the page is no longer than what one reads.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { expectEventually } from './harness.ts';
import { type Site, withSite } from './site-world.ts';

/** Keycaps as the browser's driver calls them. */
const CAP_KEYS: Readonly<Record<string, string>> = {
  '↑': 'ArrowUp',
  '↓': 'ArrowDown',
  '↵': 'Enter',
  Ctrl: 'Control',
  Esc: 'Escape',
};

describe('the front page', () => {
  const site = withSite();
  const visit: Site['visit'] = (...at) => site().visit(...at);
  const url = () => site().url;

  test('shows its film by address, and leaves the list of the page as it was', async (t) => {
    const page = await visit(t, '/?demo');
    await page.locator('dialog[open] [data-close]:focus').waitFor();
    await page.keyboard.press('Escape');
    await expectEventually(() => page.locator('dialog[open]').count(), 0);
    // The browser tells the page a turn later.
    await expectEventually(() => Promise.resolve(page.url()), `${url()}/`);
  });

  for (const size of [
    { width: 1_440, height: 900 },
    { width: 1_280, height: 720 },
    { width: 360, height: 560 },
  ])
    test(`opens its film at the beginning, with its title, and plays it (${size.width} × ${size.height})`, async (t) => {
      const page = await visit(t, '/?demo', { viewport: size, reducedMotion: 'no-preference' });
      const dialog = page.locator('dialog[open]');
      await dialog.waitFor();
      const film = page.locator('[data-demo-dialog] video');
      await expectEventually(() => film.evaluate((each: HTMLVideoElement) => !each.paused), true);
      assert.equal(await dialog.evaluate((each) => each.scrollTop), 0);
      for (const part of [dialog.locator('h2'), dialog.locator('[data-close]'), film]) {
        const box = await part.boundingBox();
        assert.ok(box && box.y >= 0 && box.y + box.height <= size.height, await part.innerText());
      }
      await dialog.locator('[data-close]').click();
      await expectEventually(() => film.evaluate((each: HTMLVideoElement) => each.paused), true);
      assert.equal(await page.locator('.hero .demo').isVisible(), true);
    });

  test('answers in its list the keys that it names, which are the app’s own', async (t) => {
    const page = await visit(t, '/', { viewport: { width: 1_440, height: 900 } });
    const caps = await page.locator('.demo-hint .keys').locator('visible=true').allInnerTexts();
    const [down, up, complete, create, due, snooze, search, undo, palette, leave] = caps.map((cap) =>
      cap
        .split('+')
        .map((key) => CAP_KEYS[key] ?? key)
        .join('+'),
    );
    const rows = page.locator('.demo-row');
    const at = () => page.locator('.demo-row[aria-selected=true]').innerText();
    const press = (key: string | undefined) => page.keyboard.press(key ?? '');
    const said = (words: RegExp) => page.locator('[data-demo-status]').filter({ hasText: words }).waitFor();
    await page.locator('.demo-rows').focus();
    const before = await at();
    await press(down);
    assert.notEqual(await at(), before);
    await press(up);
    assert.equal(await at(), before);
    await press(complete);
    assert.match((await rows.nth(2).getAttribute('class')) ?? '', /done/);
    await press(undo);
    assert.doesNotMatch((await rows.nth(2).getAttribute('class')) ?? '', /done/);

    await press(create);
    await page.keyboard.type('Buy stamps');
    await page.keyboard.press('Escape');
    assert.equal(await rows.count(), 9);
    await press(due);
    await page.keyboard.type('tom');
    await page.keyboard.press('Enter');
    assert.equal(await rows.nth(3).innerText(), 'Buy stamps\nTomorrow');
    await press(snooze);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await said(/Snoozed “Buy stamps” until tomorrow/);
    assert.equal(await rows.count(), 8);
    await press(undo);
    assert.equal(await at(), 'Buy stamps\nTomorrow');

    await press(search);
    await page.keyboard.type('envelopes');
    await expectEventually(() => page.locator('.demo-choice').allInnerTexts(), ['Order envelopes']);
    await page.keyboard.press('Enter');
    assert.equal(await at(), 'Order envelopes');
    await press(palette);
    await page.keyboard.type('snooze');
    await page.keyboard.press('Enter');
    await page.getByRole('combobox', { name: 'Snooze until when?' }).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.demo-picker').count(), 0);
    await press(leave);
    assert.equal(await page.locator('.demo-rows:focus').count(), 0);
  });

  test('says how long each key of the visitor took, and each tap on a phone', async (t) => {
    const page = await visit(t, '/', { viewport: { width: 1_440, height: 900 } });
    const lines = page.locator('[data-demo-times] li');
    assert.equal(await lines.count(), 4);
    assert.match(await page.locator('[data-demo-sum]').innerText(), /our test machine’s medians/);
    await page.locator('.demo-rows').focus();
    for (const key of ['j', 'k', '/', 'o', 'Escape']) await page.keyboard.press(key);
    await expectEventually(() => lines.locator('kbd').allInnerTexts(), ['Esc', 'O', '/', 'K', 'J']);
    for (const words of await lines.allInnerTexts()) assert.match(words, /\d ms$/);
    assert.match(
      await page.locator('[data-demo-sum]').innerText(),
      /^Median of your 5 keys: \d+ ms\. You held each key for \d+ ms\.$/,
    );
    // Tab is never kept: whoever goes through the page by it is not stopped here.
    await page.keyboard.press('Tab');
    assert.equal(await page.locator('.demo-rows:focus').count(), 0);

    const phone = await visit(t, '/', { viewport: { width: 390, height: 844 }, hasTouch: true });
    assert.equal(await phone.locator('.demo-hint').isVisible(), false);
    await phone.locator('.demo-row').nth(2).locator('.demo-box').tap();
    await expectEventually(
      async () => /^Your tap: \d+ ms$/.test(await phone.locator('[data-demo-tap]').innerText()),
      true,
    );
    assert.match((await phone.locator('.demo-row').nth(2).getAttribute('class')) ?? '', /done/);
  });

  test('is no longer than what one reads: on a desktop 4,500 px, on a phone 7,500 px', async (t) => {
    for (const [width, most] of [
      [1_440, 4_500],
      [390, 7_500],
    ] as const) {
      const page = await visit(t, '/', { viewport: { width, height: 900 } });
      const height = await page.evaluate(() => {
        // Without what the server knows of releases, which is as long as they are.
        document.querySelector('.news')?.remove();
        // As high as it is, not as it was thought to be.
        for (const section of document.querySelectorAll<HTMLElement>('main > *'))
          section.style.contentVisibility = 'visible';
        return document.documentElement.scrollHeight;
      });
      assert.ok(height <= most, `${height} px at ${width}`);
    }
  });

  for (const width of [390, 1_440])
    test(`lays out what is far below as one comes near, and moves nothing then (${width} px)`, async (t) => {
      const page = await visit(t, '/', { viewport: { width, height: 900 } });
      const laidOut = (heading: string) =>
        page
          .getByRole('heading', { name: heading })
          .evaluate((each) => each.checkVisibility({ contentVisibilityAuto: true }));
      assert.equal(await laidOut('Script it. Host it.'), false);
      // The browser's own search reads what is not laid out.
      const find = (words: string) =>
        page.evaluate((text) => (window as unknown as { find(text: string): boolean }).find(text), words);
      assert.equal(await find('bearer token'), true);
      await expectEventually(() => laidOut('Script it. Host it.'), true);

      // So does an address that leads into it: its heading is where it leads, and stays there.
      const link = await visit(t, '/#prices', { viewport: { width, height: 900 } });
      const heading = link.getByRole('heading', { name: 'Nothing to buy here.' });
      const top = async () => Math.round((await heading.boundingBox())?.y ?? -1);
      await expectEventually(async () => (await top()) > 0 && (await top()) < 200, true);
      await link.evaluate(() => {
        const seen = { shift: 0 };
        Object.assign(window, { seen });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.shift += (entry as unknown as { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      // Up the page, through all that was never laid out.
      for (let step = 0; step < 60; step += 1) {
        await link.mouse.wheel(0, -300);
        await link.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      }
      await expectEventually(() => link.evaluate(() => scrollY), 0);
      const shift = await link.evaluate(() => (window as unknown as { seen: { shift: number } }).seen.shift);
      assert.equal(shift, 0);
    });
});

// The page of a public list in a browser: looked at without scripts and with them, worked in by keys, followed while others work, cut off
// and connected again, and ended.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { expectEventually } from './harness.ts';
import { Owner } from './list-owner.ts';
import { withSite } from './site-world.ts';

const titles = (page: Page) => page.locator('#tasks .title').allInnerTexts();
const status = (page: Page) => page.locator('#status').innerText();

describe('the page of a public list', () => {
  const site = withSite();

  test('[PUBLIC-26] is worked in by keys, follows the list, says when it is cut off, and ends with its link', async (t) => {
    const owner = new Owner(site());
    await owner.come('ann@example.org', 'Trip');
    await owner.task('Book a train');
    await owner.task('Pack https://example.org/list.');
    const may = { add: true, complete: true, titles: true, notes: true, labels: true };
    const [link] = (await owner.links('POST', { may })).links;
    assert.ok(link?.token);
    const address = `/p/${link.token}`;

    const bare = await site().visit(t, '', { javaScriptEnabled: false });
    const asked: string[] = [];
    bare.on('request', (request) => asked.push(request.resourceType()));
    await bare.goto(site().url + address);
    // Its first answer is enough to show it as it is.
    assert.ok(!asked.includes('stylesheet'));
    const display = (row: Element) => getComputedStyle(row).display;
    assert.equal(await bare.locator('.task').first().evaluate(display), 'grid');
    assert.deepEqual(await titles(bare), ['Book a train', 'Pack https://example.org/list.']);
    await bare.close();

    const page = await site().visit(t, address, { viewport: { width: 360, height: 700 } });
    await page.locator('button.box').first().waitFor();
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await violations(page), []);
    const isWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    assert.equal(await isWide(), false);

    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await expectEventually(() => page.locator('.box').first().getAttribute('aria-checked'), 'true');
    await page.keyboard.press('e');
    await page.keyboard.type(' today');
    await page.keyboard.press('Enter');
    await page.keyboard.press('n');
    await page.keyboard.type('Window seat');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await page.keyboard.type('Reserve a bike');
    await page.keyboard.press('Escape');
    const three = ['Book a train today', 'Reserve a bike', 'Pack https://example.org/list.'];
    await expectEventually(() => titles(page), three);
    await expectEventually(() => status(page), '');
    assert.equal(await page.locator('.notes').innerText(), 'Window seat');
    assert.equal(await page.locator('.title a').getAttribute('href'), 'https://example.org/list');
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('New task below').waitFor();
    await page.keyboard.press('Escape');

    await owner.task('Buy a map');
    await expectEventually(() => titles(page), [...three, 'Buy a map']);

    await page.context().setOffline(true);
    await page.keyboard.press('Space');
    await expectEventually(async () => /One change waits in this page only/.test(await status(page)), true);
    await page.context().setOffline(false);
    await expectEventually(() => status(page), '');

    await page.reload();
    await expectEventually(() => titles(page), [...three, 'Buy a map']);
    assert.deepEqual((await owner.links('GET')).links[0]?.changes, 5);
    await owner.links(`DELETE /${link.id}`);
    await page.getByText('This link was deleted.').waitFor();
    assert.deepEqual(await titles(page), []);
  });
});

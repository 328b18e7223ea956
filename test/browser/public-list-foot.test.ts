// The foot of a public list on a phone: what a visitor adds with covers the rows under it, and never the row of the cursor.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Owner } from './list-owner.ts';
import { withSite } from './site-world.ts';

const TASKS = 40;
const STEPS = 25;

describe('the foot of a public list', () => {
  const site = withSite();

  test('[PUBLIC-121] [PUBLIC-122] covers what is below it, and leaves all of the row where a held key has ended', async (t) => {
    const owner = new Owner(site());
    await owner.come('foot@example.org', 'Trip');
    for (let at = 0; at < TASKS; at += 1) await owner.task(`Task ${at}`);
    const may = { add: true, complete: true, titles: true, notes: true, labels: false };
    const [link] = (await owner.links('POST', { may })).links;
    assert.ok(link?.token);
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const page = await site().visit(t, `/p/${link.token}`, phone);
    await page.locator('button.box').first().waitFor();
    const foot = page.locator('.visitor');
    const bar = await foot.boundingBox();
    const box = await page.locator('.task').first().boundingBox();
    assert.ok(bar !== null && box !== null);
    assert.ok(bar.x <= box.x && bar.x + bar.width >= box.x + box.width, 'it is as wide as the rows');
    for (let step = 0; step < STEPS; step += 1) await page.keyboard.down('ArrowDown');
    await page.keyboard.up('ArrowDown');
    const tools = page.locator('.task:focus .tools');
    await tools.waitFor();
    const [row, below] = [await page.locator('.task:focus').boundingBox(), await foot.boundingBox()];
    assert.ok(row !== null && below !== null);
    assert.ok(
      row.y + row.height <= below.y,
      `the row ends at ${row.y + row.height}, the foot begins at ${below.y}`,
    );
  });
});

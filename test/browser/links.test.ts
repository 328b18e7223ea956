// Links into the app as a browser opens them: places, tasks with all parameters, wrong ones, many at once.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { loadAxe, violations } from './axe.ts';
import {
  addTasks,
  command,
  expectEventually,
  launch,
  openApp,
  outline,
  PASSWORD,
  ready,
  serve,
} from './harness.ts';

const shown = (page: Page) => page.locator('#announce-polite').textContent();

describe('links into the app', () => {
  let browser: Browser;
  before(async () => {
    browser = await launch();
  });
  after(() => browser.close());

  test('[LINK-1] [LINK-2] [LINK-3] open places and add tasks, which undo takes back', async (t) => {
    const { url } = await serve(t);
    const { page } = await openApp(t, browser, url);
    const open = async (link: string) => {
      await page.goto(`${url}/app/open/${link}`);
      await ready(page);
      assert.equal(new URL(page.url()).pathname, '/app', 'a reload does nothing twice');
    };
    const said = (text: string) =>
      expectEventually(() => shown(page).then((found) => (found ?? '').trim()), text);
    await addTasks(page, ['First']);
    await page.locator('[data-ph=sync]').filter({ hasText: 'Only on this device' }).waitFor();
    await open('create-folder?name=Home');
    await said('Created the folder ‘Home’.');
    await open('create-list/path/Home?name=Garden');
    await said('Created the list ‘Garden’.');
    await open('lists/path/Home/Garden');
    await page.getByRole('heading', { name: 'Garden' }).waitFor();
    await open(
      'quick-entry/path/Home/Garden?title=Cut%20the%20hedge&notes=Not%20before%20noon&durationMinutes=45&dueAtQuery=tomorrow&label=None&shouldSelectItem=true',
    );
    await said('Added ‘Cut the hedge’ to Garden. There is no label ‘None’.');
    await expectEventually(() => outline(page), ['- Cut the hedge']);
    await page.getByText('45 min').first().waitFor();
    await page.keyboard.press('Control+z');
    await expectEventually(() => outline(page), []);

    await open('quick-entry?title=Water&dueAtQuery=whenever');
    await said('‘whenever’ is not understood as a date.');
    await expectEventually(() => page.locator('dialog textarea, dialog input').first().inputValue(), 'Water');
    await page.keyboard.press('Escape');
    await open('purchase');
    await said('There is nothing to buy in this version: everything works without.');
    await page.goto(`${url}/app?open=purchase`);
    await ready(page);
    assert.equal(page.url(), `${url}/app`);
    await said('There is nothing to buy in this version: everything works without.');
    await open('lists/path/Nowhere');
    await said('There is no list ‘Nowhere’.');
  });

  test('[LINK-8] [PROMO-3] a promo code waits for an account, and is redeemed by a key', async (t) => {
    const server = await serve(t);
    const terms = { discountPercentage: 25, discountMonths: 12, commissionPercentage: 30 };
    await server.services.desk.promoCodes.create('HARBOUR', 'The Harbour', terms);
    const { page } = await openApp(t, browser, server.url);
    await page.goto(`${server.url}/app/open/enter-promo-code/HARBOUR`);
    await ready(page);
    await page.getByLabel('Email').fill('redeemer@example.org');
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await expectEventually(() => page.getByLabel('Promo code').inputValue(), 'HARBOUR');
    await page.getByText('Nothing is charged').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: '25% off your first 12 months' }).waitFor();
    await page.getByText('Nothing is charged').waitFor();
    await loadAxe(page);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Enter');
    await page.goto(`${server.url}/app?open=purchase`);
    await ready(page);
    await page.getByText('You redeemed HARBOUR, from The Harbour').waitFor();
  });

  test('[LINK-6] [LINK-7] many at once are asked about, and the selection stays private until allowed', async (t) => {
    const { url } = await serve(t);
    const { page } = await openApp(t, browser, url);
    const follow = async (link: string) => {
      await page.goto(`${url}/app/open/${link}`);
      await ready(page);
      await expectEventually(
        async () => ((await shown(page)) ?? '') !== '' || (await page.locator('dialog').count()) > 0,
        true,
      );
    };
    const times = Array.from({ length: 10 }, () => Date.now()).join(' ');
    await page.evaluate((made) => localStorage.setItem('posthaste.preference.links.made', made), times);
    await follow('quick-entry?title=One%20more');
    await page.getByText('A link wants to add the task ‘One more’.').waitFor();
    assert.deepEqual(await outline(page), []);
    await page.getByRole('button', { name: 'Add it' }).press('Enter');
    await expectEventually(() => outline(page), ['- One more']);

    await follow('get-selected-tasks');
    await expectEventually(
      async () => (await shown(page))?.includes('Settings, Behavior can allow that.') ?? false,
      true,
    );
    await command(page, 'links may ask which tasks are selected');
    const saving = page.waitForEvent('download');
    await page.goto(`${url}/app/open/get-selected-tasks`);
    const saved = JSON.parse(await readFile(await (await saving).path(), 'utf8')) as {
      readonly selected_task_ids: readonly string[];
      readonly list_id: string | null;
    };
    // A page that was just opened may have no cursor yet; where it is, it knows.
    assert.ok(Array.isArray(saved.selected_task_ids));
    assert.notEqual(saved.list_id, null);
  });
});

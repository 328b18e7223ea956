// Links into the app as a browser opens them: places, tasks with all parameters, wrong ones, many at once.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test, type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { readSelected } from '#client/links/selected.ts';
import { loadAxe, violations } from '../../scripts/axe.ts';
import {
  addTasks,
  command,
  expectEventually,
  installed,
  openApp,
  outline,
  PASSWORD,
  ready,
  serve,
  serveElsewhere,
  withBrowser,
} from './harness.ts';

const shown = (page: Page) => page.locator('#announce-polite').textContent();

describe('links into the app', () => {
  const browser = withBrowser();

  test('[LINK-1] [LINK-2] [LINK-3] open places and add tasks, which undo takes back', async (t) => {
    const { url } = await serve(t);
    const { page } = await openApp(t, browser(), url);
    const open = async (link: string) => {
      await page.goto(`${url}/app/open/${link}`);
      await ready(page);
      // A reload does nothing twice.
      await expectEventually(async () => new URL(page.url()).pathname, '/app/');
    };
    const said = (text: string) =>
      expectEventually(() => shown(page).then((found) => (found ?? '').trim()), text);
    await addTasks(page, ['First']);
    await open('create-folder?name=Home');
    await said('Created the folder ‘Home’.');
    await open('create-list/path/Home?name=Garden');
    await said('Created the list ‘Garden’.');
    await open('lists/path/Home/Garden');
    await page.getByRole('heading', { name: 'Garden' }).waitFor();
    await open(
      'quick-entry/path/Home/Garden?title=Cut%20the%20hedge&notes=Not%20before%20noon&durationMinutes=45&dueAtQuery=tomorrow&shouldSelectItem=true',
    );
    await said('Added ‘Cut the hedge’ to Garden.');
    await expectEventually(() => outline(page), ['- Cut the hedge']);
    await page.getByText('45 min').first().waitFor();
    await page.keyboard.press('Control+z');
    await expectEventually(() => outline(page), []);

    const reason = page.locator('[data-ph=entry-reason]');
    const line = page.locator('#quick-entry-line');
    // Six loads: which of its parts comes first differs.
    for (let load = 0; load < 6; load += 1) {
      await open('quick-entry/path/Home/Garden?title=Water&durationMinutes=45&dueAtQuery=whenever');
      await expectEventually(() => line.inputValue(), 'Water');
      assert.equal(await reason.innerText(), '‘whenever’ isn’t a date.');
      await page.locator('[data-ph=token]').filter({ hasText: '45 min' }).waitFor();
      await page.locator('dialog').getByRole('button', { name: 'List: Garden' }).waitFor();
      assert.deepEqual(await outline(page), [], 'nothing was added');
    }
    // It stays while it is put right.
    await page.keyboard.press('End');
    await page.keyboard.type(' the roses');
    await reason.getByText('‘whenever’ isn’t a date').waitFor();
    await page.keyboard.press('Enter');
    await said('Added ‘Water the roses’, takes 45 min to Garden.');
    await open('quick-entry?title=Prune&label=None');
    await expectEventually(() => line.inputValue(), 'Prune');
    assert.equal(await reason.innerText(), 'There’s no label ‘None’.');
    await page.keyboard.press('Escape');
    await open('purchase');
    await said('There’s nothing to pay on this server. Everything works without a subscription.');
    await page.goto(`${url}/app?open=purchase`);
    await ready(page);
    await expectEventually(async () => page.url(), `${url}/app/`);
    await said('There’s nothing to pay on this server. Everything works without a subscription.');
    await open('lists/path/Nowhere');
    await said('There’s no list ‘Nowhere’.');
  });

  test('[LINK-8] [PROMO-3] a promo code waits for an account, and is redeemed by a key', async (t) => {
    const server = await serve(t);
    const terms = { discountPercentage: 25, discountMonths: 12, commissionPercentage: 30 };
    await server.services.desk.promoCodes.create('HARBOUR', 'The Harbour', terms);
    const { page } = await openApp(t, browser(), server.url);
    await page.goto(`${server.url}/app/open/enter-promo-code/HARBOUR`);
    await ready(page);
    const offer = 'Promo code HARBOUR: 25% off your first 12 months, from The Harbour.';
    await page.getByText(offer).waitFor();
    // Also after a try that was not taken.
    await page.getByLabel('Email').fill('redeemer');
    await page.keyboard.press('Enter');
    await page.getByText('That doesn’t look like an email address.').waitFor();
    await page.getByText(offer).waitFor();
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

  test('[LINK-8] a promo code that is none is said to be none, and does not wait', async (t) => {
    const { url } = await serve(t);
    const { page } = await openApp(t, browser(), url);
    await page.goto(`${url}/app/open/enter-promo-code/NOWHERE`);
    await ready(page);
    const dialog = page.locator('dialog[open]');
    await dialog.getByText('There’s no promo code ‘NOWHERE’, or it has expired.').first().waitFor();
    await expectEventually(() => page.getByText('Promo code NOWHERE').count(), 0);
  });

  test('[LINK-6] [LINK-7] many at once are asked about, and the selection stays private until allowed', async (t) => {
    const { url } = await serve(t);
    const { page } = await openApp(t, browser(), url);
    const follow = async (link: string) => {
      await page.goto(`${url}/app/open/${link}`);
      await ready(page);
      await expectEventually(
        async () => ((await shown(page)) ?? '') !== '' || (await page.locator('dialog').count()) > 0,
        true,
      );
    };
    // Time stands still: however slowly the app opens, they were made in this moment.
    const now = Date.now();
    await page.clock.setFixedTime(now);
    const times = Array.from({ length: 10 }, () => now).join(' ');
    await page.evaluate((made) => localStorage.setItem('posthaste.preference.links.made', made), times);
    await follow('quick-entry?title=One%20more');
    await page.getByText('A link wants to add the task ‘One more’.').waitFor();
    assert.deepEqual(await outline(page), []);
    await page.getByRole('button', { name: 'Add it' }).press('Enter');
    await expectEventually(() => outline(page), ['- One more']);
    await page.locator('dialog').waitFor({ state: 'detached' });

    await follow('get-selected-tasks');
    await expectEventually(
      async () => (await shown(page))?.includes('To allow that, go to Settings, Behavior.') ?? false,
      true,
    );
    await command(page, 'let links see which tasks are selected');
    const saving = page.waitForEvent('download');
    // A file that is saved before the page is loaded ends the waiting for that.
    await page.goto(`${url}/app/open/get-selected-tasks`, { waitUntil: 'commit' });
    const saved = JSON.parse(await readFile(await (await saving).path(), 'utf8')) as {
      readonly selected_task_ids: readonly string[];
      readonly list_id: string | null;
    };
    // A page that was just opened may have no cursor yet; where it is, it knows.
    assert.ok(Array.isArray(saved.selected_task_ids));
    assert.notEqual(saved.list_id, null);
  });

  test('[LINK-7] [LINK-9] a tab opened by a link tells what was selected in the window that was left', async (t) => {
    const { url } = await serve(t);
    const { context, page } = await openApp(t, browser(), url);
    await addTasks(page, ['First', 'Second']);
    await command(page, 'let links see which tasks are selected');
    await page.keyboard.press('Shift+ArrowUp');
    await page.locator('[data-row][aria-selected=true]').nth(1).waitFor();
    const ids = await page
      .locator('[data-row]')
      .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset['row'] ?? ''));
    // A browser without windows of its own never takes the focus away.
    await page.evaluate(() => window.dispatchEvent(new Event('blur')));
    const tab = await context.newPage();
    const saving = tab.waitForEvent('download');
    await tab.goto(`${url}/app/open/get-selected-tasks`, { waitUntil: 'commit' });
    const text = await readFile(await (await saving).path(), 'utf8');
    assert.deepEqual(readSelected(text)?.selected_task_ids, ids);

    await tab.goto(`${url}/app/open/tasks/id/${ids[1]}`);
    await ready(tab);
    await tab.locator('[data-row][data-ph-cursor]').filter({ hasText: 'Second' }).waitFor();
    await tab.goto(`${url}/app/open/tasks/id/0190f5a2-7c1e-7d3a-9b21-5f0c8e4d1a77`);
    await expectEventually(
      () => shown(tab).then((found) => (found ?? '').trim()),
      'That task doesn’t exist.',
    );
  });

  test('[LINK-10] a page that is not the app’s does nothing by links but what they may do', async (t) => {
    const { url } = await serve(t);
    const hostile = await serveHostile(t, `${url}/app/open`);
    const { context, page } = await openApp(t, browser(), url, { expected: /frame|Framing|CORS|ERR_/i });
    await addTasks(page, ['Mine']);
    await page.locator('[data-ph=sync]').filter({ hasText: 'Only on this device' }).waitFor();
    const downloads: string[] = [];
    context.on('page', (each) => each.on('download', (file) => downloads.push(file.suggestedFilename())));
    const attacker = await context.newPage();
    await attacker.goto(hostile);
    await attacker.waitForFunction(() => document.title === 'tried everything');
    const framed = attacker.frames().map((frame) => frame.url());
    assert.deepEqual(
      framed.filter((address) => address.startsWith(url)),
      [],
      'the app stands in no frame',
    );
    const lists = () => page.locator('[data-ph=sidebar] [role=treeitem]').allTextContents();
    const before_ = await lists();
    await page.reload();
    await ready(page);
    // Frames, images and requests add nothing.
    await expectEventually(() => outline(page), ['- Mine']);
    await expectEventually(lists, before_);

    // What it can do is lead somebody to a link: these are told what is missing, or asked.
    for (const link of [
      'run-macro/id/0190f5a2-7c1e-7d3a-9b21-5f0c8e4d1a77?x=1',
      'accept-list-invite/abc',
      'get-selected-tasks',
    ]) {
      const opened = await context.newPage();
      await opened.goto(`${hostile}?go=${encodeURIComponent(link)}`);
      await opened.waitForURL(`${url}/app/`);
      await ready(opened);
      await expectEventually(
        async () => ((await shown(opened)) ?? '') !== '' || (await opened.locator('dialog').count()) > 0,
        true,
      );
      await expectEventually(() => outline(opened), ['- Mine']);
      await opened.close();
    }
    assert.deepEqual(downloads, []);
    const markup = '<img src=x onerror="document.title=1"><b>bold</b>';
    const opened = await context.newPage();
    await opened.goto(
      `${hostile}?go=${encodeURIComponent(`quick-entry?title=${encodeURIComponent(markup)}&notes=${encodeURIComponent('[x](javascript:alert(1))')}`)}`,
    );
    // A link of another website adds nothing by itself.
    const agree = opened.getByRole('button', { name: 'Add it' });
    await agree.waitFor();
    assert.deepEqual(await outline(opened), ['- Mine']);
    await agree.click();
    await expectEventually(() => outline(opened), ['- Mine', `- ${markup}`]);
    assert.notEqual(await opened.title(), '1');
    await opened.keyboard.press('Control+z');
    await expectEventually(() => outline(opened), ['- Mine']);
  });
});

/** A page of another site that tries every way to reach a link without anybody pressing anything. */
async function serveHostile(t: TestContext, base: string): Promise<string> {
  const links = ['create-list?name=Hostile', 'quick-entry?title=Hostile', 'get-selected-tasks'].map(
    (link) => `${base}/${link}`,
  );
  const body = `<!doctype html><title>trying</title><script>
    const go = new URLSearchParams(location.search).get('go');
    if (go !== null) location.href = ${JSON.stringify(`${base}/`)} + go;
    else {
      const done = (element) => new Promise((end) => { element.onload = element.onerror = end; document.body.append(element); });
      const tries = ${JSON.stringify(links)}.flatMap((link) => {
        const frame = Object.assign(document.createElement('iframe'), { src: link });
        const boxed = Object.assign(document.createElement('iframe'), { src: link, sandbox: 'allow-scripts' });
        const image = Object.assign(new Image(), { src: link });
        const form = Object.assign(document.createElement('form'), { action: link, method: 'post', target: 'hole' });
        const hole = Object.assign(document.createElement('iframe'), { name: 'hole' });
        document.body.append(hole, form);
        form.submit();
        return [
          done(frame), done(boxed), done(image),
          fetch(link, { mode: 'no-cors', credentials: 'include' }).catch(() => null),
          fetch(link, { method: 'POST', mode: 'no-cors', body: 'x' }).catch(() => null),
        ];
      });
      Promise.all(tries).then(() => (document.title = 'tried everything'));
    }
  </script>`;
  const page = body.replace('<script>', '<body><script>');
  const url = await serveElsewhere(t, (_, response) =>
    response.setHeader('content-type', 'text/html').end(page),
  );
  return `${url}/`;
}

for (const hasWorkers of [false, true]) {
  const how = hasWorkers ? 'with the worker of the app' : 'from the server';
  describe(`links of other websites, ${how}`, () => {
    const browser = withBrowser({ hasWorkers });

    test(`[LINK-11] what a link of another website would add is asked about, ${how}`, async (t) => {
      const { url } = await serve(t);
      const { page } = await openApp(t, browser(), url);
      if (hasWorkers) await installed(page);
      const task = `${url}/app/open/quick-entry?title=Unasked`;
      const list = `${url}/app/open/create-list?name=Unasked`;
      const other = await serveElsewhere(t, (_request, response) => {
        response.setHeader('content-type', 'text/html');
        response.end(
          `<a id="silent" rel="noreferrer" href="${task}">x</a> <a id="plain" href="${list}">x</a>`,
        );
      });
      const follow = async (id: string, question: string) => {
        await page.goto(other);
        await page.locator(id).click();
        await page.getByText(`${question} The link is on another website.`).waitFor();
      };
      // Also where that site withholds where it led from.
      await follow('#silent', 'A link wants to add the task ‘Unasked’.');
      assert.deepEqual(await outline(page), []);
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await follow('#plain', 'A link wants to make the list ‘Unasked’.');
      await page.getByRole('button', { name: 'Add it' }).click();
      await page.getByRole('treeitem', { name: 'Unasked' }).waitFor();
      assert.deepEqual(await outline(page), []);
      // Typed, bookmarked, or on the app's own site: at once.
      await page.goto(`${url}/app/open/quick-entry?title=Typed`);
      await expectEventually(() => outline(page), ['- Typed']);
      await page.evaluate(() => {
        location.href = '/app/open/quick-entry?title=Own';
      });
      await page.locator('[data-row]').filter({ hasText: 'Own' }).waitFor();
      await expectEventually(() => outline(page), ['- Typed', '- Own']);
    });
  });
}

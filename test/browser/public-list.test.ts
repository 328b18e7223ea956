// The page of a public list in a browser: looked at without scripts and with them, worked in by keys, followed while others work, cut off
// and connected again, and ended.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { inboxId, listsRoot, type Id } from '#core/ids.ts';
import type { PublicLinks } from '#wire/public-links.ts';
import { protocolVersion } from '#wire/version.ts';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { expectEventually, PASSWORD } from './harness.ts';
import { withSite, type Site } from './site-world.ts';

const newId = () => crypto.randomUUID() as Id;

/** A person with a list, by plain calls. */
class Owner {
  readonly #site: Site;
  readonly list = newId();
  #cookie = '';
  #personal = '' as Id;
  #scope: Id | null = null;
  #seq = 0;
  readonly #device = newId();

  constructor(site: Site) {
    this.#site = site;
  }

  async #call(method: string, path: string, body?: unknown): Promise<unknown> {
    const { url } = this.#site;
    const headers = { origin: url, cookie: this.#cookie, 'content-type': 'application/json' };
    const answer = await fetch(`${url}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    this.#cookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? this.#cookie;
    const text = await answer.text();
    assert.equal(answer.status, 200, `${path}: ${text}`);
    return JSON.parse(text);
  }

  async act(...actions: readonly Record<string, unknown>[]): Promise<void> {
    const now = Date.now();
    const scope = this.#scope ?? this.#personal;
    const ops = actions.map((action) => ({
      q: (this.#seq += 1),
      u: newId(),
      scope,
      t: now,
      b: 0,
      ...action,
    }));
    const head = { schema: protocolVersion, device: this.#device, clientNow: now, ack: 0, cursors: {} };
    const { results } = (await this.#call('POST', '/sync/v1', { ...head, ops })) as {
      results: [number, string][];
    };
    assert.ok(
      results.every(([, verdict]) => verdict === 'ok'),
      JSON.stringify(results),
    );
  }

  task(title: string): Promise<void> {
    const fields = { title };
    return this.act({ a: 'create', id: newId(), type: 'task', fields, place: { parent: this.list } });
  }

  /** Comes, makes the list, and resolves with a call about its links. */
  async come(email: string, name: string) {
    const account = (await this.#call('POST', '/app/api/sign_up', { email, password: PASSWORD })) as {
      readonly personalScope: Id;
    };
    this.#personal = account.personalScope;
    const place = { parent: listsRoot(this.#personal) };
    await this.act(
      { a: 'create', id: inboxId(this.#personal), type: 'list', fields: { listType: 'inbox' }, place },
      { a: 'create', id: this.list, type: 'list', fields: { listType: 'list', name }, place },
    );
    await this.#site.server.database.db.updateTable('account').set({ verified_at: 1 }).execute();
  }

  async links(call: string, body?: unknown): Promise<PublicLinks> {
    const [method = 'GET', rest = ''] = call.split(' ');
    const path = `/app/api/sharing/lists/${this.list}/links${rest}`;
    const answer = (await this.#call(method, path, body)) as PublicLinks;
    this.#scope = answer.scope;
    return answer;
  }
}

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

    const bare = await site().visit(t, address, { javaScriptEnabled: false });
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
    await page.keyboard.press('Enter');
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

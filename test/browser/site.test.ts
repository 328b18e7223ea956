// The public site in a real browser: every page for accessibility in both colours, the forms and hydrated pages while the
// server fails in each way, hostile links, and everything again without scripts.
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { endpoints } from '#wire/api/endpoints.ts';
import { taskSchema } from '#wire/api/objects.ts';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { expectEventually } from './harness.ts';
import { alive, FAILURES, scripted, shows, type Site, SITE, textOf, withSite } from './site-world.ts';

const FAILED = 'Something went wrong, try again!';
const LANES = 3;

/** To these pages scripts add something: they are opened. The others are what the server sent. */
const ADDED_TO =
  /^\/(?:guides|guides\/(?:api|hotkeys|affiliates)|changelog|newsletter|contact|a|invite|reset-password|nothing.*)?$/;

/** Puts another page of the site in the place of the one that is open: the styles are the same for all of them. */
async function takeIn(page: Page, path: string): Promise<void> {
  await page.evaluate(async (address) => {
    const request = new XMLHttpRequest();
    request.responseType = 'document';
    request.open('GET', address);
    const loaded = new Promise((resolve) => request.addEventListener('load', resolve));
    request.send();
    await loaded;
    const next = request.responseXML;
    if (request.status !== 200 || !next) throw new Error(`${address} was answered with ${request.status}`);
    document.title = next.title;
    document.body.replaceWith(document.adoptNode(next.body));
    scrollTo(0, 0);
  }, path);
}

/** Moves of a part of the window by a part of its size, multiplied: a word by three pixels is less. */
const UNSEEN = 0.0001;

interface Shift {
  readonly value: number;
  readonly sources: readonly {
    readonly node: Node | null;
    readonly previousRect: DOMRectReadOnly;
    readonly currentRect: DOMRectReadOnly;
  }[];
}

const base64 = (text: string) => Buffer.from(text, 'utf8').toString('base64');

describe('the public site', () => {
  const site = withSite();
  const visit: Site['visit'] = (...at) => site().visit(...at);
  const url = () => site().url;

  test('has no accessibility fault on any route, in light and in dark', async (t) => {
    const { pages } = JSON.parse(await readFile(join(SITE, 'site.json'), 'utf8')) as {
      pages: Record<string, { outcomes: Record<string, string> }>;
    };
    // A partner’s page has no address without its secret: the journey of plans looks at it.
    const known = Object.entries(pages).filter(([path]) => path !== '/partner');
    const paths = known.flatMap(([path, { outcomes }]) => [
      path === '/404' ? '/nothing/here' : path,
      ...Object.keys(outcomes).map((outcome) => `${path}?outcome=${outcome}`),
    ]);
    const found: string[] = [];
    async function look(page: Page, path: string): Promise<void> {
      // Guides differ in their words, not in their colours; and all of them on one page were looked at one by one.
      const isGuideLikeOthers = /^\/(?:guides\/(?!hotkeys|api|affiliates|labels)|all-guides)/.test(path);
      const without = [
        ...(isGuideLikeOthers ? ['color-contrast'] : []),
        ...(path === '/all-guides' ? ['target-size'] : []),
      ];
      await page.emulateMedia({ colorScheme: 'light' });
      for (const violation of await violations(page, { without })) found.push(`${path}: ${violation}`);
      if (isGuideLikeOthers) return;
      await page.emulateMedia({ colorScheme: 'dark' });
      for (const violation of await violations(page, { only: ['color-contrast'] }))
        found.push(`${path} (dark): ${violation}`);
    }
    async function work(): Promise<void> {
      const page = await visit(t, '', { extraHTTPHeaders: { 'sec-gpc': '1' } });
      let isAtHome = false;
      for (let path = paths.shift(); path !== undefined; path = paths.shift()) {
        const isTakenIn = isAtHome && !ADDED_TO.test(path);
        if (isTakenIn) await takeIn(page, path);
        else {
          await page.goto(url() + path);
          await loadAxe(page);
        }
        isAtHome = true;
        await look(page, path);
      }
    }
    await Promise.all(Array.from({ length: LANES }, work));
    assert.deepEqual(found, []);
  });

  for (const [device, options] of [
    ['a computer', {}],
    ['a tall phone', { viewport: { width: 390, height: 1_200 }, hasTouch: true, isMobile: true }],
  ] as const)
    test(`does not move on ${device} while it loads, and never shows the wrong colours`, async (t) => {
      const page = await visit(t, '', { colorScheme: 'light', ...options });
      await page.addInitScript((unseen) => {
        localStorage.setItem('posthaste.preference.theme', 'dark');
        const seen = { shifts: [] as string[], scheme: '' };
        Object.assign(globalThis, { seen });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries() as unknown as readonly Shift[])
            for (const { node, previousRect, currentRect } of entry.value < unseen ? [] : entry.sources)
              seen.shifts.push(
                [node?.nodeName, node?.textContent, previousRect, currentRect]
                  .map((part) => JSON.stringify(part))
                  .join(' '),
              );
        }).observe({ type: 'layout-shift', buffered: true });
        document.addEventListener('readystatechange', () => {
          if (seen.scheme === '') seen.scheme = document.documentElement.dataset['phTheme'] ?? 'none';
        });
      }, UNSEEN);
      for (const path of ['/', '/pricing', '/guides', '/guides/hotkeys', '/guides/api', '/changelog']) {
        await page.goto(url() + path, { waitUntil: 'networkidle' });
        const seen = await page.evaluate(() => (globalThis as unknown as { seen: unknown }).seen);
        assert.deepEqual(seen, { shifts: [], scheme: 'dark' }, path);
      }
    });

  test('leads old addresses on, and says what is not there', async (t) => {
    const page = await visit(t, '/guides#labels');
    await page.waitForURL(`${url()}/guides/labels`);
    await page.goto(`${url()}/guides/hotkey-reference`);
    await page.waitForURL(`${url()}/guides/hotkeys`);
    await page.goto(`${url()}/guides/no-such-guide`);
    await page.waitForURL(`${url()}/guides`);
    const answer = await page.goto(`${url()}/nothing/here`);
    assert.equal(answer?.status(), 404);
    assert.equal(await textOf(page, 'h1'), 'Page not found');
    await page.locator('main a[href="/contact"]').waitFor();
    await page.locator('main a[href="/"]').waitFor();
  });

  test('gives from what it keeps the same answer as at first', async () => {
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const response = await fetch(url() + path, { headers });
      const { date: _date, 'x-request-id': id, ...rest } = Object.fromEntries(response.headers);
      return { status: response.status, id, rest, body: await response.text() };
    };
    for (const path of ['/', '/guides/api', '/changelog', '/guides/api.md', '/robots.txt']) {
      const [first, ...others] = [await ask(path), await ask(path), await ask(path)];
      assert.equal(first?.status, 200, path);
      for (const other of others) {
        assert.deepEqual([other.rest, other.body], [first?.rest, first?.body], path);
        assert.notEqual(other.id, first?.id);
      }
      const again = await ask(path, { 'if-none-match': first?.rest['etag'] ?? '' });
      assert.deepEqual([again.status, again.body], [304, ''], path);
    }
    const plain = await ask('/', { 'accept-encoding': 'identity' });
    assert.equal(plain.rest['content-encoding'], undefined);
    assert.equal((await ask('/nothing/here')).status, 404);
    assert.equal((await fetch(url(), { method: 'HEAD' })).status, 200);
  });

  test('shows every call of the API with every field, where links to it lead', async () => {
    const html = await (await fetch(`${url()}/api-reference`)).text();
    const ids = new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const name of Object.keys(endpoints)) assert.ok(ids.has(name), name);
    for (const [, target = ''] of html.matchAll(/href="#([^"]+)"/g)) assert.ok(ids.has(target), target);
    for (const field of Object.keys(taskSchema.def.shape))
      assert.ok(html.includes(`<code>${field}</code>`), field);
  });

  test('finds guides by their words', async (t) => {
    const page = await visit(t, '/guides');
    await page.keyboard.press('/');
    await page.keyboard.type('chord');
    await page.locator('#guide-results [aria-selected=true]').filter({ hasText: 'Chords' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(`${url()}/guides/hotkeys#chords`);
    await page.goto(`${url()}/guides?q=recurring+tasks`);
    await page.locator('#guide-results [aria-selected=true]').filter({ hasText: 'Repeating' }).waitFor();
  });

  test('remembers who sent the visitor, once, and not for those who do not want it', async (t) => {
    const page = await visit(t, '');
    const sent: unknown[] = [];
    await page.route('**/api/landing/*', (route) => {
      sent.push(route.request().postDataJSON());
      return route.fulfill({ status: 204 });
    });
    await page.goto(`${url()}/pricing?ref=lighthouse&x=1`);
    await expectEventually(() => Promise.resolve(sent.length), 1);
    await expectEventually(async () => page.url(), `${url()}/pricing?x=1`);
    // The answer is noted before the next page asks.
    await page.waitForFunction(() => localStorage.getItem('posthaste.visited') === '1');
    await page.goto(`${url()}/`);
    await expectEventually(() => Promise.resolve(sent.length), 2);
    assert.deepEqual(sent, [
      { ref: 'lighthouse', is_first: true },
      { ref: 'lighthouse', is_first: false },
    ]);
    const [cookie] = await page.context().cookies();
    assert.deepEqual(
      [cookie?.name, cookie?.value, cookie?.path, cookie?.httpOnly],
      ['__posthaste-ref', 'lighthouse', '/', false],
    );
    assert.equal(Math.round(((cookie?.expires ?? 0) - Date.now() / 1_000) / 86_400), 60);
    await page.evaluate(() => document.addEventListener('click', (event) => event.preventDefault()));
    await page.locator('.bar-download').click();
    await expectEventually(() => Promise.resolve(JSON.stringify(sent.at(-1))), '{"ref":"lighthouse"}');
    await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
    await page.goto(`${url()}/?ref=quiet`, { waitUntil: 'networkidle' });
    await scripted(page);
    assert.equal(sent.length, 3);
    await expectEventually(async () => page.url(), `${url()}/`);
  });

  describe('an invitation', () => {
    test('says who invites, what it is worth, and how to use it; names are text', async (t) => {
      const page = await visit(t, '/a/GOOD');
      const title = 'Mark <img src=x onerror=alert(1)> & Co has invited you to use Posthaste';
      await expectEventually(() => page.title(), title);
      await expectEventually(() => textOf(page, 'h1'), title);
      await shows(page, 'You get 25% off your first 12 months.');
      await shows(page, 'Steps to get your 25% discount');
      assert.equal(await page.locator('.numbered li').count(), 3);
      assert.equal(await page.locator('main img').count(), 0);
      const link = page.getByRole('link', { name: 'Click here' });
      assert.equal(await link.getAttribute('href'), 'web+posthaste:enter-promo-code/GOOD');
      assert.equal(await page.getByRole('link', { name: 'Learn more' }).getAttribute('target'), '_blank');
      await page.evaluate(() => window.dispatchEvent(new Event('pagehide')));
      assert.equal(await page.title(), 'Posthaste');
    });

    for (const [failure, answer] of Object.entries(FAILURES))
      test(`that meets ${failure} says so`, async (t) => {
        const page = await visit(t, '');
        await page.route('**/api/affiliate_promo_codes/*', answer);
        await page.goto(`${url()}/a/GOOD`);
        await expectEventually(() => textOf(page, 'h1'), 'Something went wrong');
        assert.match(await textOf(page, '#island'), /Try refreshing the page, or contact us for help\./);
        await expectEventually(() => page.title(), 'Invitation to use Posthaste');
        await page.locator('#island a[href="/contact"]').waitFor();
      });

    test('with a code that is none says so', async (t) => {
      const page = await visit(t, '');
      for (const code of [
        'UNKNOWN',
        '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
        '..%2F..%2Fapp_releases',
        '%',
        '',
      ]) {
        await page.goto(`${url()}/a/${code}`);
        await expectEventually(() => textOf(page, 'h1'), 'Something went wrong');
      }
    });
  });

  describe('an invitation to a list', () => {
    const payload = {
      list_name: '„Größe“ <b>bold</b>',
      inviting_user_avatar_initials: 'ÅB',
      inviting_user_avatar_color_hex_string: '#0090a8',
    };
    const INVALID = 'Invalid invitation link';

    test('of the second version is read from the link as UTF-8', async (t) => {
      const page = await visit(t, `/invite?v=2&token=${encodeURIComponent(base64(JSON.stringify(payload)))}`);
      await expectEventually(() => textOf(page, 'h1'), `You’re invited to “${payload.list_name}”`);
      assert.equal(await page.locator('#island svg text').textContent(), 'ÅB');
      assert.equal(await page.locator('#island svg circle').getAttribute('fill'), '#0090a8');
    });

    test('without a version is plain base64, and hostile payloads are nothing or text', async (t) => {
      const page = await visit(t, '');
      const plain = { ...payload, list_name: 'Plain', inviting_user_avatar_initials: 'P' };
      await page.goto(`${url()}/invite?token=${encodeURIComponent(base64(JSON.stringify(plain)))}`);
      await expectEventually(() => textOf(page, 'h1'), 'You’re invited to “Plain”');
      const hostile = [
        '',
        '%%%',
        base64('{"list_name":"x"}'),
        base64('[]'),
        base64('null'),
        base64(
          '{"__proto__":{"list_name":"x","inviting_user_avatar_initials":"x","inviting_user_avatar_color_hex_string":"x"}}',
        ),
        base64(JSON.stringify({ ...payload, list_name: 7 })),
        Buffer.from([0xff, 0xfe, 0x00]).toString('base64'),
        'A'.repeat(4_000),
      ];
      for (const token of hostile) {
        await page.goto(`${url()}/invite?v=2&token=${encodeURIComponent(token)}`);
        await expectEventually(() => textOf(page, 'h1'), INVALID);
      }
      await shows(page, 'Ask the sender for a new link or reach out to us for help.');
      const style = { ...plain, inviting_user_avatar_color_hex_string: 'red;background:url(//evil.example)' };
      await page.goto(`${url()}/invite?v=1&token=${encodeURIComponent(base64(JSON.stringify(style)))}`);
      await expectEventually(() => textOf(page, 'h1'), 'You’re invited to “Plain”');
      assert.equal(await page.locator('#island svg circle').getAttribute('fill'), '#505763');
      // Endless, and turning what follows round.
      await page.setViewportSize({ width: 360, height: 740 });
      const long = { ...plain, list_name: `\u202E${'a'.repeat(2_000)}` };
      await page.goto(`${url()}/invite?v=2&token=${encodeURIComponent(base64(JSON.stringify(long)))}`);
      await expectEventually(() => textOf(page, 'h1 bdi'), long.list_name);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
    });

    test('of the third version is asked for after two seconds; whatever fails, it is invalid', async (t) => {
      const page = await visit(t, '');
      let askedAt = 0;
      let answer: (route: Route) => Promise<void> = (route) => route.fulfill({ json: payload });
      await page.route('**/api/list_invitations/*', (route) => {
        askedAt = performance.now();
        return answer(route);
      });
      const beganAt = performance.now();
      await page.goto(`${url()}/invite?v=3&token=abc`);
      await page.locator('#island [aria-busy=true]').waitFor();
      await expectEventually(() => textOf(page, 'h1'), `You’re invited to “${payload.list_name}”`);
      assert.ok(askedAt - beganAt >= 2_000);
      // From here on the page's clock is ours: the two seconds need not be waited for.
      await page.clock.install();
      for (answer of Object.values(FAILURES)) {
        await page.goto(`${url()}/invite?v=3&token=abc`);
        await alive(page);
        await page.clock.fastForward(2_100);
        await expectEventually(() => textOf(page, 'h1'), INVALID);
      }
    });
  });

  describe('the forms', () => {
    test('of the newsletter and the affiliates take what the server took for success, whatever it answers, and a refusal or a cut for failure', async (t) => {
      const page = await visit(t, '/newsletter');
      const button = page.locator('form button');
      await page.locator('input[type=email]').fill('   ');
      await page.keyboard.press('Enter');
      await shows(page, 'Enter an email');
      await expectEventually(() => page.locator('input[type=email]').getAttribute('aria-invalid'), 'true');
      await page.locator('input[type=email]').fill('reader@example.org');
      for (const failure of ['a cut connection', 'an error of the server'] as const) {
        await page.route('**/api/newsletter_signups', FAILURES[failure]);
        const asked = page.waitForRequest('**/api/newsletter_signups');
        await page.keyboard.press('Enter');
        await asked;
        await shows(page, FAILED);
        await expectEventually(() => button.innerText(), 'Join');
        assert.equal(await page.locator('input[type=email]').inputValue(), 'reader@example.org');
        await page.unroute('**/api/newsletter_signups');
      }
      await page.route('**/api/newsletter_signups', FAILURES['another shape']);
      await page.keyboard.press('Enter');
      await expectEventually(() => button.innerText(), 'Joined!');
      await expectEventually(() => button.getAttribute('aria-disabled'), 'true');

      await page.goto(`${url()}/guides/affiliates`);
      await scripted(page);
      await page.locator('#affiliate-bottom').fill('partner@example.org');
      await page.keyboard.press('Enter');
      await expectEventually(() => page.locator('form button').allInnerTexts(), ['Submitted!', 'Submitted!']);
    });

    test('of the contact page says only what is true', async (t) => {
      const page = await visit(t, '/contact');
      await page.getByLabel('Your email').fill('writer@example.org');
      await page.getByLabel('Subject').fill('Stamps');
      await page.getByLabel('Message').fill('Where do they come from?');
      await page.route('**/api/contact', FAILURES['an error of the server']);
      await page.getByRole('button', { name: 'Send' }).click();
      await shows(page, FAILED);
      assert.equal(await page.getByLabel('Message').inputValue(), 'Where do they come from?');
      await page.unroute('**/api/contact');
      await page.getByRole('button', { name: 'Send' }).click();
      await shows(page, /We got your message/);
      const kept = await site().server.database.db.selectFrom('contact_message').selectAll().execute();
      assert.equal(kept.length, 1);
    });

    test('of a new password say what is missing, and fail with one text', async (t) => {
      const page = await visit(t, '/reset-password?token=abc');
      await alive(page);
      const fill = async (one: string, two: string) => {
        await page.locator('#new_password').fill(one);
        await page.locator('#again').fill(two);
        await page.keyboard.press('Enter');
      };
      const problem = () => textOf(page, '#reset-problem');
      await fill(' ', 'x');
      await expectEventually(problem, 'Please enter your new password');
      await fill('violet anchor', 'violet anchors');
      await expectEventually(problem, 'Passwords do not match');
      for (const answer of [
        ...Object.values(FAILURES),
        (route: Route) => route.fulfill({ status: 200, json: { success: false } }),
      ]) {
        await page.route('**/api/sessions/reset_password', answer);
        await fill('x', 'y');
        await expectEventually(problem, 'Passwords do not match');
        await fill('violet anchor', 'violet anchor');
        await expectEventually(problem, FAILED);
        await page.unroute('**/api/sessions/reset_password');
      }
      await page.route('**/api/sessions/reset_password', (route) =>
        route.fulfill({ json: { success: true } }),
      );
      await fill('violet anchor', 'violet anchor');
      await expectEventually(() => textOf(page, 'h1'), 'You have a new password');
      await page.goto(`${url()}/reset-password`);
      await alive(page);
      await fill('violet anchor', 'violet anchor');
      await expectEventually(problem, FAILED);
    });
  });

  test('shows the changelog, and says in red above it when it cannot be brought up to date', async (t) => {
    const page = await visit(t, '/changelog');
    await page.locator('#v1-0-0').filter({ hasText: 'The first one.' }).waitFor();
    const hostile = {
      id: 'x',
      version: '2.0.0',
      release_notes:
        '<p onclick="x()">Safe<script>alert(1)</script><img src=x onerror=alert(1)><a href="javascript:alert(1)">link</a></p>',
      made_generally_available_at: null,
      created_at: '2030-01-01T00:00:00Z',
      updated_at: '2030-01-01T00:00:00Z',
    };
    await page.route('**/api/app_releases', (route) => route.fulfill({ json: { app_releases: [hostile] } }));
    await page.reload();
    await page.locator('#v2-0-0').waitFor();
    assert.equal(await page.locator('#v2-0-0 p').evaluate((p) => p.outerHTML), '<p>Safe<a>link</a></p>');
    await page.unroute('**/api/app_releases');
    for (const answer of Object.values(FAILURES)) {
      await page.route('**/api/app_releases', answer);
      await page.reload();
      await shows(page, 'Something went wrong fetching the changelog, try refreshing the page');
      await page.locator('#v1-0-0').waitFor();
      await page.unroute('**/api/app_releases');
    }
  });

  test('is read, followed and sent without scripts', async (t) => {
    const page = await visit(t, '/', { javaScriptEnabled: false });
    await page.locator('.bar-links a[href="/guides"]').click();
    await page.waitForURL(`${url()}/guides`);
    await page.locator('a[href="/guides/command-palette"]').first().click();
    await expectEventually(() => textOf(page, 'h1'), 'Command palette');
    await page.locator('a[rel=next]').click();
    await expectEventually(() => textOf(page, 'h1'), 'Hotkeys');
    await page.goto(`${url()}/newsletter`);
    await page.locator('form button').click();
    await shows(page, 'Enter an email');
    await page.locator('input[type=email]').fill('plain@example.org');
    await page.keyboard.press('Enter');
    await shows(page, 'Joined!');
    await expectEventually(() => page.locator('form button').isDisabled(), true);
    await page.goto(`${url()}/contact`);
    await page.getByLabel('Your email').fill('writer@example.org');
    await page.getByLabel('Subject').fill('Stamps');
    await page.getByLabel('Message').fill('Without scripts.');
    await page.getByRole('button', { name: 'Send' }).click();
    await shows(page, /We got your message/);
    await page.goto(`${url()}/reset-password?token=abc`);
    await page.locator('#new_password').fill('one thing');
    await page.locator('#again').fill('another');
    await page.keyboard.press('Enter');
    await shows(page, 'Passwords do not match');
    assert.match(page.url(), /token=abc/);
    await page.goto(`${url()}/changelog`);
    await page.locator('#v1-0-0').waitFor();
  });
});

// The public site's exact facts in a real browser: which button a visitor gets, sizes, the bar, the carousel, titles, links that
// open a tab of their own, who is remembered to have sent somebody. What goes wrong is site-failures.test.ts.
import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expectEventually } from './harness.ts';
import { alive, scripted, type Site, textOf, withSite } from './site-world.ts';

const SYSTEMS = {
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/605.1.15',
  iphone: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148',
  windows: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150.0.0.0',
} as const;

/** The words of what can be seen and pressed. */
const buttons = (page: Page, within: string) => page.locator(`${within} .button:visible`).allInnerTexts();

/** What the page asks the browser to open, in its order. */
async function navigations(page: Page): Promise<readonly string[]> {
  const asked: string[] = [];
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  session.on('Page.frameRequestedNavigation', (event) => asked.push(event.url));
  return asked;
}

/** Presses a link in the page: Chromium swallows the pointer while it looks for who opens a scheme. */
const press = (link: Locator) => link.evaluate((element: HTMLElement) => element.click());

async function widthOf(page: Page, selector: string): Promise<number> {
  return (await page.locator(selector).first().boundingBox())?.width ?? 0;
}

describe('the facts of the public site', () => {
  const site = withSite();
  const visit: Site['visit'] = (...at) => site().visit(...at);
  const url = () => site().url;

  test('where there is nothing to download everybody is offered the web app, and how to install it', async (t) => {
    for (const system of ['mac', 'iphone', 'windows'] as const) {
      const page = await visit(t, '/', { userAgent: SYSTEMS[system] });
      for (const path of ['/', '/pricing']) {
        await page.goto(url() + path);
        const offered = await buttons(page, 'main');
        assert.ok(offered.includes('Open the web app') && !offered.includes('Download'), `${system} ${path}`);
      }
      await page.goto(`${url()}/`);
      await page.getByRole('link', { name: 'Install it from the browser' }).click();
      await page.getByRole('heading', { name: 'Get Posthaste' }).waitFor();
      await page.getByText('Add to Home Screen').waitFor();
      assert.doesNotMatch(await textOf(page, 'main'), /There is no/);
    }
  });

  test('an iPad, which says that it is a Mac, is told apart by touch, and led where an iPhone is', async (t) => {
    for (const [hasTouch, system, address] of [
      [true, 'ios', '/download?for=ios'],
      [false, 'mac', '/download'],
    ] as const) {
      const page = await visit(t, '/', { userAgent: SYSTEMS.mac, hasTouch });
      assert.equal(await page.locator('html').getAttribute('data-os'), system);
      for (const from of ['/', '/a/GOOD']) {
        await page.goto(url() + from);
        await page.locator('[data-download]:visible').last().click();
        await page.waitForURL(url() + address);
      }
    }
  });

  test('whatever stands by itself has room for a finger, and no page is wider than a phone', async (t) => {
    const page = await visit(t, '/', { viewport: { width: 360, height: 740 }, hasTouch: true });
    for (const path of [
      '/',
      '/pricing',
      '/guides',
      '/guides/api',
      '/changelog',
      '/a/GOOD',
      '/api-reference',
    ]) {
      await page.goto(url() + path);
      await page.locator('html[data-script=whole]').waitFor();
      // What is far below is laid out only as one comes near, and has no size before.
      await page.evaluate(() => {
        for (const part of document.querySelectorAll<HTMLElement>('main > *'))
          part.style.contentVisibility = 'visible';
      });
      const small = await page.locator('a, button, summary, .theme span').evaluateAll((all) =>
        all
          .filter((each) => each.checkVisibility() && getComputedStyle(each).display !== 'inline')
          .filter((each) => !each.closest('.skip') && each.getBoundingClientRect().height < 44)
          .map((each) => each.outerHTML.slice(0, 80)),
      );
      assert.deepEqual(small, [], path);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360, path);
    }
    await page.goto(`${url()}/guides/affiliates`);
    const table = page.locator('main .table').first();
    assert.equal(await table.evaluate((box) => box.scrollWidth - box.clientWidth), 0);
  });

  test('no name in a table is cut in two', async (t) => {
    const page = await visit(t, '/privacy', { viewport: { width: 360, height: 740 } });
    for (const path of ['/privacy', '/guides/themes', '/api-reference']) {
      await page.goto(url() + path);
      const cut = await page
        .locator('.prose td > .word, .api-part td:first-child > code')
        .evaluateAll((names) =>
          names.filter((name) => name.getClientRects().length > 1).map((name) => name.textContent),
        );
      assert.deepEqual(cut, [], path);
    }
  });

  test('the web app and “Learn more” open a tab of their own, the site stays', async (t) => {
    const page = await visit(t, '/');
    for (const button of [page.locator('.hero .actions a[href="/app/"]'), page.locator('.bar .button')]) {
      const opened = page.waitForEvent('popup');
      await button.click();
      await (await opened).waitForURL(`${url()}/app/`);
      assert.equal(page.url(), `${url()}/`);
    }
    for (const path of ['/', '/ios', '/download', '/guides/web-app', '/pricing']) {
      await page.goto(url() + path);
      const targets = await page
        .locator('a[href="/app/"]')
        .evaluateAll((links) => links.map((link) => link.getAttribute('target')));
      assert.deepEqual(new Set(targets), new Set(['_blank']), path);
    }
    await page.goto(`${url()}/a/GOOD`);
    const opened = page.waitForEvent('popup');
    await page.getByRole('link', { name: 'Learn more' }).click();
    await (await opened).waitForURL(`${url()}/`);
  });

  test('the bar leads home, and leaves out what has no room', async (t) => {
    const page = await visit(t, '/pricing', { viewport: { width: 1_440, height: 900 } });
    const names = () => page.locator('.bar a:visible').allInnerTexts();
    await expectEventually(names, ['Posthaste', 'Guides', 'Pricing', 'Contact', 'Download', 'Open app']);
    await page.setViewportSize({ width: 768, height: 900 });
    await expectEventually(names, ['Posthaste', 'Guides', 'Pricing', 'Contact', 'Open app']);
    await page.setViewportSize({ width: 360, height: 900 });
    await expectEventually(async () => (await names()).slice(1), ['Guides', 'Pricing', 'Open app']);
    await page.locator('.bar .brand').click();
    await page.waitForURL(`${url()}/`);
  });

  test('the bar slides away in 0.1 s after 0.2 s while one reads on, and back', async (t) => {
    const page = await visit(t, '/all-guides', { reducedMotion: 'no-preference' });
    const top = async () => (await page.locator('.bar').boundingBox())?.y ?? 0;
    const transition = await page.locator('.bar').evaluate((bar) => {
      const { transitionProperty, transitionDuration, transitionDelay, position } = getComputedStyle(bar);
      return [transitionProperty, transitionDuration, transitionDelay, position];
    });
    assert.deepEqual(transition, ['transform', '0.1s', '0.2s', 'sticky']);
    await page.mouse.move(300, 400);
    await page.mouse.wheel(0, 900);
    await expectEventually(async () => (await top()) < -60, true);
    await page.mouse.wheel(0, -300);
    await expectEventually(top, 0);
    await page.mouse.wheel(0, 900);
    await expectEventually(async () => (await top()) < -60, true);
    // Never away while the focus is in it.
    await page.locator('.bar a').first().focus();
    await expectEventually(top, 0);
  });

  test('widths, heights and icons are as specified', async (t) => {
    const page = await visit(t, '/', { viewport: { width: 2_000, height: 1_000 } });
    const inner = await page.locator('.bar-inner').evaluate((bar) => {
      const { paddingLeft, paddingRight } = getComputedStyle(bar);
      return bar.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
    });
    assert.equal(inner, 1_480);
    const isLow = async (element: Locator) => {
      const content = await element.evaluate(({ scrollHeight }) => scrollHeight);
      const { width = 0, height = 0 } = (await element.boundingBox()) ?? {};
      assert.ok(height <= 440 && content <= 440, `${content} px high`);
      return width;
    };
    assert.equal(await isLow(page.locator('.six-keys')), 250);
    // What a key does is shown in the app of a computer, large enough to be read.
    for (const key of await page.locator('.six-keys input').all()) {
      await key.check({ force: true });
      assert.equal(await page.locator('.moments .film:visible').count(), 1);
      assert.ok((await isLow(page.locator('.moments .film:visible'))) >= 600);
    }
    assert.equal(await widthOf(page, '.hero .button-quiet svg'), 16);
    await page.goto(`${url()}/a/GOOD`);
    await page.locator('.numbered').waitFor();
    assert.equal(await widthOf(page, '.letter'), 800);
    for (const inside of ['.numbered', '.invitation h1', '.invitation video'])
      assert.ok((await widthOf(page, inside)) < 800, inside);
    await page.goto(`${url()}/invite`);
    assert.equal(await widthOf(page, '.letter'), 560);
  });

  describe('the carousel of four pictures', () => {
    const at = (page: Page) =>
      page
        .locator('[data-slide]')
        .evaluateAll((dots) => dots.findIndex((dot) => dot.getAttribute('aria-current') === 'true'));

    /** Which picture stands in the frame. */
    const seen = (page: Page) =>
      page.locator('.carousel-slides').evaluate((strip) => {
        const middle = strip.getBoundingClientRect().left + strip.clientWidth / 2;
        return [...strip.children].findIndex((slide) => {
          const { left, right } = slide.getBoundingClientRect();
          return left <= middle && middle < right;
        });
      });

    async function open(t: TestContext, options: BrowserContextOptions): Promise<Page> {
      const page = await visit(t, '', options);
      await page.clock.install({ time: 0 });
      await page.clock.pauseAt(1_000);
      await page.goto(url());
      // Its time begins with the script.
      await scripted(page);
      await page.locator('.carousel').scrollIntoViewIfNeeded();
      await page.mouse.move(0, 0);
      // Whether it is seen is told in a later frame.
      await page.waitForFunction(
        () =>
          new Promise((seen) => {
            const carousel = document.querySelector('.carousel');
            if (carousel) new IntersectionObserver(seen).observe(carousel);
          }),
      );
      return page;
    }

    test('turns every three seconds, and stops for who looks, points or asks', async (t) => {
      const page = await open(t, { reducedMotion: 'no-preference' });
      assert.equal(await page.locator('.slide').count(), 4);
      assert.equal(await at(page), 0);
      for (const expected of [1, 2, 3, 0]) {
        await page.clock.runFor(2_900);
        const before = await at(page);
        await page.clock.runFor(100);
        assert.deepEqual([before, await at(page)], [(expected + 3) % 4, expected]);
        await expectEventually(() => seen(page), expected);
      }
      await page.locator('.carousel').hover();
      await page.clock.runFor(9_000);
      assert.equal(await at(page), 0, 'pointed at');
      await page.mouse.move(0, 0);
      await page.locator('.carousel-slides').focus();
      await page.clock.runFor(9_000);
      assert.equal(await at(page), 0, 'focused');
      await page.getByRole('button', { name: 'Pause', exact: true }).press('Enter');
      await page.getByRole('button', { name: 'Play', exact: true }).evaluate((button) => button.blur());
      await page.clock.runFor(9_000);
      assert.equal(await at(page), 0, 'paused');
      await page.locator('[data-slide="2"]').press('Enter');
      assert.equal(await at(page), 2);
    });

    test('does not move for who wants no motion', async (t) => {
      const page = await open(t, { reducedMotion: 'reduce' });
      await page.clock.runFor(9_000);
      assert.equal(await at(page), 0);
      assert.equal(await page.locator('[data-pause]').isVisible(), false);
      // A finger does move it, and the dots follow.
      await page
        .locator('.slide')
        .nth(2)
        .evaluate((slide: HTMLElement) => {
          const strip = slide.parentElement;
          strip?.scrollTo({ left: slide.offsetLeft, behavior: 'instant' });
        });
      await expectEventually(() => at(page), 2);
    });
  });

  test('every page has its own title while it is open, and leaves the product’s name behind', async (t) => {
    const page = await visit(t, '');
    for (const [path, title] of [
      ['/', 'Posthaste: the task manager for your keyboard'],
      ['/pricing', 'Pricing · Posthaste'],
      ['/guides/labels', 'Labels · Posthaste guides'],
      ['/nothing/here', 'Page not found · Posthaste'],
      ['/a/GOOD', 'Mark <img src=x onerror=alert(1)> & Co has invited you to use Posthaste'],
    ] as const) {
      await page.goto(url() + path);
      await expectEventually(() => page.title(), title);
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true })));
      assert.equal(await page.title(), 'Posthaste');
      // Back from the browser's memory it is what it was.
      await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })));
      assert.equal(await page.title(), title);
    }
  });

  test('names after a sign lead to their guide: old ones, unknown ones, and those typed later', async (t) => {
    const page = await visit(t, '/guides#logging-with-api');
    await page.waitForURL(`${url()}/guides/api`);
    await page.goto(`${url()}/guides#no-such-guide`);
    await page.waitForURL(`${url()}/guides`);
    await page.evaluate(() => location.assign('#themes'));
    await page.waitForURL(`${url()}/guides/themes`);
    await page.goto(`${url()}/guides`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await expectEventually(() => Promise.resolve(page.url()), `${url()}/guides#main`);
    await page.goto(`${url()}/guides/api#metadata`);
    await expectEventually(
      () => page.locator('#metadata').evaluate((heading) => heading.getBoundingClientRect().top < 300),
      true,
    );
  });

  test('the icon that browsers ask for is there, and what is not there names no address of its own', async () => {
    const icon = await fetch(`${url()}/favicon.ico`);
    assert.deepEqual([icon.status, icon.headers.get('content-type')], [200, 'image/x-icon']);
    assert.equal(Buffer.from(await icon.arrayBuffer()).toString('hex', 0, 4), '00000100');
    const missing = await fetch(`${url()}/nothing/here`, { headers: { accept: 'text/html' } });
    assert.equal(missing.status, 404);
    assert.doesNotMatch(await missing.text(), /rel="canonical"|og:url/);
  });

  test('the purchase is opened in the app at once, and can be gone on with where there is none', async (t) => {
    const page = await visit(t, '');
    const asked = await navigations(page);
    await page.goto(`${url()}/purchase`);
    await expectEventually(() => Promise.resolve(asked), ['web+posthaste:purchase']);
    await press(page.getByRole('link', { name: 'Continue in the web app' }));
    await page.waitForURL(/\/app/);
  });

  test('an invitation shows its film of 2 m 40 s, and says each step and that nothing is bought', async (t) => {
    const page = await visit(t, '/a/GOOD');
    await page.locator('.numbered').waitFor();
    const seconds = page.locator('.invitation video').evaluate(async (video: HTMLVideoElement) => {
      video.preload = 'metadata';
      video.load();
      await new Promise((resolve) => video.addEventListener('loadedmetadata', resolve, { once: true }));
      return Math.round(video.duration);
    });
    assert.equal(await seconds, 160);
    assert.deepEqual(await page.locator('.numbered li').allInnerTexts(), [
      'Download and install the app.',
      'Open the app and create an account.',
      'Click here to redeem your discount. On the web? Redeem it in the web app.',
    ]);
    assert.match(await textOf(page, '#island'), /task manager built for speed and 100% keyboard orientation/);
    assert.match(
      await textOf(page, '#island'),
      /No purchase is needed now\. The promo code is applied automatically when you subscribe\./,
    );
    const month = { name: 'The Quay', discount_percentage: 50, discount_num_months: 1 };
    await page.route('**/api/affiliate_promo_codes/*', (route) => route.fulfill({ json: month }));
    await page.reload();
    await page.getByText('You get 50% off your first month.').waitFor();
  });

  test('what is being looked up is said', async (t) => {
    const page = await visit(t, '');
    let answer: (() => void) | undefined;
    await page.route(/\/api\/(?:affiliate_promo_codes|list_invitations)\//, async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      await route.fulfill({ status: 404, json: {} });
    });
    await page.goto(`${url()}/a/GOOD`);
    await alive(page);
    assert.match(
      await textOf(page, '#island [aria-busy=true]'),
      /^Invitation to use Posthaste\s+Loading details\.\.\.$/,
    );
    assert.equal(await page.title(), 'Invitation to use Posthaste');
    await page.locator('#island .spinner').waitFor();
    await expectEventually(() => Promise.resolve(answer !== undefined), true);
    answer?.();
    await page.getByText('Try refreshing the page').waitFor();
    await page.goto(`${url()}/invite?v=3&token=abc`);
    await page.locator('#island .spinner').waitFor();
    assert.match(await textOf(page, '#island [aria-busy=true]'), /Loading details\.\.\./);
  });
});

describe('who sent a visitor', () => {
  const site = withSite({ DOWNLOAD_URL: 'https://updates.example.com/posthaste.dmg' });
  const url = () => site().url;

  async function visitor(t: TestContext) {
    const page = await site().visit(t, '');
    const loads: unknown[] = [];
    const downloads: unknown[] = [];
    await page.route('**/api/landing/pl', (route) => {
      loads.push(route.request().postDataJSON());
      return route.fulfill({ status: 200, json: { success: true } });
    });
    // An answer without content leaves the page where it is, as a download does. Where nothing answered, the
    // browser's page about that would interrupt what the test opens next.
    await page.route('https://updates.example.com/**', (route) => route.fulfill({ status: 204 }));
    // Never answered: whoever waited for it would wait for ever.
    await page.route('**/api/landing/dl', (route) => void downloads.push(route.request().postDataJSON()));
    return { page, loads, downloads };
  }

  test('is remembered at once for 60 days, and the rest of the address stays', async (t) => {
    const { page, loads } = await visitor(t);
    let hold: (() => void) | undefined;
    // A page that is not whole for long.
    await page.route('**/held.webp', (route) => {
      hold = () => void route.abort();
    });
    await page.addInitScript(() =>
      addEventListener('DOMContentLoaded', () => {
        const picture = new Image();
        picture.src = '/held.webp';
        document.body.append(picture);
      }),
    );
    await page.goto(`${url()}/guides/labels?x=a%20b&ref=lighthouse#groups`, { waitUntil: 'commit' });
    await expectEventually(() => page.evaluate(() => document.cookie), '__posthaste-ref=lighthouse');
    await expectEventually(async () => page.url(), `${url()}/guides/labels?x=a%20b#groups`);
    assert.deepEqual(loads, []);
    const [cookie] = await page.context().cookies();
    assert.deepEqual(
      [cookie?.path, cookie?.httpOnly, cookie?.sameSite, cookie?.secure],
      ['/', false, 'Lax', false],
    );
    assert.equal(Math.round(((cookie?.expires ?? 0) - Date.now() / 1_000) / 86_400), 60);
    hold?.();
  });

  test('is told with each download, and no download waits for that', async (t) => {
    const { page, loads, downloads } = await visitor(t);
    await page.goto(`${url()}/?ref=lighthouse`);
    const asked = await navigations(page);
    for (const [index, path] of ['/', '/pricing', '/a/GOOD', '/purchase'].entries()) {
      await page.goto(url() + path);
      const link = page.locator('[data-download]:visible').last();
      const installer = page.waitForRequest('https://updates.example.com/posthaste.dmg');
      if (path === '/purchase') {
        await expectEventually(async () => asked.at(-1), 'web+posthaste:purchase');
        await press(link);
      } else await link.click();
      await installer;
      await expectEventually(async () => downloads.length, index + 1);
    }
    assert.deepEqual(
      new Set(downloads.map((body) => JSON.stringify(body))),
      new Set(['{"ref":"lighthouse"}']),
    );
    assert.ok(
      loads.every((body) => (body as { ref: string }).ref === 'lighthouse'),
      'the stored name is told',
    );
  });

  test('is first until it was told once', async (t) => {
    const { page, loads } = await visitor(t);
    await page.unroute('**/api/landing/pl');
    await page.route('**/api/landing/pl', (route) => {
      loads.push(route.request().postDataJSON());
      const isLost = loads.length < 3;
      return isLost
        ? route.abort('connectionreset')
        : route.fulfill({ status: 200, json: { success: true } });
    });
    for (const count of [1, 2, 3, 4]) {
      await page.goto(`${url()}/pricing`);
      await expectEventually(() => Promise.resolve(loads.length), count);
      // The answer is noted before the next page asks.
      await expectEventually(
        () => page.evaluate(() => localStorage.getItem('posthaste.visited')),
        count < 3 ? null : '1',
      );
    }
    assert.deepEqual(
      loads,
      [true, true, true, false].map((isFirst) => ({ ref: null, is_first: isFirst })),
    );
  });

  test('is nobody’s business when the browser says so', async (t) => {
    const { page, loads, downloads } = await visitor(t);
    await page.addInitScript(() => Object.defineProperty(navigator, 'globalPrivacyControl', { value: true }));
    await page.goto(`${url()}/?ref=lighthouse`, { waitUntil: 'networkidle' });
    await scripted(page);
    await expectEventually(async () => page.url(), `${url()}/`);
    const installer = page.waitForRequest('https://updates.example.com/posthaste.dmg');
    await page.locator('.bar-download').click();
    await installer;
    assert.deepEqual([loads, downloads, await page.context().cookies()], [[], [], []]);
  });
});

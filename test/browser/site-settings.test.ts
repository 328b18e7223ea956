// What the public site says where its operator has set nothing, and where everything is set: no page promises what is not there.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { elementsOf, readHtml, textOf } from '../../scripts/site/html.ts';
import { loadAxe, violations } from '../../scripts/axe.ts';
import { STRIPE_TEST_KEY, STRIPE_TEST_SECRET } from '../stripe-server.ts';
import { SITE, withSite } from './site-world.ts';

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Safari/605.1.15';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148';

/** By page: what is only true where something is set. */
const PROMISES: readonly (readonly [path: string, words: RegExp])[] = [
  ['/', /Download(?! )|For the Mac: macOS/],
  ['/pricing', /The download needs/],
  ['/contact', /community chat/],
  ['/slack', /Join the workspace/],
  ['/ios', /Get it from the App Store/],
  ['/newsletter', /We’ll send one email to confirm your address/],
  ['/forgot-password', /We’ll send a link/],
  ['/forgot-password?outcome=sent', /Check your email/],
];

async function mainOf(url: string): Promise<string> {
  const nodes = [...elementsOf(readHtml(await (await fetch(url)).text()))];
  const main = nodes.find(({ tag }) => tag === 'main');
  return (main ? textOf(main) : '').replaceAll(/\s+/g, ' ');
}

async function footerLinks(url: string): Promise<readonly (string | undefined)[]> {
  const nodes = [...elementsOf(readHtml(await (await fetch(url)).text()))];
  const footer = nodes.find(({ tag }) => tag === 'footer');
  return [...elementsOf(footer?.children ?? [])].map(({ attributes }) => attributes['href']);
}

async function paths(): Promise<readonly string[]> {
  const { pages } = JSON.parse(await readFile(join(SITE, 'site.json'), 'utf8')) as { pages: object };
  return Object.keys(pages);
}

describe('a site with nothing set', () => {
  const site = withSite();

  test('[ACC-23] promises nothing that is not there', async () => {
    for (const [path, words] of PROMISES) assert.doesNotMatch(await mainOf(site().url + path), words, path);
    assert.ok(!(await footerLinks(`${site().url}/pricing`)).includes('/go/social'));
  });

  test('shows no mark of what depends on settings, on pages and in their texts for programs', async () => {
    for (const path of await paths())
      for (const address of [path, path === '/' ? '/index.md' : `${path}.md`])
        assert.doesNotMatch(
          await (await fetch(site().url + address)).text(),
          /%(?:IF [a-z]+|ELSE|END)%/,
          address,
        );
  });

  /** The guide of affiliates is about servers that sell; the list of changes is about all of them. */
  const ABOUT_OTHERS = ['/guides/affiliates', '/changelog', '/all-guides', '/guides/url-handlers'];

  test('[MONEY-50] [MONEY-62] names no price and no payment anywhere, and says that there is nothing to pay', async () => {
    for (const path of await paths()) {
      if (ABOUT_OTHERS.includes(path)) continue;
      for (const address of [path, path === '/' ? '/index.md' : `${path}.md`]) {
        const text = await (await fetch(site().url + address)).text();
        assert.doesNotMatch(text, /\$(?:48|36|6|4)\b|Stripe|credit card|Plan and payment/, address);
      }
    }
    for (const path of ['/', '/pricing', '/purchase'])
      assert.match(await mainOf(site().url + path), /There’s nothing to pay on this server/, path);
    assert.match(await mainOf(`${site().url}/guides/affiliates`), /This server sells no subscriptions/);
    assert.match(await mainOf(`${site().url}/eula`), /This server charges nothing/);
  });
});

describe('a site with plans', () => {
  const site = withSite({
    BILLING: 'on',
    STRIPE_SECRET_KEY: STRIPE_TEST_KEY,
    STRIPE_WEBHOOK_SECRET: STRIPE_TEST_SECRET,
    // Pages ask nothing of it.
    STRIPE_URL: 'http://127.0.0.1:9',
  });

  test('[MONEY-62] says what it costs, what the trial is, what comes afterwards and how one pays', async () => {
    const pricing = await mainOf(`${site().url}/pricing`);
    for (const fact of [
      '$48 a year',
      'Equals $4/mo',
      '$6 a month',
      'Try all of it free for two weeks. No credit card, no restricted features.',
      'Unlimited devices',
      'There’s no one-time purchase',
      '25% off your first year: $36 instead of $48',
      'Everything works for two more weeks. After that you can’t add tasks and lists until you subscribe.',
      'editing, completing, syncing, and exporting everything you have go on for good',
      'your card number never comes to this server',
    ])
      assert.ok(pricing.includes(fact), fact);
    assert.match(await mainOf(`${site().url}/`), /\$48 a year/);
    assert.match(await mainOf(`${site().url}/purchase`), /You pay on a page of Stripe/);
    assert.match(await mainOf(`${site().url}/eula`), /A subscription continues until you cancel it/);
    assert.match(await mainOf(`${site().url}/privacy`), /It never sees your card/);
    assert.match(await mainOf(`${site().url}/guides/affiliates`), /Your statement has a secret address/);
    for (const path of await paths())
      for (const address of [path, path === '/' ? '/index.md' : `${path}.md`]) {
        const text = await (await fetch(site().url + address)).text();
        assert.doesNotMatch(text, /%(?:IF [a-z]+|ELSE|END)%|nothing to pay on this server/i, address);
      }
  });

  test('[MONEY-62] looks right to axe, in light and dark, on a phone and a desktop', async (t) => {
    for (const width of [390, 1_440]) {
      const page = await site().visit(t, '/pricing', { viewport: { width, height: 900 } });
      for (const path of ['/pricing', '/', '/purchase']) {
        await page.goto(site().url + path);
        await loadAxe(page);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          assert.deepEqual(await violations(page), [], `${path} ${width} ${colorScheme}`);
        }
      }
    }
  });
});

describe('a site with everything set', () => {
  const site = withSite({
    DOWNLOAD_URL: 'https://updates.example.com/posthaste.dmg',
    APP_STORE_URL: 'https://store.example.com/posthaste',
    SOCIAL_URL: 'https://social.example.com/posthaste',
    COMMUNITY_URL: 'https://chat.example.com/posthaste',
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_DOMAIN: 'in.example.com',
    MAIL_PORT: '0',
  });

  test('says what there is', async () => {
    for (const [path, words] of PROMISES) assert.match(await mainOf(site().url + path), words, path);
    assert.ok((await footerLinks(`${site().url}/pricing`)).includes('/go/social'));
  });

  test('offers a Mac and an iPhone the download, everybody else the web app', async (t) => {
    const offered = async (userAgent: string | undefined, javaScriptEnabled = true) => {
      const options = userAgent === undefined ? {} : { userAgent };
      const page = await site().visit(t, '/', { ...options, javaScriptEnabled });
      // What is far below is laid out only as one comes near, and has no words before.
      await page.locator('main > *').evaluateAll((parts: HTMLElement[]) => {
        for (const part of parts) part.style.contentVisibility = 'visible';
      });
      return [
        await page.locator('.hero .actions .button:visible').allInnerTexts(),
        await page.locator('.closing .button:visible').allInnerTexts(),
      ];
    };
    for (const [system, expected] of [
      [MAC, 'Download'],
      [IPHONE, 'Download'],
      [undefined, 'Open the web app'],
    ] as const)
      assert.deepEqual(await offered(system), [[expected, 'Watch the film\n2:40'], [expected]]);
    assert.deepEqual((await offered(MAC, false))[1], ['Open the web app']);
  });
});

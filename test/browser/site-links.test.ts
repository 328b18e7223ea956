// The built public site as files: every link and anchor leads somewhere, nothing is linked from nowhere, every page has what it
// must have and stays within its budget.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { guideList } from '#site/content/guide-list.ts';
import { elementsOf, textOf } from '../../scripts/site/html.ts';
import { inspectSite, type PageReport } from '../../scripts/site/inspect.ts';
import { SITE } from './site-world.ts';

const GUIDES = 31;

/** What these pages say, word by word. */
const FACTS: Readonly<Record<string, readonly string[]>> = {
  '/pricing': [
    '$48 a year',
    '$4/mo',
    '$6 a month',
    'Try all of it free for two weeks. No credit card, no restricted features',
    'Unlimited devices',
    "There's no one-time purchase",
    'Yes. Write to us',
    '25% off your first year: $36 instead of $48',
    'macOS 12 Monterey or newer',
  ],
  '/eula': ["at least 30 days' notice", 'Our liability is limited to the amount you have paid us'],
  '/scheduled-maintenance': [
    '15 to 30 minutes',
    'Friday or Saturday evenings, Pacific time',
    'offline changes sync afterwards',
  ],
  '/calendar-integration-private-beta': ['read-only view', 'Time-blocking of tasks', 'private beta'],
  '/guides/affiliates': ['30% commission', '$36', '$48', '$10.80', '$14.40', '$16.20', '$21.60'],
  '/security': ['Your tasks are yours', 'Who can read them', "isn't end-to-end encrypted"],
  '/404': ['Return to sender', 'Page not found', 'Nothing lives at this address', 'Go home', 'Contact us'],
};

/** The footer of every page leads here; what follows `→` opens a tab of its own. */
const FOOTER = [
  '/guides',
  '/pricing',
  '/ios',
  '/changelog',
  '/contact',
  '/slack',
  '/privacy',
  '/security',
  '/eula',
  '/measured',
  '/press-kit.zip',
  '→ /app/',
  '→ /go/social',
];

const within = (page: PageReport, tag: string) => page.elements.filter((element) => element.tag === tag);
const read = (path: string) => readFileSync(join(SITE, 'files', path));

describe('the built site', () => {
  const report = inspectSite();

  test('has nothing to complain of', () => {
    assert.deepEqual(report.problems, []);
  });

  test('has a page for each guide, each with a way on', () => {
    const guides = report.pages.filter(({ path }) => /^\/guides\/[^/]+$/.test(path));
    assert.equal(guides.length, GUIDES);
    for (const { path, elements } of guides) {
      const ways = elements
        .flatMap(({ attributes }) => attributes['rel'] ?? [])
        .filter((rel) => /^(?:prev|next)$/.test(rel));
      const isAtAnEnd = path === '/guides/command-palette' || path === '/guides/affiliates';
      assert.equal(ways.length, isAtAnEnd ? 1 : 2, path);
    }
  });

  test('says of each guide when it was last changed, as it tells search engines', () => {
    const days = new Map(
      [
        ...read('sitemap.xml')
          .toString()
          .matchAll(/%ORIGIN%([^<]*)<\/loc><lastmod>([^<]*)</g),
      ].map(([, path = '', day = '']) => [path, day] as const),
    );
    for (const page of report.pages.filter(({ path }) => /^\/guides\/[a-z-]+$/.test(path))) {
      const said = page.elements.flatMap(({ attributes }) => attributes['datetime'] ?? []);
      const day = days.get(page.path);
      assert.deepEqual(said, day === undefined ? [] : [day], page.path);
    }
  });

  test('says its facts', () => {
    for (const [path, facts] of Object.entries(FACTS)) {
      const page = report.pages.find((each) => each.path === path);
      assert.ok(page, path);
      const words = within(page, 'main').map(textOf).join(' ').replaceAll(/\s+/g, ' ').replaceAll('’', "'");
      for (const fact of facts) assert.ok(words.includes(fact), `${path} says “${fact}”`);
    }
  });

  test('says the same about how long things are kept where it says it in short and in law', () => {
    const [short, law] = ['/security', '/privacy'].map((path) => {
      const page = report.pages.find((each) => each.path === path);
      return within(page ?? assert.fail(path), 'main')
        .map(textOf)
        .join(' ')
        .replaceAll(/\s+/g, ' ');
    });
    for (const [inShort, inLaw] of [
      [/Trash\s*30 days/, 'stays in the trash for 30 days'],
      [/deleted\s*35 more days/, 'Backups are gone 35 days after that'],
      [/At most 400 days/, 'is kept for at most 400 days'],
      [/90 days, with only the first part of the network address/, 'for 90 days, with only the first part'],
      [/Erased 7 days after you ask/, 'erase your account seven days after you ask'],
    ] as const) {
      assert.match(short ?? '', inShort);
      assert.ok(law?.includes(inLaw), inLaw);
    }
  });

  test('lists every guide in its category, with one line about it', () => {
    const page = report.pages.find(({ path }) => path === '/guides');
    const words = within(page ?? assert.fail(), 'section').map(textOf);
    for (const { title, category, summary } of guideList)
      assert.ok(
        words.some((each) => each.startsWith(category) && each.includes(title) && each.includes(summary)),
        title,
      );
  });

  test('promises nothing on its front page that is only planned, and has a place for the latest releases', () => {
    const page = report.pages.find(({ path }) => path === '/');
    assert.ok(page);
    const words = within(page, 'main').map(textOf).join(' ');
    assert.doesNotMatch(words, /\bplanned\b/i);
    for (const { id } of guideList.filter(({ status }) => status === 'planned'))
      assert.ok(!page.links.includes(`/guides/${id}`), id);
    assert.ok(page.elements.some(({ attributes }) => attributes['data-fill'] === 'news'));
  });

  test('leads from the foot of every page to all that it promises', () => {
    for (const page of report.pages) {
      const [footer] = within(page, 'footer');
      assert.ok(footer, page.path);
      const links = new Set(
        [...elementsOf(footer.children)]
          .filter(({ tag }) => tag === 'a')
          .map(({ attributes: { href, target } }) => (target === '_blank' ? `→ ${href}` : href)),
      );
      for (const link of FOOTER) assert.ok(links.has(link), `${page.path} leads to ${link}`);
    }
  });

  test('tells search engines of exactly the pages that may be found', () => {
    const listed = [
      ...read('sitemap.xml')
        .toString()
        .matchAll(/<loc>%ORIGIN%([^<]*)<\/loc>/g),
    ].map(([, path]) => path || '/');
    const open = report.pages
      .filter(
        ({ elements }) => !elements.some(({ attributes }) => /noindex/.test(attributes['content'] ?? '')),
      )
      .map(({ path }) => path);
    assert.deepEqual(listed.toSorted(), open.toSorted());
    const robots = read('robots.txt').toString();
    // What is not to be found says so itself, to whoever may read it; links to invitations are shown with what is behind them.
    const forbidden = [...robots.matchAll(/^Disallow: (.+)$/gm)].map(([, path = '']) => path);
    assert.deepEqual(
      report.pages
        .map(({ path }) => path)
        .filter((path) => forbidden.some((start) => path.startsWith(start))),
      [],
    );
    assert.match(robots, /^Sitemap: %ORIGIN%\/sitemap\.xml$/m);
    assert.match(read('.well-known/security.txt').toString(), /^Contact: /m);
    for (const [, address = ''] of read('llms.txt')
      .toString()
      .matchAll(/\]\(%ORIGIN%(\/[^)]*)\)/g))
      assert.ok(read(address).length > 0, address);
  });

  test('has a press kit that can be opened, with the mark, pictures and the facts', () => {
    const kit = read('press-kit.zip').toString('latin1');
    assert.equal(kit.slice(0, 4), 'PK\u0003\u0004');
    for (const name of ['mark.svg', 'mark-512.png', 'app-light.png', 'app-dark.png', 'facts.txt'])
      assert.ok(kit.includes(`posthaste/${name}`), name);
  });
});

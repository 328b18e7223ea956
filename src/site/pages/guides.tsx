// The guides: their index, each of them with its neighbours, all on one page, and the sheet of keys.
import { type Token, type Tokens, lexer } from 'marked';
import { guideCategories, type GuideEntry, guideList, neighboursOf } from '../content/guide-list.ts';
import { Markdown } from '../markdown/elements.tsx';
import { type Heading, readHeading } from '../markdown/slug.ts';
import { type FormOutcome, formOutcomes, SignUpForm } from '../parts/forms.tsx';
import { CommandCaps } from '../parts/keys.tsx';
import { Icon } from '../parts/mark.tsx';
import type { Page, SiteWorld } from '../world.ts';

function Planned() {
  return (
    <div className="planned" role="note">
      <strong>Partly planned.</strong> What isn’t in the product yet is named at the top.
    </div>
  );
}

/** What there is to read until the text is written: what the feature is for, and where to go from here. */
function Unwritten({ guide }: { readonly guide: GuideEntry }) {
  return (
    <p>
      {guide.summary} We’re still writing the full guide. For now, the{' '}
      <a href="/guides/command-palette">command palette</a> shows what you can do, and{' '}
      <a href="/contact">we answer questions</a>.
    </p>
  );
}

function Text({
  guide,
  world,
  prefix,
  deeper,
}: {
  readonly guide: GuideEntry;
  readonly world: SiteWorld;
  readonly prefix?: string;
  readonly deeper?: number;
}) {
  const text = world.texts[guide.id];
  if (text === undefined) return <Unwritten guide={guide} />;
  const reading = {
    world,
    source: `guides/${guide.id}.md`,
    ...(prefix === undefined ? {} : { prefix }),
    ...(deeper === undefined ? {} : { deeper }),
  };
  return <Markdown text={text} reading={reading} />;
}

function GuideLinks({ category, current }: { readonly category: string; readonly current: GuideEntry }) {
  return (
    <ul>
      {guideList
        .filter((guide) => guide.category === category)
        .map((guide) => (
          <li key={guide.id}>
            <a href={`/guides/${guide.id}`} {...(guide.id === current.id ? { 'aria-current': 'page' } : {})}>
              {guide.title}
            </a>
          </li>
        ))}
    </ul>
  );
}

/** Beside the text where there is room: the guides of its category, and the other categories, each to be opened. */
function CategoryList({ current }: { readonly current: GuideEntry }) {
  return (
    <nav className="guide-nav" aria-label="Guides">
      <p>{current.category}</p>
      <GuideLinks category={current.category} current={current} />
      <p>More</p>
      {guideCategories
        .filter((category) => category !== current.category)
        .map((category) => (
          <details key={category}>
            <summary>{category}</summary>
            <GuideLinks category={category} current={current} />
          </details>
        ))}
    </nav>
  );
}

/** The day on which a guide was written last: what was learned before may read otherwise now. */
function Changed({ day }: { readonly day: string | undefined }) {
  if (day === undefined) return null;
  const words = new Date(day).toLocaleDateString('en-US', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });
  return (
    <>
      Last changed on <time dateTime={day}>{words}</time>.{' '}
    </>
  );
}

const headingsOf = (text: string) =>
  lexer(text)
    .filter((token: Token): token is Tokens.Heading => token.type === 'heading' && token.depth === 2)
    .map((token) => readHeading(token.text));

function HeadingLinks({ headings }: { readonly headings: readonly Heading[] }) {
  return (
    <ul>
      {headings.map(({ id, text: words }) => (
        <li key={id}>
          <a href={`#${id}`}>{words.replaceAll(/[`*]/g, '')}</a>
        </li>
      ))}
    </ul>
  );
}

/** `isFolded`: for narrow windows, where it stands in the text and is opened by a press. Only one of both is seen. */
function OnThisPage({ text, isFolded = false }: { readonly text: string; readonly isFolded?: boolean }) {
  const headings = headingsOf(text);
  if (headings.length < 2) return null;
  if (!isFolded)
    return (
      <nav className="toc" aria-label="On this page">
        <p>On this page</p>
        <HeadingLinks headings={headings} />
      </nav>
    );
  return (
    <nav className="toc-fold" aria-label="On this page">
      <details data-toc-fold="">
        <summary>On this page</summary>
        <HeadingLinks headings={headings} />
      </details>
    </nav>
  );
}

function Neighbour({ guide, from, way }: { guide: GuideEntry; from: GuideEntry; way: 'previous' | 'next' }) {
  const crossing = guide.category === from.category ? '' : ` in ${guide.category}`;
  return (
    <a
      className={`neighbour neighbour-${way}`}
      href={`/guides/${guide.id}`}
      rel={way === 'next' ? 'next' : 'prev'}
    >
      <span className="neighbour-way">
        {way === 'previous' ? 'Previous' : 'Next'}
        {crossing}
      </span>
      <span className="neighbour-title">{guide.title}</span>
    </a>
  );
}

/** Opens the keys of the page. Only scripts can: without them it is not seen. */
function KeysButton() {
  return (
    <button type="button" className="keys-button" data-guide-keys="">
      Keys <kbd aria-hidden="true">?</kbd>
    </button>
  );
}

function Neighbours({ guide }: { readonly guide: GuideEntry }) {
  const { previous, next } = neighboursOf(guide.id);
  return (
    <nav className="neighbours" aria-label="Previous and next guide" data-neighbours="">
      {previous ? <Neighbour guide={previous} from={guide} way="previous" /> : <span />}
      {next ? <Neighbour guide={next} from={guide} way="next" /> : <span />}
    </nav>
  );
}

function SignUpAround({ guide, place }: { readonly guide: GuideEntry; readonly place: 'top' | 'bottom' }) {
  return guide.id === 'affiliates' ? <SignUpForm list="affiliate" place={place} /> : null;
}

function GuidePage({
  guide,
  world,
  outcome,
}: {
  readonly guide: GuideEntry;
  readonly world: SiteWorld;
  readonly outcome?: FormOutcome;
}) {
  const shown = outcome === undefined ? {} : { outcome };
  const isAffiliates = guide.id === 'affiliates';
  const text = world.texts[guide.id] ?? '';
  return (
    <div className="guide-layout">
      <CategoryList current={guide} />
      <article className="prose guide">
        <p className="crumbs">
          <a href="/guides">Guides</a> <span aria-hidden="true">/</span> {guide.category}
        </p>
        <h1>{guide.title}</h1>
        <p className="lead">{guide.summary}</p>
        <OnThisPage text={text} isFolded />
        {guide.status === 'planned' ? <Planned /> : null}
        {isAffiliates ? <SignUpForm list="affiliate" place="top" {...shown} /> : null}
        <Text guide={guide} world={world} />
        {isAffiliates ? <SignUpForm list="affiliate" place="bottom" {...shown} /> : null}
        <p className="report">
          <Changed day={world.changedOn[guide.id]} />
          Is something missing or wrong? <a href="/contact">Tell us.</a> <KeysButton />
        </p>
        <Neighbours guide={guide} />
      </article>
      <OnThisPage text={text} />
    </div>
  );
}

function CategorySection({ category }: { readonly category: string }) {
  return (
    <section>
      <h2>{category}</h2>
      <ul>
        {guideList
          .filter((guide) => guide.category === category)
          .map((guide) => (
            <li key={guide.id}>
              <a href={`/guides/${guide.id}`}>
                {guide.title}
                {guide.status === 'planned' ? <span className="tag">Planned</span> : null}
              </a>
              <p>{guide.summary}</p>
            </li>
          ))}
      </ul>
    </section>
  );
}

/** Pages beside the guides that nothing else leads to. */
const FURTHER: readonly (readonly [title: string, href: string])[] = [
  ['All guides on one page', '/all-guides'],
  ['Keyboard cheat sheet', '/guides/hotkeys/cheat-sheet'],
  ['Updating macro variables with JavaScript', '/updating-macro-variables-with-javascript'],
  ['Calendar integration', '/calendar-integration-private-beta'],
];

function Index() {
  const placeholder = `Search ${guideList.length} guides`;
  return (
    <div className="page page-guides">
      <h1>Guides</h1>
      <p className="lead">
        Short reads, one topic each. New here? Start with <a href="/guides/hotkeys">Hotkeys</a> and come back
        when you’re curious.
      </p>
      <search className="guide-search" data-guide-search="">
        <label htmlFor="guide-query" className="visually-hidden">
          Search the guides
        </label>
        <span className="search-field">
          <Icon name="search" />
          <input
            id="guide-query"
            type="search"
            placeholder={placeholder}
            autoComplete="off"
            spellCheck={false}
            role="combobox"
            aria-expanded="false"
            aria-controls="guide-results"
            aria-autocomplete="list"
            data-early=""
          />
          <kbd aria-hidden="true">/</kbd>
        </span>
        {/* No stop of its own, however long it is: it closes when the focus leaves the field. */}
        <div id="guide-results" role="listbox" aria-label="Results" tabIndex={-1} hidden />
        <p className="search-note visually-hidden" role="status" data-search-status="" />
      </search>
      <div className="guide-index">
        {guideCategories.map((category) => (
          <CategorySection key={category} category={category} />
        ))}
      </div>
      <p className="also">
        {FURTHER.map(([title, href]) => (
          <a key={href} className="more" href={href}>
            {title} <Icon name="arrow" />
          </a>
        ))}
        <KeysButton />
      </p>
    </div>
  );
}

function AllGuides({ world }: { readonly world: SiteWorld }) {
  return (
    <div className="page prose all-guides">
      <h1>All guides</h1>
      <p className="lead">Every guide on one page. Only the guides print.</p>
      {guideList.map((guide) => (
        <article key={guide.id} id={guide.id}>
          <h2>
            <a href={`/guides/${guide.id}`}>{guide.title}</a>
          </h2>
          <p className="lead">{guide.summary}</p>
          {guide.status === 'planned' ? <Planned /> : null}
          <SignUpAround guide={guide} place="top" />
          <Text guide={guide} world={world} prefix={`${guide.id}--`} deeper={1} />
        </article>
      ))}
    </div>
  );
}

function CheatSheet({ world }: { readonly world: SiteWorld }) {
  return (
    <div className="page sheet">
      <h1>Keyboard cheat sheet</h1>
      <p className="lead">
        Every default key in Posthaste, from the same list the app uses. It prints on two sheets.
      </p>
      <div className="sheet-groups">
        {world.keyGroups.map(({ title, commands }) => (
          <section key={title}>
            <h2>{title}</h2>
            <dl>
              {commands.map((id) => {
                const command = world.commands[id];
                return command ? (
                  <div key={id}>
                    <dt>{command.title}</dt>
                    <dd>
                      <CommandCaps command={command} all />
                    </dd>
                  </div>
                ) : null;
              })}
            </dl>
          </section>
        ))}
      </div>
    </div>
  );
}

const crumbs = (guide: GuideEntry) => ({
  '@context': 'https://schema.org',
  '@type': 'BreadcrumbList',
  itemListElement: [
    { '@type': 'ListItem', position: 1, name: 'Guides', item: '/guides' },
    { '@type': 'ListItem', position: 2, name: guide.title, item: `/guides/${guide.id}` },
  ],
});

const article = (guide: GuideEntry, changedOn: string | undefined) => ({
  '@context': 'https://schema.org',
  '@type': 'TechArticle',
  headline: guide.title,
  description: guide.summary,
  url: `/guides/${guide.id}`,
  ...(changedOn === undefined ? {} : { dateModified: changedOn }),
});

function guidePage(guide: GuideEntry, world: SiteWorld): Page {
  return {
    path: `/guides/${guide.id}`,
    title: `${guide.title} · Posthaste guides`,
    // Search engines and lists for machines show it without the note on the page.
    description: guide.status === 'planned' ? `Planned: ${guide.summary}` : guide.summary,
    body: <GuidePage guide={guide} world={world} />,
    structured: [crumbs(guide), article(guide, world.changedOn[guide.id])],
    ...(guide.id === 'affiliates'
      ? {
          outcomes: Object.fromEntries(
            formOutcomes.map((outcome) => [
              outcome,
              <GuidePage key={outcome} guide={guide} world={world} outcome={outcome} />,
            ]),
          ),
        }
      : {}),
  };
}

/** The index, one page per guide, `/all-guides`, and the cheat sheet of keys. */
export function guidePages(world: SiteWorld): readonly Page[] {
  return [
    {
      path: '/guides',
      title: 'Guides · Posthaste',
      description:
        'Step-by-step guides to everything Posthaste does: keys, dates, search, notes, the API, and more.',
      body: <Index />,
    },
    ...guideList.map((guide) => guidePage(guide, world)),
    {
      path: '/all-guides',
      title: 'All guides on one page · Posthaste',
      description: 'Every Posthaste guide on one page, to print or search.',
      isIndexed: false,
      body: <AllGuides world={world} />,
    },
    {
      path: '/guides/hotkeys/cheat-sheet',
      title: 'Keyboard cheat sheet · Posthaste',
      description: 'Every default key in Posthaste, on one sheet to print.',
      body: <CheatSheet world={world} />,
    },
  ];
}

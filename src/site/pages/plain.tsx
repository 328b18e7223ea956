// Pages of information and the small pages around them: pricing, phone, contact, community, newsletter, changelog, not found.
import { Fragment, type ReactNode } from 'react';
import { type ChangedVersion, groupChanges, releasedVersions, unreleasedLines } from '../content/changes.ts';
import { MEASURED_PAGE } from '../content/figures.ts';
import { links, MAC_REQUIREMENT, NEW_TAB, NOTHING_TO_PAY, prices } from '../content/facts.ts';
import { Markdown } from '../markdown/elements.tsx';
import { Article } from '../parts/article.tsx';
import { ContactForm, type FormOutcome, formOutcomes, SignUpForm } from '../parts/forms.tsx';
import { GetIt } from '../parts/frame.tsx';
import { Icon } from '../parts/mark.tsx';
import { textWhen, When } from '../parts/when.tsx';
import type { Page, SiteWorld } from '../world.ts';
import { application } from './landing.tsx';

function Plan({
  name,
  saves,
  price,
  per,
  note,
}: {
  readonly name: string;
  /** What it saves over the other; the one that saves is the better one. */
  readonly saves?: string;
  readonly price: number;
  readonly per: string;
  readonly note: string;
}) {
  return (
    <section className={saves === undefined ? 'plan' : 'plan plan-best'} aria-label={name}>
      <h2>
        {name} {saves === undefined ? null : <span className="tag">{saves}</span>}
      </h2>
      <p className="price">
        <span>${price}</span> {per}
      </p>
      <p>{note}</p>
    </section>
  );
}

const INCLUDED: readonly string[] = [
  textWhen('billing', 'Every feature, even in the trial', 'Every feature'),
  'Unlimited devices',
  'API, command line, and MCP',
  'Mac, iPhone, iPad, and the web',
  'Sync, and everything works offline',
  textWhen('billing', 'Updates while you subscribe', 'Updates'),
  'Your data as JSON or Markdown, anytime',
];

const SAVED_PERCENT = Math.round(100 - (100 * prices.yearlyDollars) / (12 * prices.monthlyDollars));

function Plans() {
  return (
    <div className="plans">
      <Plan
        name="Yearly"
        saves={`Save ${SAVED_PERCENT}%`}
        price={prices.yearlyDollars}
        per="a year"
        note={`Equals $${prices.yearlyPerMonthDollars}/mo. Billed once a year.`}
      />
      <Plan name="Monthly" price={prices.monthlyDollars} per="a month" note="Stop any month you like." />
    </div>
  );
}

/** What is asked where a server asks for payment. */
function PaidQuestions() {
  return (
    <>
      <div>
        <h3>What happens when the trial ends?</h3>
        <p>
          Nothing is charged. We don’t have your card, so we can’t. Everything works for two more weeks. After
          that you can’t add tasks and lists until you subscribe.
        </p>
      </div>
      <div>
        <h3>Do I lose my tasks if I stop paying?</h3>
        <p>
          Never. Reading, searching, editing, completing, syncing, and exporting everything you have go on for
          good. The API, email to lists, and new invitations pause with new tasks.
        </p>
      </div>
      <div>
        <h3>How do I pay?</h3>
        <p>
          Run <strong>Plan and payment…</strong> in the app. You pay on a page of Stripe, so your card number
          never comes to this server.
        </p>
      </div>
      <div>
        <h3>Can I cancel?</h3>
        <p>
          Anytime. Your plan runs to the end of the time you’ve paid for. If a change to the{' '}
          <a href="/eula">license agreement</a> is why you’re leaving, cancel before it takes effect and we’ll
          refund the unused time.
        </p>
      </div>
      <div>
        <h3>Are there discounts?</h3>
        <p>
          Yes. <a href="/contact">Write to us</a> and tell us about your situation. An invitation from an{' '}
          <a href="/guides/affiliates">affiliate</a> takes 25% off your first year: $
          {prices.firstYearWithCodeDollars} instead of ${prices.yearlyDollars}.
        </p>
      </div>
      <div>
        <h3>Can I buy it once?</h3>
        <p>
          No. There’s no one-time purchase. A subscription pays for ongoing work, so that’s what we charge
          for.
        </p>
      </div>
    </>
  );
}

function FreeQuestions() {
  return (
    <>
      <div>
        <h3>Is anything held back?</h3>
        <p>No. Every feature works for every account on this server, on all your devices.</p>
      </div>
      <div>
        <h3>Who runs this server?</h3>
        <p>
          Somebody who set it up for you, or for everyone. <a href="/contact">Write to them.</a> Posthaste is
          MIT licensed, so you can run your own.
        </p>
      </div>
      <div>
        <h3>Can I leave?</h3>
        <p>
          Anytime, with everything. <a href="/guides/exporting">Export</a> your lists as JSON, Markdown, and
          other formats.
        </p>
      </div>
    </>
  );
}

function Pricing() {
  return (
    <div className="page pricing">
      <When
        has="billing"
        otherwise={
          <>
            <h1>Free. Everything’s in&nbsp;it.</h1>
            <p className="lead">{NOTHING_TO_PAY}</p>
          </>
        }
      >
        <h1>One plan. Everything’s in&nbsp;it.</h1>
        <p className="lead">
          Try all of it free for two weeks. No credit card, no restricted features. Keep going for $
          {prices.yearlyDollars} a year or ${prices.monthlyDollars} a month.
        </p>
        <Plans />
      </When>
      <p className="actions">
        <GetIt isLarge />
      </p>
      <h2>{textWhen('billing', 'Both include', 'What you get')}</h2>
      <ul className="ticks">
        {INCLUDED.map((line) => (
          <li key={line}>
            <Icon name="check" /> {line}
          </li>
        ))}
      </ul>
      <h2>Questions</h2>
      <div className="questions">
        <When has="billing" otherwise={<FreeQuestions />}>
          <PaidQuestions />
        </When>
        <div>
          <h3>Which Macs?</h3>
          <p>
            <When
              has="installer"
              otherwise={`The Mac app needs ${MAC_REQUIREMENT}. There’s no download on this server yet. `}
            >
              The download needs {MAC_REQUIREMENT}.{' '}
            </When>
            The web app needs an up-to-date browser.
          </p>
        </div>
      </div>
    </div>
  );
}

function Phone() {
  return (
    <Article
      title="Posthaste on iPhone and iPad"
      lead="The web app installs to your Home Screen and opens like any other app, online or offline."
    >
      <h2>Install it</h2>
      <ol>
        <li>
          Open the{' '}
          <a href={links.app} {...NEW_TAB}>
            web app
          </a>{' '}
          in Safari.
        </li>
        <li>
          Tap <strong>Share</strong>, then <strong>Add to Home Screen</strong>.
        </li>
        <li>Open Posthaste from its icon and sign in. Your lists sync automatically.</li>
      </ol>
      <h2>What works there</h2>
      <ul>
        <li>
          Lists, folders, subtasks at any depth, notes, labels, dates, repeats, smart lists, and search.
        </li>
        <li>
          Swipe to complete or snooze, hold to select, pull down to add.{' '}
          <a href="/guides/web-app#on-a-phone-or-tablet">Every gesture</a> has a button, too.
        </li>
        <li>Everything works offline. Your changes sync when you’re back online.</li>
        <li>Light and dark, and your own text size.</li>
        <li>With a keyboard attached, every desktop key.</li>
      </ul>
      <h2>From the App Store</h2>
      <p>
        <When
          has="store"
          otherwise="There’s no app in the App Store yet. The one from your browser does everything. "
        >
          <a href={links.appStore}>Get it from the App Store.</a>{' '}
        </When>
        To add tasks by voice or with Shortcuts, see <a href="/guides/mobile">its guide</a>.
      </p>
    </Article>
  );
}

function Contact({ outcome }: { readonly outcome?: FormOutcome }) {
  return (
    <Article
      title="Contact"
      lead="Questions, bugs, ideas, discounts: write to us. A person reads every message."
    >
      <ContactForm {...(outcome === undefined ? {} : { outcome })} />
      <p>
        The <a href="/guides">guides</a> may have your answer.{' '}
        <When has="community">
          Meet other users in the <a href="/slack">community chat</a>.{' '}
        </When>
        Found a security hole? See <a href="/.well-known/security.txt">security.txt</a>.
      </p>
    </Article>
  );
}

function Newsletter({ outcome }: { readonly outcome?: FormOutcome }) {
  return (
    <Article
      title="Newsletter"
      lead="We write when there’s something worth your time: a release, a better way to work. Not often, and never to sell you something else."
    >
      <SignUpForm list="newsletter" {...(outcome === undefined ? {} : { outcome })} />
      <p>
        <When
          has="mail"
          otherwise="This server doesn’t send email yet. Your confirmation waits here until it does. We delete unconfirmed addresses after 30 days."
        >
          We’ll send one email to confirm your address. We won’t send anything else until you do.
        </When>{' '}
        Every newsletter has an unsubscribe link.
      </p>
    </Article>
  );
}

function Text({ world, name }: { readonly world: SiteWorld; readonly name: string }) {
  const text = world.texts[name];
  if (text === undefined) throw new Error(`texts/${name}.md is missing`);
  return (
    <article className="page prose">
      <Markdown text={text} reading={{ world, source: `texts/${name}.md` }} />
    </article>
  );
}

/** A text whose parts stand beside their names. */
function PartedText({ world, name }: { readonly world: SiteWorld; readonly name: string }) {
  const text = world.texts[name];
  if (text === undefined) throw new Error(`texts/${name}.md is missing`);
  const reading = { world, source: `texts/${name}.md` };
  const [beginning = '', ...parts] = text.split(/^(?=## )/m);
  return (
    <article className="page parted">
      <Markdown text={beginning} reading={reading} />
      {parts.map((part) => {
        const [heading = '', ...lines] = part.split('\n');
        return (
          <section key={heading} className="side-by-side">
            <Markdown text={heading} reading={reading} />
            <div className="prose">
              <Markdown text={lines.join('\n')} reading={reading} />
            </div>
          </section>
        );
      })}
    </article>
  );
}

/** So many lines of each kind are read without opening a group. */
const NEWEST = 5;

function Lines({ of, world }: { readonly of: readonly string[]; readonly world: SiteWorld }) {
  return (
    <Markdown text={of.map((line) => `- ${line}`).join('\n')} reading={{ world, source: 'CHANGELOG.md' }} />
  );
}

/** In groups by what they are about, each to be opened. */
function Folded({ of, world }: { readonly of: readonly string[]; readonly world: SiteWorld }) {
  return groupChanges(of).map(({ title, lines }) => (
    <details key={title}>
      <summary>
        {title} <span className="small">({lines.length})</span>
      </summary>
      <Lines of={lines} world={world} />
    </details>
  ));
}

const DAYS = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** From the file that the developers keep: the newest of each kind, and the rest in groups. */
function Version({ of, world }: { readonly of: ChangedVersion; readonly world: SiteWorld }) {
  const { version, day, say, sections } = of;
  const id = `version-${version.replaceAll('.', '-')}`;
  const rest = sections.flatMap(({ lines }) => lines.slice(NEWEST));
  return (
    <section className="release" aria-labelledby={id}>
      <h2 id={id}>
        <a href={`#${id}`}>{version}</a> <time dateTime={day}>{DAYS.format(new Date(day))}</time>
      </h2>
      {say === '' ? null : <p className="say">{say}</p>}
      {sections.map(({ title, lines }) => (
        <Fragment key={title}>
          <h3>{title}</h3>
          <Lines of={lines.slice(0, NEWEST)} world={world} />
        </Fragment>
      ))}
      {rest.length === 0 ? null : (
        <>
          <h3>And {rest.length.toLocaleString('en-US')} more</h3>
          <Folded of={rest} world={world} />
        </>
      )}
    </section>
  );
}

/** What isn't released, closed: nobody has it yet. */
function NextVersion({ world }: { readonly world: SiteWorld }) {
  const lines = unreleasedLines(world.changes);
  if (lines.length === 0) return null;
  return (
    <details className="release-next">
      <summary id="next">
        Coming next <span className="small">(not released yet)</span>
      </summary>
      <Lines of={lines} world={world} />
    </details>
  );
}

function Changelog({ world }: { readonly world: SiteWorld }) {
  return (
    <article className="page prose changelog">
      <h1>Changelog</h1>
      <p className="lead">
        What’s new, newest first. <a href="/changelog.atom">Subscribe to the feed</a>
      </p>
      <div data-changelog="/api/app_releases" aria-busy="false">
        <p className="form-problem" data-problem="" role="alert" />
        <p className="loading" data-loading="" hidden>
          <span className="spinner" aria-hidden="true" /> Loading the changelog…
        </p>
        <div data-releases="">
          <span data-fill="releases" />
        </div>
      </div>
      {releasedVersions(world.changes).map((version) => (
        <Version key={version.version} of={version} world={world} />
      ))}
      <NextVersion world={world} />
    </article>
  );
}

function withOutcomes(draw: (outcome?: FormOutcome) => ReactNode): Pick<Page, 'body' | 'outcomes'> {
  return {
    body: draw(),
    outcomes: Object.fromEntries(formOutcomes.map((outcome) => [outcome, draw(outcome)])),
  };
}

const textPage = (world: SiteWorld, path: string, title: string, description: string): Page => ({
  path,
  title,
  description,
  body: <Text world={world} name={path.slice(1)} />,
});

/** Pricing, phone, contact, newsletter, chat, changelog, and the information pages written in Markdown. */
export function plainPages(world: SiteWorld): readonly Page[] {
  return [
    {
      path: '/pricing',
      title: 'Pricing · Posthaste',
      description: textWhen(
        'billing',
        `$${prices.yearlyDollars} a year (equals $${prices.yearlyPerMonthDollars}/mo) or $${prices.monthlyDollars} a month, after two weeks free with no credit card and no restricted features.`,
        'Free on this server: every feature, unlimited devices, sync, the API, and your data anytime.',
      ),
      body: <Pricing />,
      structured: [application],
    },
    {
      path: '/ios',
      title: 'Posthaste on iPhone and iPad',
      description: 'Install Posthaste on an iPhone or iPad in three taps, and use it offline.',
      body: <Phone />,
    },
    {
      path: '/contact',
      title: 'Contact · Posthaste',
      description: 'Write to the people who make Posthaste. A person reads every message.',
      ...withOutcomes((outcome) => <Contact {...(outcome ? { outcome } : {})} />),
    },
    {
      path: '/newsletter',
      title: 'Newsletter · Posthaste',
      description: 'We write when there’s something worth your time. Not often.',
      ...withOutcomes((outcome) => <Newsletter {...(outcome ? { outcome } : {})} />),
    },
    {
      path: '/slack',
      title: 'Community chat · Posthaste',
      description: 'The chat workspace for Posthaste users.',
      body: (
        <Article
          title="Community chat"
          lead="A workspace for Posthaste users. See how others work, share searches and recipes, and get answers before we get to them."
        >
          <When
            has="community"
            otherwise={
              <p>
                It’s not open yet. Until then, <a href="/contact">write to us</a> or read the{' '}
                <a href="/guides">guides</a>.
              </p>
            }
          >
            <p className="actions">
              <a className="button button-primary" href={links.community} target="_blank" rel="noopener">
                Join the workspace <Icon name="outside" />
              </a>
            </p>
            <p>
              Be kind, stay on topic, and don’t post secrets. Everyone there can read what you write. For
              anything about your account, <a href="/contact">write to us</a>.
            </p>
          </When>
        </Article>
      ),
    },
    {
      path: '/changelog',
      title: 'Changelog · Posthaste',
      description: 'What changed in Posthaste, newest first, with a feed.',
      body: <Changelog world={world} />,
    },
    textPage(
      world,
      '/privacy',
      'Privacy · Posthaste',
      'What Posthaste stores about you, for how long, and how to get it or remove it.',
    ),
    textPage(
      world,
      '/eula',
      'License agreement · Posthaste',
      'The end-user license agreement, in plain language.',
    ),
    textPage(
      world,
      '/scheduled-maintenance',
      'Scheduled maintenance · Posthaste',
      'When maintenance happens, how long it takes, and why you can keep working.',
    ),
    {
      path: MEASURED_PAGE,
      title: 'How we measure · Posthaste',
      description:
        'How we measure the times on the front page, on which machine, and all of them in one table.',
      body: <PartedText world={world} name="measured" />,
    },
    textPage(
      world,
      '/calendar-integration-private-beta',
      'Calendar integration · Posthaste',
      'Your calendar next to your tasks, in a read-only view, and blocks of time for tasks, by keys. Google Calendar is in private beta.',
    ),
    textPage(
      world,
      '/updating-macro-variables-with-javascript',
      'Updating macro variables with JavaScript · Posthaste',
      'How a macro sets its variables: updateVariables(variables, state), and every field it can read.',
    ),
  ];
}

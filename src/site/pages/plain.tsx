// Pages of information and the small pages around them: pricing, phone, contact, community, newsletter, changelog, not found.
import type { ReactNode } from 'react';
import { MEASURED_PAGE } from '../content/figures.ts';
import { links, MAC_REQUIREMENT, NEW_TAB, prices } from '../content/facts.ts';
import { Markdown } from '../markdown/elements.tsx';
import { Article } from '../parts/article.tsx';
import { ContactForm, type FormOutcome, SignUpForm } from '../parts/forms.tsx';
import { GetIt } from '../parts/frame.tsx';
import { Icon } from '../parts/mark.tsx';
import type { Page, SiteWorld } from '../world.ts';
import { application } from './landing.tsx';

function Plan({
  name,
  price,
  per,
  note,
  isBest,
}: {
  readonly name: string;
  readonly price: number;
  readonly per: string;
  readonly note: string;
  readonly isBest?: true;
}) {
  return (
    <section className={isBest ? 'plan plan-best' : 'plan'} aria-label={name}>
      <h2>{name}</h2>
      <p className="price">
        <span>${price}</span> {per}
      </p>
      <p>{note}</p>
      <GetIt />
    </section>
  );
}

const INCLUDED: readonly string[] = [
  'Every feature, in the trial as well',
  'Any number of devices',
  'Mac, iPhone, iPad and the web',
  'Sync, and full use without a network',
  'Updates for as long as you subscribe',
  'Your data as JSON or markdown at any time',
];

const PLANS = [
  { name: 'Trial', price: 'nothing, no card', span: 'two weeks', devices: 'unlimited', features: 'all' },
  {
    name: 'Yearly',
    price: `$${prices.yearlyDollars} a year`,
    span: `$${prices.yearlyPerMonthDollars}/mo`,
    devices: 'unlimited',
    features: 'all',
  },
  {
    name: 'Monthly',
    price: `$${prices.monthlyDollars} a month`,
    span: `$${prices.monthlyDollars}/mo`,
    devices: 'unlimited',
    features: 'all',
  },
] as const;

const COMPARED = [
  ['You pay', 'price'],
  ['That is', 'span'],
  ['Devices', 'devices'],
  ['Features', 'features'],
] as const;

function Pricing() {
  return (
    <div className="page pricing">
      <h1>One product, two ways to pay</h1>
      <p className="lead">
        Start with two weeks free: no credit card, no restricted features. Then ${prices.yearlyDollars} a year
        or ${prices.monthlyDollars} a month.
      </p>
      <div className="offer">
        <div className="plans">
          <Plan
            name="Yearly"
            price={prices.yearlyDollars}
            per="a year"
            note={`Equals $${prices.yearlyPerMonthDollars}/mo.`}
            isBest
          />
          <Plan name="Monthly" price={prices.monthlyDollars} per="a month" note="Month by month." />
        </div>
        <div className="table" tabIndex={0} role="region" aria-label="The plans compared">
          <table>
            <thead>
              <tr>
                <th scope="col">Plan</th>
                {PLANS.map(({ name }) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {COMPARED.map(([what, key]) => (
                <tr key={key}>
                  <th scope="row">{what}</th>
                  {PLANS.map((plan) => (
                    <td key={plan.name}>{plan[key]}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </div>
      <div className="columns">
        <section>
          <h2>What you get</h2>
          <ul className="ticks">
            {INCLUDED.map((line) => (
              <li key={line}>
                <Icon name="check" /> {line}
              </li>
            ))}
          </ul>
        </section>
        <section>
          <h2>What people ask</h2>
          <h3>Can I buy it once?</h3>
          <p>No. There is no one-time purchase: the subscription pays for the work that goes on.</p>
          <h3>Are there discounts?</h3>
          <p>
            Yes, on request: <a href="/contact">write to us</a> and say what your situation is. An invitation
            from an <a href="/guides/affiliates">affiliate</a> takes 25% off your first year: $
            {prices.firstYearWithCodeDollars} instead of ${prices.yearlyDollars}.
          </p>
          <h3>What happens after the trial?</h3>
          <p>You decide. Nothing is charged by itself, because we have no card of yours.</p>
          <h3>Can I cancel?</h3>
          <p>
            Whenever you like. It takes effect at the end of the time that you have paid for. If you cancel
            because you do not agree to a change of the <a href="/eula">licence agreement</a>, before it takes
            effect, what you have paid for the time after it is returned.
          </p>
          <h3>Which Macs?</h3>
          <p>The download needs {MAC_REQUIREMENT}. The web app needs a current browser.</p>
        </section>
      </div>
    </div>
  );
}

function Phone() {
  return (
    <Article
      title="Posthaste on iPhone and iPad"
      lead="The web app installs to the Home Screen and opens like any other app, with or without a network."
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
        <li>Open Posthaste from its icon and sign in. Your lists arrive by themselves.</li>
      </ol>
      <h2>What works there</h2>
      <ul>
        <li>Lists, folders, tasks of any depth, notes, labels, dates, repeats, smart lists and search.</li>
        <li>
          Fingers: swipe a task to complete or snooze it, hold it to select, pull for a new one.{' '}
          <a href="/guides/web-app#on-a-phone-or-tablet">All of them</a> have a button beside them.
        </li>
        <li>Everything without a network; what you did is sent when there is one.</li>
        <li>Light and dark, and text as large as you have set it.</li>
        <li>With a keyboard attached, every key of the desktop.</li>
      </ul>
      <h2>From the App Store</h2>
      <p>
        Where there is an app in the store, <a href={links.appStore}>this link</a> leads to it. Adding tasks
        by voice and by shortcut is described in <a href="/guides/mobile">its guide</a>.
      </p>
    </Article>
  );
}

function Contact({ outcome }: { readonly outcome?: FormOutcome }) {
  return (
    <Article
      title="Contact"
      lead="Questions, faults, ideas, discounts: write to us. A person reads every message."
    >
      <ContactForm {...(outcome === undefined ? {} : { outcome })} />
      <p>
        Many answers are in the <a href="/guides">guides</a>. Others who use Posthaste are in the{' '}
        <a href="/slack">community chat</a>. To report a weakness in security, see{' '}
        <a href="/.well-known/security.txt">security.txt</a>.
      </p>
    </Article>
  );
}

function Newsletter({ outcome }: { readonly outcome?: FormOutcome }) {
  return (
    <Article
      title="Newsletter"
      lead="A letter when there is something worth telling: a new version, a better way to work. Rarely, and never to sell anything else."
    >
      <SignUpForm list="newsletter" {...(outcome === undefined ? {} : { outcome })} />
      <p>
        You get one message that asks you to confirm. Until you do, nothing is sent. Every letter says how to
        leave.
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

/** What the next version brings, from the file that the developers keep. */
function unreleased(changes: string): string {
  const [, rest = ''] = changes.split(/^## Unreleased\s*$/m);
  return (rest.split(/^## /m)[0] ?? '').trim();
}

function Changelog({ world }: { readonly world: SiteWorld }) {
  const next = unreleased(world.changes);
  return (
    <Article title="Changelog" lead="What changed in Posthaste, newest first.">
      <p className="feed">
        <a href="/changelog.atom">Feed (Atom)</a>
      </p>
      <div data-changelog="/api/app_releases" aria-busy="false">
        <p className="form-problem" data-problem="" role="alert" />
        <p className="loading" data-loading="" hidden>
          <span className="spinner" aria-hidden="true" /> Loading the changelog …
        </p>
        <div data-releases="">
          <span data-fill="releases" />
        </div>
      </div>
      {next === '' ? null : (
        <section className="release release-next">
          <h2 id="next">In the next version</h2>
          <Markdown text={next} reading={{ world, source: 'CHANGELOG.md' }} />
        </section>
      )}
    </Article>
  );
}

const formOutcomes = ['sent', 'email-missing', 'failed'] as const;

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

export function plainPages(world: SiteWorld): readonly Page[] {
  return [
    {
      path: '/pricing',
      title: 'Pricing · Posthaste',
      description:
        '$48 a year (equals $4/mo) or $6 a month. Two-week trial without a card or restrictions, unlimited devices.',
      body: <Pricing />,
      structured: [application],
    },
    {
      path: '/ios',
      title: 'Posthaste on iPhone and iPad',
      description: 'Install Posthaste on an iPhone or iPad in three taps, and use it without a network.',
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
      description: 'A letter when there is something worth telling about Posthaste. Rarely.',
      ...withOutcomes((outcome) => <Newsletter {...(outcome ? { outcome } : {})} />),
    },
    {
      path: '/slack',
      title: 'Community chat · Posthaste',
      description: 'The chat workspace of people who use Posthaste.',
      body: (
        <Article
          title="Community chat"
          lead="A workspace for people who use Posthaste: how others work, searches and recipes to share, answers before we get to them."
        >
          <p className="actions">
            <a className="button button-primary" href={links.community} target="_blank" rel="noopener">
              Join the workspace <Icon name="outside" />
            </a>
          </p>
          <p>
            Be kind, stay on the subject, and keep secrets out of it: what is written there is read by
            everybody in it. For anything about your account, <a href="/contact">write to us</a>.
          </p>
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
      'What Posthaste keeps about you, for how long, and how to get it or have it removed.',
    ),
    textPage(
      world,
      '/eula',
      'Licence agreement · Posthaste',
      'The end-user licence agreement, in plain language.',
    ),
    textPage(
      world,
      '/scheduled-maintenance',
      'Scheduled maintenance · Posthaste',
      'When maintenance happens, how long it takes, and why you can go on working.',
    ),
    textPage(
      world,
      MEASURED_PAGE,
      'How it is measured · Posthaste',
      'How the times on the front page are taken, on which machine, and all of them in one table.',
    ),
    textPage(
      world,
      '/calendar-integration-private-beta',
      'Calendar integration, private beta · Posthaste',
      'Planned: a read-only view of your calendar beside your tasks, and time-blocking, in a private beta.',
    ),
    textPage(
      world,
      '/updating-macro-variables-with-javascript',
      'Updating macro variables with JavaScript · Posthaste',
      'Planned: how a macro computes its variables, updateVariables(variables, state), and every field of the models it sees.',
    ),
  ];
}

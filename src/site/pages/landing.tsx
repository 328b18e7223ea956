// The front page.
import type { ReactNode } from 'react';
import { KEY_LIMIT_MS, MEASURED_PAGE, measuredFigures } from '../content/figures.ts';
import { isBuilt } from '../content/guide-list.ts';
import { links, MAC_REQUIREMENT, NEW_TAB, prices } from '../content/facts.ts';
import { GetIt } from '../parts/frame.tsx';
import { commandOf, KeysOf } from '../parts/keys.tsx';
import { Icon } from '../parts/mark.tsx';
import { Moments } from '../parts/moments.tsx';
import { filmOf, Overview } from '../parts/overview.tsx';
import { PhoneCarousel } from '../parts/phone-carousel.tsx';
import { Sharing } from '../parts/sharing.tsx';
import type { Page, SiteWorld } from '../world.ts';

interface DemoTask {
  readonly title: string;
  readonly level: 1 | 2;
  readonly due?: string;
  readonly isDone?: true;
  readonly label?: readonly [name: string, hue: 'teal' | 'orange'];
}

const DEMO: readonly DemoTask[] = [
  { title: 'Plan the winter issue', level: 1, label: ['Writing', 'teal'] },
  { title: 'Choose a photograph for the cover', level: 2, isDone: true },
  { title: 'Write the opening page', level: 2, due: 'today' },
  { title: 'Ask the printer for a proof', level: 2, label: ['Phone', 'orange'] },
  { title: 'Renew the post-office box', level: 1, due: 'Wed 2 Dec' },
  { title: 'Learn to fold an envelope from one sheet', level: 1 },
];

/** A list to try the keys on. Without scripts it is a picture of one. */
function Demo({ world }: { readonly world: SiteWorld }) {
  return (
    <div className="demo" data-demo="">
      <div className="demo-head" aria-hidden="true">
        <span className="demo-airmail" />
        <span className="demo-list">Winter issue</span>
      </div>
      <div
        className="demo-rows"
        role="listbox"
        aria-label="A list to try the keys on"
        tabIndex={0}
        data-early=""
      >
        {DEMO.map(({ title, level, due, isDone, label }, index) => (
          <div
            key={title}
            id={`demo-${index}`}
            role="option"
            aria-selected={index === 2}
            className={`demo-row level-${level}${isDone ? ' done' : ''}`}
          >
            <span className="demo-box" aria-hidden="true">
              <Icon name="check" size={12} />
            </span>
            <span className="demo-title">{title}</span>
            {label ? <span className={`demo-label hue-${label[1]}`}>{label[0]}</span> : null}
            {due ? <span className="demo-due">{due}</span> : null}
          </div>
        ))}
      </div>
      <p className="demo-hint">
        <span className="demo-touch">
          Tap a row to choose it, tap its box to complete it. With a keyboard:
        </span>
        <span className="demo-try">Click it, or press Tab, then try</span>{' '}
        <KeysOf world={world} id="cursor.down" /> <KeysOf world={world} id="cursor.up" /> to move,{' '}
        <KeysOf world={world} id="task.complete" /> to complete,{' '}
        <KeysOf world={world} id="task.createBelow" /> to add, <KeysOf world={world} id="task.indent" /> to
        indent, <KeysOf world={world} id="outline.escape" /> to leave.
      </p>
      <p className="visually-hidden" role="status" data-demo-status="" />
    </div>
  );
}

function Hero({ world }: { readonly world: SiteWorld }) {
  return (
    <section className="hero">
      <div className="hero-words">
        <h1>Your tasks, at the speed of your keyboard.</h1>
        <p className="lead">
          Posthaste is a task manager in which everything has a key and every key answers at once. It works
          without a network, on every device you have.
        </p>
        <p className="actions">
          <GetIt isLarge />
          <a className="button button-large button-quiet" href="/?demo" data-open-demo="">
            <Icon name="play" /> See it work
          </a>
        </p>
        <p className="small">Two weeks free, nothing left out, no card.</p>
      </div>
      <Demo world={world} />
    </section>
  );
}

/** What others fill with praise: figures, and how they were taken. */
function Facts() {
  return (
    <section className="split facts" aria-labelledby="measured">
      <div>
        <h2 id="measured">Under {KEY_LIMIT_MS}&nbsp;ms, measured</h2>
        <p>
          A key that answers within a twentieth of a second feels like your own hand. So that is the rule for
          everything you do in Posthaste, and a benchmark in its source holds us to it.
        </p>
        <p>
          These are times that 95 of 100 keys stay under, with 10,000 tasks, three runs pooled: from the key
          going down, as the browser saw it, to the end of the first frame that shows the result. Two cores of
          a shared server, no graphics card, Chromium 156. Raster and display are not in them. Your machine is
          probably faster.
        </p>
        <p>
          Anybody with a copy can take them again: <code>npm run bench</code>.{' '}
          <a href={MEASURED_PAGE}>How it is measured</a>
        </p>
      </div>
      <dl className="facts-column">
        {measuredFigures.map(({ text, what }) => (
          <div key={what}>
            <dt>{text}</dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Story({
  id,
  title,
  children,
  side,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: ReactNode;
  readonly side: ReactNode;
}) {
  return (
    <section className="split" aria-labelledby={id}>
      <div>
        <h2 id={id}>{title}</h2>
        {children}
      </div>
      <div className="split-side">{side}</div>
    </section>
  );
}

const PALETTE_ROWS = ['task.snooze', 'view.snoozed', 'task.start', 'list.sort'] as const;

function PalettePicture({ world }: { readonly world: SiteWorld }) {
  return (
    <div
      className="palette-picture"
      role="img"
      aria-label="The command palette, with “s” typed and commands beneath it"
    >
      <div className="palette-line">
        s<span className="caret" />
      </div>
      {PALETTE_ROWS.map((id, index) => {
        const { title, apple } = commandOf(world, id, 'The front page');
        return (
          <div key={id} className={index === 0 ? 'palette-row active' : 'palette-row'}>
            <span>{title}</span>
            {apple.length === 0 ? null : <KeysOf world={world} id={id} />}
          </div>
        );
      })}
    </div>
  );
}

function OfflinePicture() {
  const rows: readonly (readonly [what: string, state: string])[] = [
    ['Key goes down', 'the row is on screen'],
    ['A moment later', 'it is on your disk'],
    ['When there is a network', 'it is on your other devices'],
  ];
  return (
    <ol className="steps-picture">
      {rows.map(([what, state]) => (
        <li key={what}>
          <span>{what}</span>
          <strong>{state}</strong>
        </li>
      ))}
    </ol>
  );
}

function PriceStrip() {
  return (
    <section className="strip" aria-labelledby="strip-title">
      <h2 id="strip-title">
        ${prices.yearlyDollars} a year. That is ${prices.yearlyPerMonthDollars} a month.
      </h2>
      <p>
        Or ${prices.monthlyDollars} month by month. Any number of devices. Try it for two weeks first, without
        a card.
      </p>
      <p className="actions">
        <GetIt />
        <a className="button button-quiet" href="/pricing">
          Pricing
        </a>
      </p>
    </section>
  );
}

function DemoDialog({ world }: { readonly world: SiteWorld }) {
  const film = filmOf(world);
  return (
    <dialog className="dialog demo-dialog" data-demo-dialog="" aria-labelledby="demo-dialog-title">
      <div className="dialog-head">
        <h2 id="demo-dialog-title">Posthaste, in your hands</h2>
        <button className="button button-small" type="button" data-close="" aria-label="Close">
          Close <KeysOf world={world} id="dialog.leave" />
        </button>
      </div>
      {film === null ? (
        <p>
          The quickest way to see how it feels is to use it: the list below answers your keys, and so does the{' '}
          <a href={links.app} {...NEW_TAB}>
            web app
          </a>
          , without an account.
        </p>
      ) : (
        <Overview film={film} isLate />
      )}
      <div data-demo-place="" />
    </dialog>
  );
}

function Landing({ world }: { readonly world: SiteWorld }) {
  return (
    <>
      <Hero world={world} />
      <Moments world={world} />
      <Facts />
      <Story id="palette" title="One key knows all the others" side={<PalettePicture world={world} />}>
        <p>
          <KeysOf world={world} id="palette.open" /> opens the command palette: every command, every list,
          every task. It shows the key of whatever you choose, so that next time you do not need it.
        </p>
        <p>
          <a className="more" href="/guides/command-palette">
            How the palette works <Icon name="arrow" />
          </a>
        </p>
      </Story>
      <Story id="offline" title="Yours first, then everywhere" side={<OfflinePicture />}>
        <p>
          Your tasks live on your device. Nothing waits for a server: on a train, in a basement, on a bad
          evening for your provider, every key does what it always does, and what you did arrives later. If
          two devices change the same note, both texts stay.
        </p>
        <p>
          You can also <a href="/guides/disabling-cloud-sync">leave the cloud out</a> altogether.{' '}
          {isBuilt('encryption') ? (
            <>
              With <a href="/guides/encryption">end-to-end encryption</a> only your devices can read your
              tasks.
            </>
          ) : (
            <>
              End-to-end encryption is <a href="/guides/encryption">planned</a>, and not in the product yet.
            </>
          )}
        </p>
      </Story>
      <Sharing />
      <PhoneCarousel world={world} />
      <PriceStrip />
      {/* The latest releases, which the server knows. */}
      <span data-fill="news" />
      <section className="closing">
        <h2>The first task is one key away.</h2>
        <p>
          Open the web app, press <KeysOf world={world} id="task.createBelow" /> and type; on a phone, tap +.
          No account is needed. If you like it, sign up, and your other devices have it too.
        </p>
        <p className="actions">
          <GetIt isLarge />
        </p>
        <p className="small">
          For the Mac: {MAC_REQUIREMENT}. <a href="/ios">iPhone and iPad</a> install it from the browser.
        </p>
      </section>
      <DemoDialog world={world} />
    </>
  );
}

const offers = [
  { '@type': 'Offer', price: String(prices.yearlyDollars), priceCurrency: 'USD', name: 'Yearly' },
  { '@type': 'Offer', price: String(prices.monthlyDollars), priceCurrency: 'USD', name: 'Monthly' },
];

export const application = {
  '@context': 'https://schema.org',
  '@type': 'SoftwareApplication',
  name: 'Posthaste',
  applicationCategory: 'BusinessApplication',
  operatingSystem: 'macOS, iOS, iPadOS, Web',
  url: '/',
  offers,
};

/** The film for search engines, which want to know the day. */
function filmed(world: SiteWorld): readonly Readonly<Record<string, unknown>>[] {
  const film = filmOf(world);
  if (film === null || world.filmedOn === null) return [];
  return [
    {
      '@context': 'https://schema.org',
      '@type': 'VideoObject',
      name: 'Posthaste, an overview',
      description: 'Capture, plan, search and finish by keys: the real app, without a network.',
      thumbnailUrl: film.poster,
      contentUrl: film.mp4,
      uploadDate: world.filmedOn,
      duration: 'PT2M40S',
      transcript: film.transcript.join(' '),
    },
  ];
}

export function landingPage(world: SiteWorld): Page {
  return {
    path: '/',
    title: 'Posthaste: the task manager for your keyboard',
    description: `A keyboard-driven task manager that answers every key in under ${KEY_LIMIT_MS} ms, works without a network and syncs. Two weeks free, no card.`,
    body: <Landing world={world} />,
    structured: [
      application,
      {
        '@context': 'https://schema.org',
        '@type': 'Organization',
        name: 'Posthaste',
        url: '/',
        logo: '/icon.png',
      },
      { '@context': 'https://schema.org', '@type': 'WebSite', name: 'Posthaste', url: '/' },
      ...filmed(world),
    ],
  };
}

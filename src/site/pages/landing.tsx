// The front page.
import type { ReactNode } from 'react';
import { KEY_LIMIT_MS, MEASURED_PAGE, measuredFigures } from '../content/figures.ts';
import { isBuilt } from '../content/guide-list.ts';
import { palettePicture } from '../content/palette-picture.ts';
import { links, MAC_REQUIREMENT, NEW_TAB, NOTHING_TO_PAY, prices } from '../content/facts.ts';
import { GetIt } from '../parts/frame.tsx';
import { commandOf, KeysOf } from '../parts/keys.tsx';
import { Icon } from '../parts/mark.tsx';
import { Moments } from '../parts/moments.tsx';
import { filmOf, Overview } from '../parts/overview.tsx';
import { PhoneCarousel } from '../parts/phone-carousel.tsx';
import { Sharing } from '../parts/sharing.tsx';
import { When } from '../parts/when.tsx';
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
          Tap a row to select it. Tap its box to complete it. With a keyboard, press
        </span>
        <span className="demo-try">Click it or press Tab, then try</span>{' '}
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
        <h1>Done before you lift your finger.</h1>
        <p className="lead">
          Posthaste is a task manager where everything has a key, and 99 of 100 keys finish in under{' '}
          {KEY_LIMIT_MS} milliseconds. Online or off.
        </p>
        <p className="actions">
          <GetIt isLarge />
          <a className="button button-large button-quiet" href="/?demo" data-open-demo="">
            <Icon name="play" /> Watch the film
          </a>
        </p>
        <p className="small">
          Nothing to pay yet. No credit card, and no account to try it.{' '}
          <When
            has="installer"
            otherwise={
              <a href={links.download} data-download="">
                Install it from the browser
              </a>
            }
          />
        </p>
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
        <p>95 of 100 keys beat these numbers, with 10,000 tasks. A benchmark in the source checks them.</p>
        <p>
          We pooled three runs, from key press to the end of the finished frame. Two cores of a shared server,
          no graphics card, Chromium 156. Your display doesn’t count: the test machine has no screen. Your
          machine is probably faster.
        </p>
        <p>
          Run it yourself: <code>npm run bench</code>. <a href={MEASURED_PAGE}>How we measure</a>
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

function PalettePicture({ world }: { readonly world: SiteWorld }) {
  return (
    <div
      className="palette-picture"
      role="img"
      aria-label={`The command palette, with “${palettePicture.typed}” typed and matching commands below`}
    >
      <div className="palette-line">
        {palettePicture.typed}
        <span className="caret" />
      </div>
      {palettePicture.commands.map((id, index) => {
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
    ['You press a key', 'it’s on your screen'],
    ['A moment later', 'it’s on your disk'],
    ['Once you’re online', 'it’s on your other devices'],
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
      <h2 id="strip-title">Nothing to pay yet</h2>
      <p>
        {NOTHING_TO_PAY} Later it’s ${prices.yearlyDollars} a year ($
        {prices.yearlyPerMonthDollars} a month) or ${prices.monthlyDollars} monthly, on unlimited devices.
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
        <h2 id="demo-dialog-title">Try Posthaste here</h2>
        <button className="button button-small" type="button" data-close="" aria-label="Close">
          Close <KeysOf world={world} id="dialog.leave" />
        </button>
      </div>
      <div className="demo-both">
        {film === null ? (
          <p>
            To see how it feels, use it. This list takes your keys, and so does the{' '}
            <a href={links.app} {...NEW_TAB}>
              web app
            </a>
            . You don’t need an account.
          </p>
        ) : (
          <Overview film={film} isLate />
        )}
        <div data-demo-place="" />
      </div>
    </dialog>
  );
}

function Landing({ world }: { readonly world: SiteWorld }) {
  return (
    <>
      <Hero world={world} />
      <Moments world={world} />
      <Facts />
      <Story id="palette" title="One key finds all the others" side={<PalettePicture world={world} />}>
        <p>
          <KeysOf world={world} id="palette.open" /> opens the command palette: every command, every list,
          every task. The palette shows each shortcut as you go, so you need it less every week.
        </p>
        <p>
          <a className="more" href="/guides/command-palette">
            How the palette works <Icon name="arrow" />
          </a>
        </p>
      </Story>
      <Story id="offline" title="Works offline, syncs later" side={<OfflinePicture />}>
        <p>
          Your tasks live on your device. A dead connection changes nothing. Back online, your other devices
          catch up. Edit one note in two places and both edits survive.
        </p>
        <p>
          Or <a href="/guides/disabling-cloud-sync">turn sync off</a> and keep everything on one device.{' '}
          {isBuilt('encryption') ? (
            <>
              With <a href="/guides/encryption">end-to-end encryption</a>, only your devices can read your
              tasks.
            </>
          ) : (
            <>
              End-to-end encryption is <a href="/guides/encryption">planned</a>. It’s not in the product yet.
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
        <h2>Your first task is one key away.</h2>
        <p>
          Open the web app, press <KeysOf world={world} id="task.createBelow" /> and type. On a phone, tap +.
          You don’t need an account. Like it? Sign up to get it on your other devices.
        </p>
        <p className="actions">
          <GetIt isLarge />
        </p>
        <p className="small">
          <When
            has="installer"
            otherwise={
              <>
                On a Mac and elsewhere, it{' '}
                <a href={links.download} data-download="">
                  installs from the browser
                </a>
                ,{' '}
              </>
            }
          >
            For the Mac: {MAC_REQUIREMENT}. It also installs from the browser{' '}
          </When>
          on <a href="/ios">iPhone and iPad</a>.
        </p>
      </section>
      <DemoDialog world={world} />
    </>
  );
}

/** What holds today: search engines show it as the price. */
const offers = [{ '@type': 'Offer', price: '0', priceCurrency: 'USD' }];

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
      description: 'Capture, plan, search, and finish with keys. It’s the real app, offline.',
      thumbnailUrl: film.poster,
      contentUrl: film.mp4,
      uploadDate: world.filmedOn,
      duration: 'PT2M40S',
      transcript: film.transcript.join(' '),
    },
  ];
}

/** `/`, with the structured data that describes the product to search engines. */
export function landingPage(world: SiteWorld): Page {
  return {
    path: '/',
    title: 'Posthaste: the task manager for your keyboard',
    description: `A keyboard-driven task manager where 99 of 100 keys finish in under ${KEY_LIMIT_MS} ms. Works offline and syncs. Nothing to pay yet.`,
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

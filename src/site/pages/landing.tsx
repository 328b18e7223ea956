// The front page.
import { HEADLINE_LIMIT_MS, KEY_LIMIT_MS, MEASURED_PAGE } from '../content/figures.ts';
import { palettePicture } from '../content/palette-picture.ts';
import { links, MAC_REQUIREMENT, NEW_TAB, NOTHING_TO_PAY, prices } from '../content/facts.ts';
import { Demo } from '../parts/demo.tsx';
import { Figures } from '../parts/figures.tsx';
import { GetIt } from '../parts/frame.tsx';
import { commandOf, KeysOf } from '../parts/keys.tsx';
import { Icon } from '../parts/mark.tsx';
import { Moments } from '../parts/moments.tsx';
import { filmOf, Overview } from '../parts/overview.tsx';
import { Together } from '../parts/together.tsx';
import { PhoneCarousel } from '../parts/phone-carousel.tsx';
import { textWhen, When } from '../parts/when.tsx';
import type { Page, SiteWorld } from '../world.ts';

function Hero({ world }: { readonly world: SiteWorld }) {
  return (
    <section className="hero">
      <div className="hero-head">
        <h1>Done before you lift your finger.</h1>
        <div>
          <p className="lead for-keys">
            Posthaste is a task manager where everything has a key, and 99 of 100 keys finish in under{' '}
            {KEY_LIMIT_MS} milliseconds. Online or off. On our server or yours.
          </p>
          <p className="lead for-fingers">
            Posthaste is a task manager that answers every tap and every key right away. Online or off. On our
            server or yours.
          </p>
          <p className="actions">
            <GetIt isLarge />
            <a className="button button-large button-quiet" href="/?demo" data-open-demo="">
              <Icon name="play" /> Watch the film <span className="length">2:40</span>
            </a>
          </p>
          <p className="small">
            {textWhen('billing', 'Two weeks free. No credit card', 'Free on this server')}, and no account to
            try it.{' '}
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
      </div>
      <Demo world={world} />
    </section>
  );
}

/** What others fill with praise: figures, with the page that says how they were taken. */
function Proof() {
  return (
    <section className="band proof" aria-labelledby="measured">
      <h2 id="measured">100,000 tasks. Still under {HEADLINE_LIMIT_MS}&nbsp;ms.</h2>
      <p className="lead">
        From key press to finished frame, with 100,000 tasks loaded. 95 of 100 keys beat these numbers, on two
        shared cores and no graphics card.
      </p>
      <Figures />
      <p>
        <a className="more" href={MEASURED_PAGE}>
          Method, every table, other apps <Icon name="arrow" />
        </a>
      </p>
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
            {apple.length === 0 ? null : (
              <span className="for-keys">
                <KeysOf world={world} id={id} />
              </span>
            )}
          </div>
        );
      })}
    </div>
  );
}

/** What a key leads to, in its order. */
const ROUTE: readonly (readonly [where: string, when: string])[] = [
  ['Key down', ''],
  ['On screen', ' in the next frame'],
  ['On disk', ' a moment after that'],
  ['On your other devices', ' next time you’re online'],
];

/** That title as a device sealed it once, cut. */
const SEALED = 'AQAAAAEpVVL3ts2RXWqIl0XaOgagZyc_A8uehKD6Ks1';

function Cards({ world }: { readonly world: SiteWorld }) {
  return (
    <section className="band cards" aria-label="How it works">
      <div className="card">
        <h2>
          <span className="for-keys">
            Forgot the key? Press <KeysOf world={world} id="palette.open" />
          </span>
          <span className="for-fingers">One search for everything.</span>
        </h2>
        <p>
          Type a few letters to find any command, list, or task.{' '}
          <span className="for-keys">
            The palette shows each key as you go, so you need it less every week.
          </span>
        </p>
        <PalettePicture world={world} />
        <p className="mores">
          <a className="more" href="/guides/command-palette">
            How the palette works <Icon name="arrow" />
          </a>
        </p>
      </div>
      <div className="card card-network">
        <div>
          <h2>The network is optional.</h2>
          <p>
            Your tasks live on your device, so a dead connection changes nothing. Back online, your other
            devices catch up. Edit one note in two places and both edits survive.
          </p>
        </div>
        <div>
          <ol className="route">
            {ROUTE.map(([where, when]) => (
              <li key={where}>
                <strong>{where}</strong>
                {when}
              </li>
            ))}
          </ol>
          <p>
            Or <a href="/guides/disabling-cloud-sync">turn sync off</a> and keep everything on one device.
          </p>
          <p>
            <a className="more" href="/ios">
              On iPhone and iPad <Icon name="arrow" />
            </a>
          </p>
        </div>
        <PhoneCarousel world={world} />
      </div>
      <div className="card card-third card-together">
        <div>
          <h2>Share a list with one link.</h2>
          <p>
            Anyone who opens it can join. See who’s there and which task they’re on, as it happens. Your undo
            only undoes you. <a href="/guides/shared-lists">How shared lists work</a>
          </p>
        </div>
        <Together world={world} />
      </div>
      <div className="card card-third">
        <h2>Encrypt it end to end.</h2>
        <p>
          Turn it on and tasks are encrypted before they leave your device. The server can’t read them.{' '}
          <a href="/guides/encryption">Lists you share can stay encrypted, too.</a>
        </p>
        <div className="sealed" aria-hidden="true">
          <div>
            <strong>You see</strong>
            Ask the printer for a proof
          </div>
          <Icon name="lock" />
          <div>
            <strong>The server sees</strong>
            <span>{SEALED}</span>
          </div>
        </div>
      </div>
      <div className="card card-third">
        <h2>Turn eight keys into one.</h2>
        <p>
          String commands into a macro <span className="for-keys">and give it a key</span>
          <span className="for-fingers">and run it by name</span>. One undo takes the whole thing back.{' '}
          <a href="/guides/macros">How macros work</a>
        </p>
        <ol className="macro" aria-hidden="true">
          <li>
            Waiting for reply
            <span className="for-keys">
              <kbd>W</kbd>
            </span>
          </li>
          <li>Add label “Waiting”</li>
          <li>Snooze until next Monday</li>
        </ol>
      </div>
    </section>
  );
}

const TERMINALS: readonly (readonly [title: string, note: string, code: string])[] = [
  [
    'Command line',
    'same words as the app',
    "$ posthaste add 'Call the plumber tomorrow 9am #phone'\n$ posthaste list\n$ posthaste complete 4e1a77",
  ],
  [
    'Your own server',
    'one command in a copy of the source',
    '$ npm start\nPosthaste is ready at http://localhost:4040',
  ],
  [
    'HTTP API',
    'bearer token, 60 writes a minute',
    '$ curl https://your.server/api/tasks \\\n    -H "Authorization: Bearer $TOKEN" \\\n    --json \'{"title": "Call the plumber"}\'',
  ],
  [
    'MCP',
    'every agent edit shows in history, one undo away',
    '{ "mcpServers": { "posthaste": {\n    "command": "posthaste",\n    "args": ["mcp", "--read-only"] } } }',
  ],
];

function Developers() {
  return (
    <section className="band band-sunken developers" aria-labelledby="developers">
      <h2 id="developers">Script it. Host it. Keep&nbsp;it.</h2>
      <p className="lead">
        An HTTP API, a command line, and an MCP server for your agents. Export to JSON or Markdown whenever
        you like.
      </p>
      <div className="terminals">
        {TERMINALS.map(([title, note, code]) => (
          <div key={title} className="terminal">
            <h3>
              {title} <span>{note}</span>
            </h3>
            <pre tabIndex={0} role="region" aria-label={title}>
              <code>{code}</code>
            </pre>
          </div>
        ))}
      </div>
      <p>
        One process, no database to set up, MIT licensed. <a href="/guides/api">API guide</a> ·{' '}
        <a href="/api-reference">API reference</a> · <a href="/guides/exporting">Exporting</a>
      </p>
    </section>
  );
}

/** Where a server asks for nothing. */
function Free() {
  return (
    <>
      <div>
        <h2 id="prices">Nothing to buy here.</h2>
        <p className="lead">{NOTHING_TO_PAY}</p>
        <p className="actions">
          <a className="button button-quiet" href="/pricing">
            What’s in it
          </a>
        </p>
      </div>
      <dl>
        <div>
          <dt>
            Free <small>all of it</small>
          </dt>
          <dd>for as long as you like</dd>
        </div>
      </dl>
    </>
  );
}

function Prices() {
  return (
    <section className="band prices" aria-labelledby="prices">
      <When has="billing" otherwise={<Free />}>
        <div>
          <h2 id="prices">One plan. Two ways to pay.</h2>
          <p className="lead">Try all of it free for two weeks. No credit card, no restricted features.</p>
          <p className="actions">
            <a className="button button-quiet" href="/pricing">
              See pricing
            </a>
          </p>
        </div>
        <dl>
          <div>
            <dt>
              ${prices.yearlyDollars} <small>a year</small>
            </dt>
            <dd>that’s ${prices.yearlyPerMonthDollars}/mo</dd>
          </div>
          <div>
            <dt>
              ${prices.monthlyDollars} <small>a month</small>
            </dt>
            <dd>cancel anytime</dd>
          </div>
        </dl>
      </When>
    </section>
  );
}

function Closing({ world }: { readonly world: SiteWorld }) {
  return (
    <section className="closing">
      <div>
        <h2>
          Your first task is one <span className="for-keys">key</span>
          <span className="for-fingers">tap</span> away.
        </h2>
        <p className="lead for-keys">
          Open the app, press <KeysOf world={world} id="task.createBelow" />, and type. No account needed.
        </p>
        <p className="lead for-fingers">Open the app, tap the plus, and type. No account needed.</p>
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
                .{' '}
              </>
            }
          >
            Mac: {MAC_REQUIREMENT}.{' '}
          </When>
          <a href="/ios">iPhone and iPad</a>: add it to your Home Screen.
        </p>
      </div>
    </section>
  );
}

function DemoDialog({ world }: { readonly world: SiteWorld }) {
  const film = filmOf(world);
  return (
    <dialog className="dialog demo-dialog" data-demo-dialog="" aria-labelledby="demo-dialog-title">
      <div className="dialog-head">
        <h2 id="demo-dialog-title">Posthaste in 2:40</h2>
        <button className="button button-small" type="button" data-close="" aria-label="Close">
          Close <KeysOf world={world} id="dialog.leave" />
        </button>
      </div>
      {film === null ? (
        <p>
          To see how it feels, use it. The list on this page takes your keys, and so does the{' '}
          <a href={links.app} {...NEW_TAB}>
            web app
          </a>
          . You don’t need an account.
        </p>
      ) : (
        <Overview film={film} isLate />
      )}
    </dialog>
  );
}

function Landing({ world }: { readonly world: SiteWorld }) {
  return (
    <>
      <Hero world={world} />
      <Moments world={world} />
      <Proof />
      <Cards world={world} />
      <Developers />
      <Prices />
      {/* The latest releases, which the server knows. */}
      <span data-fill="news" />
      <Closing world={world} />
      <DemoDialog world={world} />
    </>
  );
}

/** Search engines show it as the price. */
const offers = [
  { '@type': 'Offer', price: textWhen('billing', String(prices.yearlyDollars), '0'), priceCurrency: 'USD' },
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
    description: `A keyboard-driven task manager where 99 of 100 keys finish in under ${KEY_LIMIT_MS} ms. Works offline and syncs. ${textWhen('billing', 'Two weeks free', 'Free on this server')}.`,
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

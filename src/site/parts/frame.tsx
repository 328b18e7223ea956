// What stands around every page: the way past the navigation, the bar, the footer.
import type { ReactNode } from 'react';
import { MEASURED_PAGE } from '../content/figures.ts';
import { links, NEW_TAB, PRODUCT } from '../content/facts.ts';
import { Icon, Mark } from './mark.tsx';
import { textWhen, When } from './when.tsx';

/**
 * Opens the app, or fetches what there is to be installed for visitors who can use it: the server knows what there is, the style
 * sheet who the visitor is.
 */
export function GetIt({ isLarge }: { readonly isLarge?: true }) {
  const look = `button button-primary${isLarge ? ' button-large' : ''}`;
  const download = (system: 'mac' | 'ios') => (
    <a className={`${look} only-${system}`} href={links.download} data-download="">
      <Icon name="download" /> Download
    </a>
  );
  return (
    <>
      <When has="installer">{download('mac')}</When>
      <When has="phone">{download('ios')}</When>
      <a
        className={look + textWhen('installer', ' not-mac') + textWhen('phone', ' not-ios')}
        href={links.app}
        {...NEW_TAB}
      >
        Open the web app
      </a>
    </>
  );
}

function Bar({ path }: { readonly path: string }) {
  const current = (href: string) =>
    path === href || path.startsWith(`${href}/`) ? ({ 'aria-current': 'page' } as const) : {};
  return (
    <header className="bar" id="bar">
      <nav className="bar-inner" aria-label="Main">
        <a className="brand" href="/" aria-label={`${PRODUCT}, home`}>
          <Mark />
          <span className="wordmark">{PRODUCT}</span>
        </a>
        <div className="bar-links">
          <a href="/guides" {...current('/guides')}>
            Guides
          </a>
          <a href="/pricing" {...current('/pricing')}>
            Pricing
          </a>
          <a href="/contact" className="bar-contact" {...current('/contact')}>
            Contact
          </a>
          <a href={links.download} className="bar-download" data-download="">
            Download
          </a>
          <a href={links.app} className="button button-small button-primary" {...NEW_TAB}>
            Open app
          </a>
        </div>
      </nav>
    </header>
  );
}

/** `outside`: opens a tab of its own, as `social` does. `social`, `billing`: only where the server has it. */
type FooterLink = readonly [label: string, href: string, kind?: 'outside' | 'social' | 'billing'];

const COLUMNS: readonly (readonly [title: string, links: readonly FooterLink[]])[] = [
  [
    'Product',
    [
      ['Pricing', '/pricing'],
      ['iPhone and iPad', '/ios'],
      ['Changelog', '/changelog'],
      ['Speed', MEASURED_PAGE],
      ['Web app', links.app, 'outside'],
    ],
  ],
  [
    'Learn',
    [
      ['Guides', '/guides'],
      ['Hotkeys', '/guides/hotkeys'],
      ['Cheat sheet', '/guides/hotkeys/cheat-sheet'],
      ['API', '/guides/api'],
      ['Affiliates', '/guides/affiliates', 'billing'],
    ],
  ],
  [
    'Talk to us',
    [
      ['Contact', '/contact'],
      ['Community chat', '/slack'],
      ['Newsletter', '/newsletter'],
      ['Social', links.social, 'social'],
      ['Press kit', links.pressKit],
    ],
  ],
  [
    'Legal',
    [
      ['Privacy', '/privacy'],
      ['Security', '/security'],
      ['License agreement', '/eula'],
      ['Maintenance', '/scheduled-maintenance'],
    ],
  ],
];

function FooterItem({ entry: [label, href, kind] }: { readonly entry: FooterLink }) {
  const isOutside = kind === 'outside' || kind === 'social';
  return (
    <li>
      <a href={href} {...(isOutside ? NEW_TAB : {})}>
        {label}
        {isOutside ? <span className="visually-hidden"> (new tab)</span> : null}
      </a>
    </li>
  );
}

function Footer() {
  return (
    <footer className="footer">
      <div className="footer-inner">
        <div className="footer-brand">
          <a className="brand" href="/" aria-label={`${PRODUCT}, home`}>
            <Mark />
            <span className="wordmark">{PRODUCT}</span>
          </a>
          <p>Every task, one key away.</p>
          <fieldset className="theme" data-theme-choice="">
            <legend className="visually-hidden">Colors</legend>
            {(['auto', 'light', 'dark'] as const).map((theme) => (
              <label key={theme}>
                <input type="radio" name="theme" value={theme} defaultChecked={theme === 'auto'} />
                <span>{theme === 'auto' ? 'Auto' : theme === 'light' ? 'Light' : 'Dark'}</span>
              </label>
            ))}
          </fieldset>
        </div>
        {COLUMNS.map(([title, entries]) => (
          <nav key={title} aria-label={title}>
            <h2>{title}</h2>
            <ul>
              {entries.map((entry) => {
                const item = <FooterItem key={entry[1]} entry={entry} />;
                const kind = entry[2] ?? 'outside';
                return kind === 'outside' ? (
                  item
                ) : (
                  <When key={entry[1]} has={kind}>
                    {item}
                  </When>
                );
              })}
            </ul>
          </nav>
        ))}
      </div>
    </footer>
  );
}

/** Puts the bar and the footer around a page's body. `path` decides which link of the bar is current. */
export function Frame({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  return (
    <>
      <a className="skip" href="#main">
        Skip to content
      </a>
      <Bar path={path} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer />
      <div className="page-end" hidden />
    </>
  );
}

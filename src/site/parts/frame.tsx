// What stands around every page: the way past the navigation, the bar, the footer.
import type { ReactNode } from 'react';
import { MEASURED_PAGE } from '../content/figures.ts';
import { links, NEW_TAB, PRODUCT } from '../content/facts.ts';
import { Icon, Mark } from './mark.tsx';

/** Opens the app, or fetches the installer for visitors who can use one: both are there, the style sheet chooses. */
export function GetIt({ isLarge }: { readonly isLarge?: true }) {
  const size = isLarge ? ' button-large' : '';
  return (
    <>
      <a className={`button button-primary${size} only-apple`} href={links.download} data-download="">
        <Icon name="download" /> Download
      </a>
      <a className={`button button-primary${size} not-apple`} href={links.app} {...NEW_TAB}>
        Open the web app
      </a>
    </>
  );
}

function Bar({ path }: { readonly path: string }) {
  const current = (href: string) =>
    path === href || path.startsWith(`${href}/`) ? ({ 'aria-current': 'page' } as const) : {};
  return (
    <header className="bar" data-bar="">
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

type FooterLink = readonly [label: string, href: string, outside?: 'outside'];

const COLUMNS: readonly (readonly [title: string, links: readonly FooterLink[]])[] = [
  [
    'Product',
    [
      ['Pricing', '/pricing'],
      ['iPhone and iPad', '/ios'],
      ['Changelog', '/changelog'],
      ['Open the web app', links.app, 'outside'],
    ],
  ],
  [
    'Learn',
    [
      ['Guides', '/guides'],
      ['All guides on one page', '/all-guides'],
      ['Cheat sheet', '/guides/hotkeys/cheat-sheet'],
      ['API', '/guides/api'],
      ['Affiliates', '/guides/affiliates'],
    ],
  ],
  [
    'Stay in touch',
    [
      ['Contact', '/contact'],
      ['Community chat', '/slack'],
      ['Newsletter', '/newsletter'],
      ['Social profile', links.social, 'outside'],
      ['Press kit', links.pressKit],
    ],
  ],
  [
    'Fine print',
    [
      ['Privacy', '/privacy'],
      ['Licence agreement', '/eula'],
      ['Scheduled maintenance', '/scheduled-maintenance'],
      ['How it is measured', MEASURED_PAGE],
      ['Calendar beta', '/calendar-integration-private-beta'],
    ],
  ],
];

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
            <legend className="visually-hidden">Colours</legend>
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
              {entries.map(([label, href, outside]) => (
                <li key={href}>
                  <a href={href} {...(outside ? NEW_TAB : {})}>
                    {label}
                    {outside ? <span className="visually-hidden"> (new tab)</span> : null}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        ))}
      </div>
    </footer>
  );
}

export function Frame({ path, children }: { readonly path: string; readonly children: ReactNode }) {
  return (
    <>
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <div className="airmail" aria-hidden="true" />
      <Bar path={path} />
      <main id="main" tabIndex={-1}>
        {children}
      </main>
      <Footer />
    </>
  );
}

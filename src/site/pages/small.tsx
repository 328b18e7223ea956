// Pages that one passes through: ways out of the site, confirmations, a forgotten password, and what is not there.
import type { ReactNode } from 'react';
import { links, NEW_TAB } from '../content/facts.ts';
import { Article } from '../parts/article.tsx';
import { ForgotPasswordForm, type FormOutcome, formTexts } from '../parts/forms.tsx';
import type { Page } from '../world.ts';

function outcomeOf(title: string, text: ReactNode): ReactNode {
  return <Article title={title}>{text}</Article>;
}

/** A page about an address that the operator has not set. */
const unset = (path: string, title: string, children: ReactNode): Page => ({
  path,
  title: `${title} · Posthaste`,
  description: `${title}.`,
  isIndexed: false,
  body: <Article title={title}>{children}</Article>,
});

function leadingOut(): readonly Page[] {
  return [
    unset(
      '/download',
      'Download',
      <>
        <p>
          There is no installer for the Mac on this server. The web app is the whole program: it opens at
          once, without an account, and works without a network.
        </p>
        <p className="actions">
          <a className="button button-primary" href={links.app} {...NEW_TAB}>
            Open the web app
          </a>
        </p>
        <h2>Install it</h2>
        <ul>
          <li>
            <strong>Mac, Safari:</strong> open the{' '}
            <a href={links.app} {...NEW_TAB}>
              web app
            </a>
            , then File, Add to Dock.
          </li>
          <li>
            <strong>Mac, Windows, Linux, Chrome or Edge:</strong> open it and press the install button in the
            address field.
          </li>
          <li>
            <strong>iPhone and iPad:</strong> <a href="/ios">Add to Home Screen</a>.
          </li>
        </ul>
      </>,
    ),
    unset(
      links.appStore,
      'App Store',
      <p>
        There is no app in the store yet. <a href="/ios">Installing from the browser</a> takes three taps.
      </p>,
    ),
    unset(
      links.social,
      'Social profile',
      <p>
        This server names no social profile. News is in the <a href="/changelog">changelog</a> and the{' '}
        <a href="/newsletter">newsletter</a>.
      </p>,
    ),
    unset(
      links.community,
      'Chat workspace',
      <p>
        This server names no chat workspace. <a href="/contact">Write to us</a> instead.
      </p>,
    ),
  ];
}

function ForgotPassword({ outcome }: { readonly outcome?: FormOutcome }) {
  return (
    <article className="page prose narrow">
      <h1>Forgot your password?</h1>
      <p className="lead">Enter the address of your account. We send a link that is good for 30 minutes.</p>
      <ForgotPasswordForm {...(outcome === undefined ? {} : { outcome })} />
    </article>
  );
}

export function smallPages(): readonly Page[] {
  return [
    {
      path: '/purchase',
      title: 'Opening Posthaste',
      description: 'Opens the purchase in the app.',
      isIndexed: false,
      body: (
        <Article
          title="Opening Posthaste …"
          lead="Your browser may ask first. If nothing happens, press the button."
        >
          <p data-open-app="web+posthaste:purchase" className="actions">
            <a className="button button-primary" href="web+posthaste:purchase">
              Open the app
            </a>
            <a className="button" href="/app/open/purchase">
              Continue in the web app
            </a>
          </p>
          <p>
            Still nothing? The app may not be installed here:{' '}
            <a href={links.download} data-download="">
              see how to get it
            </a>
            .
          </p>
        </Article>
      ),
    },
    {
      path: '/confirm',
      title: 'Confirm your address · Posthaste',
      description: 'Confirms a sign-up.',
      isIndexed: false,
      isSecret: true,
      body: (
        <Article title="Confirm your address" lead="One press, and we know that it was you who signed up.">
          <form method="post" className="actions">
            <button className="button button-primary" name="choice" value="confirm">
              Confirm
            </button>
            <button className="button" name="choice" value="remove">
              Remove my address
            </button>
          </form>
        </Article>
      ),
      outcomes: {
        confirmed: outcomeOf('Confirmed', <p>Thank you. Your address is confirmed.</p>),
        removed: outcomeOf('Removed', <p>Your address was removed. Nothing more is sent to it.</p>),
        failed: outcomeOf(
          formTexts.failed,
          <p>
            Open the link in the letter once more in a few minutes, or <a href="/contact">write to us</a>.
          </p>,
        ),
        unknown: outcomeOf(
          'This link is not valid',
          <p>
            It was used to remove the address, or it was never ours. <a href="/contact">Write to us</a> if you
            think otherwise.
          </p>,
        ),
      },
    },
    {
      path: '/forgot-password',
      title: 'Forgot your password? · Posthaste',
      description: 'Ask for a link that lets you choose a new password.',
      isIndexed: false,
      body: <ForgotPassword />,
      outcomes: {
        'email-missing': <ForgotPassword outcome="email-missing" />,
        failed: <ForgotPassword outcome="failed" />,
        sent: (
          <article className="page prose narrow">
            <h1>Look into your mailbox</h1>
            <p className="lead">
              If there is an account with this address, a link is on its way to it. It is good for 30 minutes,
              once.
            </p>
          </article>
        ),
      },
    },
    ...leadingOut(),
    {
      path: '/404',
      title: 'Page not found · Posthaste',
      description: 'There is no page at this address.',
      isIndexed: false,
      body: (
        <Article title="Page not found" lead="There is no page at this address.">
          <p className="actions">
            <a className="button button-primary" href="/">
              Home
            </a>
            <a className="button" href="/contact">
              Contact
            </a>
          </p>
        </Article>
      ),
    },
  ];
}

// Pages that visitors pass through: ways out of the site, confirmations, a forgotten password, and “Page not
// found”.
import type { ReactNode } from 'react';
import { links, NEW_TAB, NOTHING_TO_PAY } from '../content/facts.ts';
import { Article } from '../parts/article.tsx';
import { When } from '../parts/when.tsx';
import { formTexts } from '../content/form-texts.ts';
import { ForgotPasswordForm, type FormOutcome } from '../parts/forms.tsx';
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
      'Get Posthaste',
      <>
        <p className="lead">
          <When
            has="desktop"
            otherwise="There’s no Mac download on this server yet. The web app does everything and works offline. Install it from your browser."
          >
            The desktop client opens without a network from the first start, and takes quick entry from any
            program. Or install the web app from your browser.
          </When>
        </p>
        <span data-fill="downloads" />
        <p className="actions">
          <a className="button button-primary" href={links.app} {...NEW_TAB}>
            Open the web app
          </a>
        </p>
        <h2>Install the web app</h2>
        <ul>
          <li>
            <strong>Mac, Safari:</strong> open the{' '}
            <a href={links.app} {...NEW_TAB}>
              web app
            </a>
            , then File, Add to Dock.
          </li>
          <li>
            <strong>Mac, Windows, Linux, Chrome or Edge:</strong> open it and click the install button in the
            address bar.
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
        There’s no app in the App Store yet. <a href="/ios">Install it from your browser</a> in three taps.
      </p>,
    ),
    unset(
      links.social,
      'Social profile',
      <p>
        This server doesn’t have a social profile. For news, see the <a href="/changelog">changelog</a> and
        the <a href="/newsletter">newsletter</a>.
      </p>,
    ),
    unset(
      links.community,
      'Chat workspace',
      <p>
        This server doesn’t have a chat workspace. <a href="/contact">Write to us</a> instead.
      </p>,
    ),
  ];
}

function ForgotPassword({ outcome }: { readonly outcome?: FormOutcome }) {
  return (
    <article className="page prose narrow">
      <h1>Forgot your password?</h1>
      <p className="lead">
        Enter your account’s email address.{' '}
        <When
          has="mail"
          otherwise="This server doesn’t send email. Ask the person who runs it for your link. It works for 30 minutes."
        >
          We’ll send a link that works for 30 minutes.
        </When>
      </p>
      <ForgotPasswordForm {...(outcome === undefined ? {} : { outcome })} />
    </article>
  );
}

function paying(): readonly Page[] {
  return [
    {
      path: '/purchase',
      title: 'Opening Posthaste',
      description: 'Opens the app.',
      isIndexed: false,
      body: (
        <Article
          title="Opening Posthaste…"
          lead="Your browser may ask first. If nothing happens, click the button."
        >
          <When has="billing" otherwise={<p>{NOTHING_TO_PAY}</p>}>
            <p>
              The app shows your plan and both prices. You pay on a page of Stripe, in your browser. New here?
              Sign up in the app first: two weeks are free, and no credit card is needed.
            </p>
          </When>
          <p data-open-app="web+posthaste:purchase" className="actions">
            <a className="button button-primary" href="web+posthaste:purchase">
              Open the app
            </a>
            <a className="button" href="/app/open/purchase">
              Continue in the web app
            </a>
          </p>
          <p>
            Still nothing? The app may not be installed:{' '}
            <a href={links.download} data-download="">
              see how to get it
            </a>
            .
          </p>
        </Article>
      ),
    },
    {
      // What stands on it the server fills in, for each partner (server/billing/partner-page.ts).
      path: '/partner',
      title: 'Your earnings · Posthaste',
      description: 'What a partner earned.',
      isIndexed: false,
      isSecret: true,
      body: (
        <article className="page prose">
          <h1>Your earnings</h1>
          <span data-fill="statement" />
        </article>
      ),
    },
  ];
}

/** `/purchase`, `/confirm`, `/forgot-password`, the ways out of the site, and `/404`. */
export function smallPages(): readonly Page[] {
  return [
    ...paying(),
    {
      path: '/confirm',
      title: 'Confirm your address · Posthaste',
      description: 'Confirms a sign-up.',
      isIndexed: false,
      isSecret: true,
      body: (
        <Article title="Confirm your address" lead="Click once to confirm that you signed up.">
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
        confirmed: outcomeOf('Confirmed', <p>Thanks. Your address is confirmed.</p>),
        removed: outcomeOf('Removed', <p>We removed your address. We won’t send anything else.</p>),
        failed: outcomeOf(
          formTexts.failed,
          <p>
            Open the link in the email again in a few minutes, or <a href="/contact">write to us</a>.
          </p>,
        ),
        unknown: outcomeOf(
          'This link doesn’t work',
          <p>
            It already removed the address, or it isn’t ours. If that’s wrong,{' '}
            <a href="/contact">write to us</a>.
          </p>,
        ),
      },
    },
    {
      path: '/forgot-password',
      title: 'Forgot your password? · Posthaste',
      description: 'Get a link to choose a new password.',
      isIndexed: false,
      body: <ForgotPassword />,
      outcomes: {
        'email-missing': <ForgotPassword outcome="email-missing" />,
        'email-invalid': <ForgotPassword outcome="email-invalid" />,
        failed: <ForgotPassword outcome="failed" />,
        sent: (
          <article className="page prose narrow">
            <h1>
              <When has="mail" otherwise="Ask the person who runs this server">
                Check your email
              </When>
            </h1>
            <p className="lead">
              <When
                has="mail"
                otherwise="This server doesn’t send email. If there’s an account for that address, the link is in the server’s outbox. It works once, for 30 minutes."
              >
                If there’s an account for that address, we’ve sent a link. It works once, for 30 minutes.
              </When>
            </p>
          </article>
        ),
      },
    },
    ...leadingOut(),
    {
      path: '/404',
      title: 'Page not found · Posthaste',
      description: 'Nothing lives at this address. The link may be old, or there’s a typo.',
      isIndexed: false,
      body: (
        <div className="page not-found">
          <p className="returned">Return to sender</p>
          <h1>Page not found</h1>
          <p className="lead">Nothing lives at this address. The link may be old, or there’s a typo.</p>
          <p className="actions">
            <a className="button button-primary" href="/">
              Go home
            </a>
            <a className="button" href="/contact">
              Contact us
            </a>
          </p>
        </div>
      ),
    },
  ];
}

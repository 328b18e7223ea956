// `/a/{promoCode}`: an affiliate's invitation, with what it is worth and how to use it.
import { useEffect, useState } from 'react';
import { links, NEW_TAB } from '../content/facts.ts';
import { Overview } from '../parts/overview.tsx';
import type { Film } from '../world.ts';
import { Outcome } from './outcome.tsx';
import { type PromoCode, readPromoCode } from './shapes.ts';

export type InvitationState =
  | { readonly type: 'loading' }
  | { readonly type: 'error' }
  | { readonly type: 'loaded'; readonly code: string; readonly promo: PromoCode };

function Steps({ code, promo }: { readonly code: string; readonly promo: PromoCode }) {
  return (
    <>
      <h2>Steps to get your {promo.discount_percentage}% discount</h2>
      <ol className="numbered">
        <li>
          <a href={links.download} data-download="">
            Download and install
          </a>{' '}
          the app.
        </li>
        <li>Open the app and create an account.</li>
        <li>
          <a href={`web+posthaste:enter-promo-code/${encodeURIComponent(code)}`}>Click here</a> to redeem your
          discount. On the web?{' '}
          <a href={`/app/open/enter-promo-code/${encodeURIComponent(code)}`}>Redeem it in the web app</a>.
        </li>
      </ol>
      <p className="aside">
        No purchase is needed now. The promo code is applied automatically when you subscribe.
      </p>
    </>
  );
}

/** A name with more letters than these is set smaller, into the same place. */
const LONG_NAME = 16;
const ENDLESS_NAME = 40;

function sizeOf(name: string): string | undefined {
  if (name.length > ENDLESS_NAME) return 'endless';
  return name.length > LONG_NAME ? 'long' : undefined;
}

type Told = Exclude<InvitationState, { readonly type: 'error' }>;

/** Has its height before it has its words: what stands below does not move. */
function Heading({ state }: { readonly state: Told }) {
  if (state.type === 'loading')
    return (
      <div className="invitation-head" role="status" aria-busy="true">
        <h1 className="visually-hidden">Invitation to use Posthaste</h1>
        <p key="loading">
          <span className="spinner" aria-hidden="true" /> Loading details...
        </p>
      </div>
    );
  const { promo } = state;
  return (
    <div className="invitation-head" role="status">
      <h1 className={sizeOf(promo.name)}>
        <bdi>{promo.name}</bdi> has invited you to use Posthaste
      </h1>
      <p key="terms" className="lead">
        You get{' '}
        <strong>
          {promo.discount_percentage}% off your first{' '}
          {promo.discount_num_months === 1 ? 'month' : `${promo.discount_num_months} months`}
        </strong>
        .
      </p>
    </div>
  );
}

/** What does not depend on the invitation is there from the beginning. */
export function InvitationView({
  state,
  overview,
}: {
  readonly state: InvitationState;
  readonly overview: Film | null;
}) {
  if (state.type === 'error')
    return (
      <Outcome role="alert">
        <h1>Something went wrong</h1>
        <p>
          Try refreshing the page, or <a href="/contact">contact us</a> for help.
        </p>
      </Outcome>
    );
  return (
    <div className="letter">
      <Heading state={state} />
      <p className="lead">
        Posthaste is a task manager built for speed and 100% keyboard orientation: every action has a key, and
        it works offline.
      </p>
      {overview === null ? null : (
        <figure>
          <Overview film={overview} />
          <figcaption>Overview, 2 m 40 s, no sound</figcaption>
        </figure>
      )}
      <p className="actions">
        <a className="button button-large button-primary" href={links.download} data-download="">
          Download
        </a>
        <a className="button button-large" href="/" {...NEW_TAB}>
          Learn more
        </a>
      </p>
      {/* The letter has its height before it is read. */}
      <div className="invitation-steps">
        {state.type === 'loaded' ? <Steps code={state.code} promo={state.promo} /> : null}
      </div>
    </div>
  );
}

async function lookUp(code: string | null, signal: AbortSignal): Promise<InvitationState> {
  if (code === null) return { type: 'error' };
  try {
    const response = await fetch(`/api/affiliate_promo_codes/${encodeURIComponent(code)}`, { signal });
    // Read also when it is a refusal: until then the browser counts the request as under way.
    const answer: unknown = await response.json();
    const promo = response.ok ? readPromoCode(answer) : null;
    return promo ? { type: 'loaded', code, promo } : { type: 'error' };
  } catch {
    // No network, or no JSON: one answer for all of it.
    return { type: 'error' };
  }
}

/** The code in an address like `/a/CODE`; null where there is none. */
export function codeIn(pathname: string): string | null {
  const [, part = ''] = /^\/a\/([^/]+)\/?$/.exec(pathname) ?? [];
  try {
    return decodeURIComponent(part) || null;
  } catch {
    // A broken escape is no code.
    return null;
  }
}

export function Invitation({
  code,
  overview,
}: {
  readonly code: string | null;
  readonly overview: Film | null;
}) {
  const [state, setState] = useState<InvitationState>({ type: 'loading' });
  useEffect(() => {
    const gone = new AbortController();
    const load = async () => {
      const next = await lookUp(code, gone.signal);
      if (gone.signal.aborted) return;
      setState(next);
      if (next.type === 'loaded') document.title = `${next.promo.name} has invited you to use Posthaste`;
    };
    void load();
    return () => gone.abort();
  }, [code]);
  return <InvitationView state={state} overview={overview} />;
}

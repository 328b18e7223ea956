// `/invite`: an invitation to a shared list. What it says comes from the server (v=3) or from the link itself.
import { type MouseEvent, useEffect, useState } from 'react';
import { SECRETS_KEPT, withSecret } from '#client/sharing/kept-secrets.ts';
import { INVITATION_DELAY_MS } from '../content/facts.ts';
import { remember, remembered } from '../scripts/storage.ts';
import { avatarColors, decodeInvitation, type ListInvitation, readListInvitation } from './shapes.ts';

export type ListInvitationState =
  | { readonly type: 'loading' }
  | { readonly type: 'invalid' }
  | { readonly type: 'loaded'; readonly invitation: ListInvitation };

function Avatar({ invitation }: { readonly invitation: ListInvitation }) {
  const { background, text } = avatarColors(invitation.inviting_user_avatar_color_hex_string);
  return (
    <svg width="56" height="56" viewBox="0 0 72 72" role="img" aria-label="The person who invited you">
      <circle cx="36" cy="36" r="36" fill={background} />
      <text
        x="36"
        y="37"
        fill={text}
        fontSize="28"
        fontWeight="600"
        textAnchor="middle"
        dominantBaseline="central"
      >
        {[...invitation.inviting_user_avatar_initials].slice(0, 3).join('')}
      </text>
    </svg>
  );
}

/** Where the app of this tab looks for an invitation (web/platform/account/sharing-port.ts). */
const KEPT = 'posthaste.invitation';

/** The secret of an encrypted list stands where no server sees it. */
const secretHere = () => new URLSearchParams(location.hash.slice(1)).get('k');

/** Keeps the secret for the app: it opens in another tab or window, and no address carries it there. */
function keepSecret(token: string): void {
  const secret = secretHere();
  if (secret === null) return;
  const kept = remembered(SECRETS_KEPT) ?? null;
  // Where nothing can be kept the app says that the link has no secret.
  remember(SECRETS_KEPT, withSecret(kept, { token, secret }, Date.now()));
}

/** However a link is opened: by a click with or without a key, the middle button, the menu, or a key. */
const keeping = (token: string) => {
  const keep = () => keepSecret(token);
  return { onClick: keep, onAuxClick: keep, onContextMenu: keep };
};

/** Opens the app in this tab with the invitation in no address: addresses are written down on the way. */
function openHere(event: MouseEvent<HTMLAnchorElement>, token: string): void {
  keepSecret(token);
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  try {
    const secret = secretHere();
    sessionStorage.setItem(KEPT, secret === null ? token : `${token}#${secret}`);
  } catch {
    // The link itself leads there, too.
    return;
  }
  event.preventDefault();
  location.assign('/app/');
}

function Told({ state, token }: ListInvitationViewProps) {
  if (state.type === 'loading')
    return (
      <div className="state" role="status" aria-busy="true">
        <h1 className="visually-hidden">Invitation to a shared list</h1>
        <span className="spinner" aria-hidden="true" /> Loading details...
      </div>
    );
  if (state.type === 'invalid')
    return (
      <div className="state" role="alert">
        <h1>Invalid invitation link</h1>
        <p>
          Ask the sender for a new link or <a href="/contact">reach out to us</a> for help.
        </p>
      </div>
    );
  return (
    <div className="state">
      <Avatar invitation={state.invitation} />
      <h1>
        {state.invitation.list_name === '' ? (
          'You’re invited to an encrypted list'
        ) : (
          <>
            You’re invited to “<bdi>{state.invitation.list_name}</bdi>”
          </>
        )}
      </h1>
      <p>Open the app to see who invited you, and to join. You need an account, which costs nothing.</p>
      <p className="actions">
        <a
          className="button button-large button-primary"
          href={`web+posthaste:accept-list-invite/${encodeURIComponent(token ?? '')}`}
          {...keeping(token ?? '')}
        >
          Open in the app
        </a>
        <a
          className="button button-large"
          href={`/app/open/accept-list-invite/${encodeURIComponent(token ?? '')}`}
          {...keeping(token ?? '')}
          onClick={(event) => openHere(event, token ?? '')}
        >
          Open in the web app
        </a>
      </p>
    </div>
  );
}

interface ListInvitationViewProps {
  readonly state: ListInvitationState;
  readonly token: string | null;
}

/** For somebody who has never heard of the product: there from the beginning, whatever the link says. */
export function ListInvitationView(props: ListInvitationViewProps) {
  return (
    <div className={props.state.type === 'invalid' ? 'letter letter-none' : 'letter'}>
      <Told {...props} />
      <p className="small">
        Posthaste is a task manager built for speed and 100% keyboard orientation. It runs in your browser,
        works offline, and syncs your devices. New here? Start in the web app. Joining costs nothing. Don’t
        know who sent this? Close the page.
      </p>
    </div>
  );
}

async function fetched(token: string, signal: AbortSignal): Promise<ListInvitation | null> {
  await new Promise((resolve) => setTimeout(resolve, INVITATION_DELAY_MS));
  try {
    const response = await fetch(`/api/list_invitations/${encodeURIComponent(token)}`, { signal });
    // Read also when it is a refusal: until then the browser counts the request as under way.
    const answer: unknown = await response.json();
    return response.ok ? readListInvitation(answer) : null;
  } catch {
    // No network, or no JSON: no invitation.
    return null;
  }
}

function lookUp(
  token: string | null,
  version: string | null,
  signal: AbortSignal,
): Promise<ListInvitation | null> {
  if (token === null || token === '') return Promise.resolve(null);
  return version === '3' ? fetched(token, signal) : Promise.resolve(decodeInvitation(token, version));
}

export function ListInvitationPage({
  token,
  version,
}: {
  readonly token: string | null;
  readonly version: string | null;
}) {
  const [state, setState] = useState<ListInvitationState>({ type: 'loading' });
  useEffect(() => {
    const gone = new AbortController();
    const load = async () => {
      const invitation = await lookUp(token, version, gone.signal);
      if (!gone.signal.aborted) setState(invitation ? { type: 'loaded', invitation } : { type: 'invalid' });
    };
    void load();
    return () => gone.abort();
  }, [token, version]);
  return <ListInvitationView state={state} token={token} />;
}

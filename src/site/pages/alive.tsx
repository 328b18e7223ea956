// The three pages that React takes over in the browser, as they look before that.
import { InvitationView } from '../islands/invitation.tsx';
import { ListInvitationView } from '../islands/list-invitation.tsx';
import { type ResetState, ResetPasswordView } from '../islands/reset-password.tsx';
import { filmOf } from '../parts/overview.tsx';
import { passwordLength } from '#core/password.ts';
import { links } from '../content/facts.ts';
import type { Page, SiteWorld } from '../world.ts';

/** What the page says after its form was sent without scripts. */
const resetOutcomes: Readonly<Record<string, ResetState>> = {
  sent: { type: 'successful' },
  missing: { type: 'passwords-missing' },
  mismatch: { type: 'passwords-mismatch' },
  length: {
    type: 'server-failure',
    reason: `Use ${passwordLength.least} to ${passwordLength.most} characters for the password.`,
  },
  refused: {
    type: 'server-failure',
    reason: 'This password is too easy to guess. Try a few unrelated words.',
  },
  failed: { type: 'server-failure' },
};

/** `/a`, `/invite` and `/reset-password`, each in the state in which it starts. */
export function alivePages(world: SiteWorld): readonly Page[] {
  const film = filmOf(world);
  return [
    {
      path: '/a',
      title: 'Invitation to use Posthaste',
      description: 'You’re invited to use Posthaste, with a discount on your first year.',
      isIndexed: false,
      isAlive: true,
      body: (
        <>
          <div
            id="island"
            data-island="invitation"
            data-overview={film === null ? undefined : JSON.stringify(film)}
            className="page invitation"
          >
            <InvitationView state={{ type: 'loading' }} overview={film} />
          </div>
          <noscript>
            <p className="page notice">
              <span>
                This page needs JavaScript to look up your invitation. You can still{' '}
                <a href={links.download} data-download="">
                  get the app
                </a>{' '}
                and enter the code from the end of this address.
              </span>
            </p>
          </noscript>
        </>
      ),
    },
    {
      path: '/invite',
      title: 'Invitation to a shared list · Posthaste',
      description: 'You’re invited to a shared list.',
      isIndexed: false,
      isSecret: true,
      isAlive: true,
      body: (
        <>
          <div id="island" data-island="list-invitation" className="page invitation invitation-list">
            <ListInvitationView state={{ type: 'loading' }} token={null} />
          </div>
          <noscript>
            <p className="page notice">
              This page needs JavaScript to read the invitation. Open the link in the app instead.
            </p>
          </noscript>
        </>
      ),
    },
    {
      path: '/reset-password',
      title: 'Reset your password · Posthaste',
      description: 'Choose a new password.',
      isIndexed: false,
      isSecret: true,
      isAlive: true,
      body: (
        <div id="island" data-island="reset-password" className="page narrow">
          <ResetPasswordView state={{ type: 'awaiting-input' }} />
        </div>
      ),
      outcomes: Object.fromEntries(
        Object.entries(resetOutcomes).map(([outcome, state]) => [
          outcome,
          <div key={outcome} className="page narrow">
            <ResetPasswordView state={state} />
          </div>,
        ]),
      ),
    },
  ];
}

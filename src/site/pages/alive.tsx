// The three pages that React takes over in the browser, as they look before that.
import { InvitationView } from '../islands/invitation.tsx';
import { ListInvitationView } from '../islands/list-invitation.tsx';
import { ResetPasswordView } from '../islands/reset-password.tsx';
import { filmOf } from '../parts/overview.tsx';
import { links } from '../content/facts.ts';
import type { Page, SiteWorld } from '../world.ts';

const resetOutcomes = ['sent', 'missing', 'mismatch', 'failed'] as const;

export function alivePages(world: SiteWorld): readonly Page[] {
  const film = filmOf(world);
  return [
    {
      path: '/a',
      title: 'Invitation to use Posthaste',
      description: 'Somebody has invited you to use Posthaste, with a discount on your first year.',
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
                This page looks up your invitation with JavaScript, which is off. You can still{' '}
                <a href={links.download} data-download="">
                  get the app
                </a>{' '}
                and enter the code at the end of this address there.
              </span>
            </p>
          </noscript>
        </>
      ),
    },
    {
      path: '/invite',
      title: 'Invitation to a shared list · Posthaste',
      description: 'Somebody has invited you to a shared list.',
      isIndexed: false,
      isSecret: true,
      isAlive: true,
      body: (
        <>
          <div id="island" data-island="list-invitation" className="page invitation">
            <ListInvitationView state={{ type: 'loading' }} token={null} />
          </div>
          <noscript>
            <p className="page notice">
              This page reads the invitation with JavaScript, which is off. Open the link in the app instead.
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
        resetOutcomes.map((outcome) => [
          outcome,
          <div key={outcome} className="page narrow">
            <ResetPasswordView
              state={
                outcome === 'sent'
                  ? { type: 'successful' }
                  : outcome === 'missing'
                    ? { type: 'passwords-missing' }
                    : outcome === 'mismatch'
                      ? { type: 'passwords-mismatch' }
                      : { type: 'server-failure' }
              }
            />
          </div>,
        ]),
      ),
    },
  ];
}

// An invitation to a shared list, to be accepted or not. What an action does is client/sharing.
import { counted } from '#core/counted.ts';
import { useLayoutEffect, useRef } from 'react';
import type { InvitationAction, InvitationView } from '#client/sharing/sharing-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { keysIn } from '../../platform/input/options.ts';
import { Button } from '../button.tsx';
import styles from '../dialog.module.css';
import own from './sharing.module.css';

type Way = readonly [action: InvitationAction['action'], text: string];

/** The first one takes the focus. */
const WAYS: Readonly<Record<'join' | NonNullable<InvitationView['way']>, readonly Way[]>> = {
  join: [['join', 'Join list']],
  again: [['again', 'Try again']],
  account: [
    ['account', 'Account'],
    ['again', 'Try again'],
  ],
  encryption: [
    ['encryption', 'Encryption'],
    ['again', 'Try again'],
  ],
  signIn: [
    ['signUp', 'Create an account'],
    ['signIn', 'Sign in'],
  ],
};

function Ways({ ways, isBusy }: { readonly ways: readonly Way[]; readonly isBusy: boolean }) {
  const app = useApp();
  const first = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => first.current?.focus(), []);
  return (
    <div className={styles.actions}>
      {ways.map(([action, text], index) => (
        <Button
          key={action}
          data-option=""
          aria-disabled={isBusy}
          {...(index === 0 ? { ref: first, kind: 'primary', isFirst: true } : {})}
          onClick={() => app.answer('invitation', { action })}
        >
          {text}
        </Button>
      ))}
      <Button data-option="" onClick={() => app.closeDialog()}>
        {ways.length === 0 ? 'Close' : 'Not now'}
      </Button>
    </div>
  );
}

/** Draws an invitation: who invites, to which list, and the ways on. */
export function Invitation({ invitation }: { readonly invitation: InvitationView }) {
  const { list, inviter, members, problem, way, isEncrypted, busy } = invitation;
  const ways = way === null ? (list === null ? [] : WAYS.join) : WAYS[way];
  return (
    <div
      className={styles.form}
      data-ph="invitation"
      data-options=""
      aria-busy={busy !== null}
      {...keysIn('list')}
    >
      <div className={own.letter}>
        {inviter !== null && <Avatar person={inviter} size={48} />}
        <h2 className={styles.title}>
          {isEncrypted || list === null ? (
            `Invitation to ${isEncrypted ? 'an encrypted' : 'a shared'} list`
          ) : (
            <>
              Join “<bdi>{list}</bdi>”?
            </>
          )}
        </h2>
        {inviter !== null && (
          <p className={styles.rule}>
            <bdi>{inviter.name}</bdi> invited you. {counted(members, 'person is', 'people are')} in it.
            Everyone sees and changes the same tasks.
            {isEncrypted && ' The list is end-to-end encrypted: you see its name once you’re in.'}
          </p>
        )}
      </div>
      {problem !== null && (
        <p className={way === 'signIn' ? styles.rule : styles.error} role="alert">
          {problem}
        </p>
      )}
      <p className={own.said} role="status" hidden={busy === null}>
        {busy}
      </p>
      <Ways key={way ?? String(list === null)} ways={ways} isBusy={busy !== null} />
    </div>
  );
}

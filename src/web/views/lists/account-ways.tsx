// The foot of the lists: whose account it is, or the ways into one.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { useApp } from '../../parts/app-context.ts';
import { Avatar } from '../../parts/avatar.tsx';
import { Icon } from '../../parts/icon.tsx';
import { useSignal } from '../../parts/use-signal.ts';
import styles from './sidebar.module.css';

/** Signing in and out changes the sync state, and so redraws what asks for the address. */
function useEmail(): string | null {
  const app = useApp();
  useSignal(app.engine.state);
  return app.platform.account.email;
}

/** The way to the account that is signed in. */
export function Account() {
  const app = useApp();
  const email = useEmail();
  const me = useSignal(app.view.me);
  if (email === null) return null;
  return (
    <button
      type="button"
      className={`${styles.tool} ${styles.account}`}
      aria-label={email}
      title={email}
      data-command="account.safety"
      onClick={() => app.run('account.safety')}
    >
      {me ? <Avatar person={me} /> : <span className={styles.letter}>{email.slice(0, 1)}</span>}
    </button>
  );
}

/** Ways into an account; nothing for those who have one. */
export function SignedOut() {
  const app = useApp();
  if (useEmail() !== null) return null;
  const button = (name: string, command: 'account.signUp' | 'account.signIn') => (
    <button type="button" className={styles.action} onClick={() => app.run(command)}>
      <Icon name="person" />
      {name}
    </button>
  );
  return (
    <div className={styles.ways}>
      {button('Create an account', 'account.signUp')}
      {button('Sign in', 'account.signIn')}
    </div>
  );
}

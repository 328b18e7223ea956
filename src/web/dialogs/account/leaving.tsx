// Questions before leaving an account whose changes have not all reached the server. The safe answer has focus.
import { counted } from '#core/counted.ts';
import type { DialogView } from '#client/dialogs/dialog-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Button } from '../button.tsx';
import styles from '../dialog.module.css';

const have = (count: number) => (count === 1 ? 'has' : 'have');

/** Asks when signing out would lose unsent changes or safety copies. */
export function SignOut({ dialog }: { readonly dialog: Extract<DialogView, { readonly type: 'signOut' }> }) {
  const app = useApp();
  const { waiting, copies } = dialog;
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>
          {waiting > 0
            ? `${counted(waiting, 'change')} ${have(waiting)} not reached the server`
            : 'Safety copies are on this device only'}
        </h2>
        <p className={styles.rule}>
          Signing out removes this account’s copy from this device
          {waiting > 0 &&
            ', and these changes with it. To keep them, download a file, sign in again and import it'}
          .
        </p>
        {copies > 0 && (
          <p className={styles.rule}>
            {copies === 1 ? 'The safety copy' : `The ${copies} safety copies`} of changes from when cloud sync
            was off {copies === 1 ? 'is' : 'are'} removed.
          </p>
        )}
      </div>
      <div className={styles.actions}>
        <Button kind="primary" isFirst onClick={() => app.closeDialog()}>
          Stay signed in
        </Button>
        {copies > 0 && <Button onClick={() => app.run('sync.safetyCopies')}>Show safety copies</Button>}
        {waiting > 0 && (
          <Button onClick={() => app.answer('signOut', { action: 'download' })}>
            Download {waiting === 1 ? 'it' : 'them'} and sign out
          </Button>
        )}
        <Button kind="danger" onClick={() => app.answer('signOut', { action: 'leave' })}>
          Sign out and lose {waiting + copies === 1 ? 'it' : 'them'}
        </Button>
      </div>
    </div>
  );
}

function consequence(waiting: number, canKeep: boolean, held: string): string {
  if (!canKeep)
    return waiting === 0
      ? `Everything of ${held} is on the server.`
      : `${counted(waiting, 'change')} of ${held} ${have(waiting)} not reached the server. You lose them when this tab closes. Download them first.`;
  const stays = `Its copy stays on this device, apart, until ${held} signs in here again.`;
  return waiting === 0
    ? stays
    : `${stays} ${counted(waiting, 'change')} in it ${have(waiting)} not reached the server yet.`;
}

/** Asks after signing in to another account than the one whose tasks are on this device. */
export function OtherAccount({
  dialog,
}: {
  readonly dialog: Extract<DialogView, { readonly type: 'otherAccount' }>;
}) {
  const app = useApp();
  const { email, held, waiting, canKeep } = dialog;
  return (
    <div className={styles.form}>
      <div>
        <h2 className={styles.title}>This device holds the tasks of {held}</h2>
        <p className={styles.rule}>
          You signed in as {email}. The two never mix. {consequence(waiting, canKeep, held)}
        </p>
      </div>
      <div className={styles.actions}>
        <Button kind="primary" isFirst onClick={() => app.closeDialog()}>
          Stay with {held}
        </Button>
        <Button onClick={() => app.answer('otherAccount', { action: 'switch' })}>
          Open the tasks of {email}
        </Button>
        {waiting > 0 && (
          <button
            type="button"
            className={styles.link}
            onClick={() => app.answer('otherAccount', { action: 'download' })}
          >
            Download {counted(waiting, 'change')}
          </button>
        )}
      </div>
    </div>
  );
}

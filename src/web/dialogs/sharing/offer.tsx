// The first step of the share dialog: what others get to see, and where the list is encrypted, its two ways with what comes of each.
import type { ReactNode } from 'react';
import { counted } from '#core/counted.ts';
import type { OfferView, ShareAction, ShareView } from '#client/sharing/sharing-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Button } from '../button.tsx';
import styles from '../dialog.module.css';
import { KeyedButton, type KeyedButtonLook } from './keyed-button.tsx';
import own from './sharing.module.css';

function Act({ action, ...look }: KeyedButtonLook & { readonly action: ShareAction }) {
  const app = useApp();
  return <KeyedButton {...look} onClick={() => app.answer('share', action)} />;
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, 6).map((name) => `“${name}”`);
  const more = names.length - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}

function sharedLabels({ labels }: OfferView): string {
  return `${labels.length === 1 ? 'This label becomes shared: ' : 'These labels become shared: '}${named(labels)}.`;
}

/** What holds however the list is shared. */
function Seen({ offer, children }: { readonly offer: OfferView; readonly children?: ReactNode }) {
  const { tasks, privateLabels } = offer;
  return (
    <ul className={own.lines}>
      <li>
        {tasks === 0 ? (
          'The list is empty. People see what you add to it.'
        ) : (
          <>
            <strong>{counted(tasks, 'task')}</strong> {tasks === 1 ? 'becomes' : 'become'} visible, with
            notes, dates, subtasks and files.
          </>
        )}
      </li>
      {children}
      <li>
        {privateLabels.length > 0
          ? `Yours alone: the private ${privateLabels.length === 1 ? 'label' : 'labels'} ${named(privateLabels)}, and your snoozes, reminders and bookmarks.`
          : 'Your snoozes, reminders, bookmarks and private labels stay yours alone.'}
      </li>
    </ul>
  );
}

function Way({ title, lines, children }: { title: string; lines: readonly string[]; children: ReactNode }) {
  return (
    <section className={own.choice} aria-label={title}>
      <h3 className={styles.groupTitle}>{title}</h3>
      <ul className={own.lines}>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ul>
      <div className={own.buttons}>{children}</div>
    </section>
  );
}

/** The two ways of a list that is encrypted, each with its button. `time`: how long decrypting takes. */
function Ways({ share, offer, time }: { share: ShareView; offer: OfferView; time: string }) {
  const isBusy = share.busy !== null;
  const opened = [
    'This list will be decrypted so that others can read it, and so can the server. The rest stays encrypted.',
    'Anyone with the link can join, with any account. Email to the list and programs work.',
    ...(offer.labels.length > 0 ? [sharedLabels(offer)] : []),
    `Decrypting takes ${time}.`,
  ];
  const kept = [
    'Only people who join with an encrypted account of their own can read it. The server can’t.',
    'The labels on these tasks stay yours alone. Labels you make in the list are everybody’s.',
    'Email to the list, and programs without the key, don’t work.',
  ];
  return (
    <>
      <Way title="Share it decrypted" lines={opened}>
        <Act action={{ action: 'share' }} text="Decrypt and share" kind="primary" isFirst isBusy={isBusy} />
      </Way>
      <Way title="Share it encrypted" lines={kept}>
        <Act action={{ action: 'keep' }} text="Keep this list encrypted" isBusy={isBusy} />
      </Way>
    </>
  );
}

function Cancel() {
  const app = useApp();
  return (
    <Button data-option="" onClick={() => app.closeDialog()}>
      Cancel
    </Button>
  );
}

const EVERYBODY = 'Everyone in the list can change all of it.';

/** Draws the offer to share a list. */
export function Offer({ share }: { readonly share: ShareView }) {
  const { offer, problem, endsInAccount, busy } = share;
  if (offer === null) return null;
  const { labels, decrypting } = offer;
  const hasWays = decrypting !== null && !endsInAccount;
  const isBusy = busy !== null;
  return (
    <>
      <Seen offer={offer}>
        <li>{decrypting === null ? `Anyone with the link can join. ${EVERYBODY}` : EVERYBODY}</li>
        {decrypting === null && labels.length > 0 && <li>{sharedLabels(offer)}</li>}
      </Seen>
      {problem !== null && (
        <p className={styles.error} role="alert">
          {problem}
        </p>
      )}
      {hasWays && <Ways share={share} offer={offer} time={decrypting} />}
      <div className={styles.actions}>
        {endsInAccount && (
          <Act
            key="account"
            action={{ action: 'account' }}
            text="Account"
            kind="primary"
            isFirst
            isBusy={isBusy}
          />
        )}
        {!hasWays && !endsInAccount && (
          <Act
            key="share"
            action={{ action: 'share' }}
            text={problem === null ? 'Share list' : 'Try again'}
            kind="primary"
            isFirst
            isBusy={isBusy}
          />
        )}
        <Cancel />
      </div>
    </>
  );
}

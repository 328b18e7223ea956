// One's own plan in other calendars: its secret address, what is in it, and the file instead. What an action does is client/calendar/feed-dialog.ts.
import type { FeedAction, FeedView } from '#client/calendar/feed-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { keysIn } from '../../platform/input/options.ts';
import { CloseButton } from '../close-button.tsx';
import styles from '../dialog.module.css';
import chips from '../public-links/links.module.css';
import { KeyedButton, type KeyedButtonLook } from '../sharing/keyed-button.tsx';
import shared from '../sharing/sharing.module.css';
import own from './calendar.module.css';

function Act({ action, ...look }: KeyedButtonLook & { readonly action: FeedAction }) {
  const app = useApp();
  return <KeyedButton {...look} onClick={() => app.answer('calendarFeed', action)} />;
}

const CHOICES = [
  ['hasBlocks', 'Time blocks'],
  ['hasDue', 'Due tasks'],
  ['hasNames', 'Titles of tasks'],
  ['hasDone', 'Completed ones too'],
] as const;

function Choices({ view: { choice, busy } }: { readonly view: FeedView }) {
  const app = useApp();
  return (
    <fieldset className={chips.may}>
      <legend className={styles.groupTitle}>It has</legend>
      {CHOICES.map(([what, name]) => (
        <button
          key={what}
          type="button"
          className={chips.permission}
          aria-pressed={choice[what]}
          aria-disabled={busy !== null}
          data-option=""
          onClick={() => app.answer('calendarFeed', { action: 'choose', what })}
        >
          {name}
        </button>
      ))}
    </fieldset>
  );
}

function Made({ view }: { readonly view: FeedView }) {
  const { address, read, busy } = view;
  const isBusy = busy !== null;
  return (
    <>
      {address === null ? (
        <p className={styles.error}>
          This server can’t show the address anymore. Calendars that have it go on reading it. Make a new one
          to see it.
        </p>
      ) : (
        <p className={own.text} data-ph="feed-address">
          {address}
        </p>
      )}
      <p className={styles.rule}>
        {read} Calendars ask when they like: most of them every few hours. Anyone with the address sees this,
        so keep it secret.
      </p>
      <Choices view={view} />
      {!view.choice.hasNames && <p className={styles.rule}>Every task is called “Busy.”</p>}
      <div className={styles.actions}>
        {address !== null && <Act action={{ action: 'copy' }} text="Copy" kind="primary" isFirst />}
        <Act action={{ action: 'renew' }} text="New address" isFirst={address === null} isBusy={isBusy} />
        <Act action={{ action: 'remove' }} text="Remove address" isBusy={isBusy} />
        <Act action={{ action: 'save' }} text="Save a file" />
      </div>
    </>
  );
}

function Unmade({ view }: { readonly view: FeedView }) {
  return (
    <>
      <p className={styles.rule}>
        A secret address that other calendars subscribe to. They only read it, and nothing is written to them.
        You can end it anytime.
      </p>
      <Choices view={view} />
      {!view.choice.hasNames && <p className={styles.rule}>Every task is called “Busy.”</p>}
      <div className={styles.actions}>
        <Act
          action={{ action: 'make' }}
          text="Make an address"
          kind="primary"
          isFirst
          isBusy={view.busy !== null}
        />
        <Act action={{ action: 'save' }} text="Save a file" />
      </div>
    </>
  );
}

function SignedOut() {
  return (
    <>
      <p className={styles.rule}>
        A secret address that other calendars subscribe to needs an account. Without one, this device can save
        your time blocks as a file, which calendars import.
      </p>
      <div className={styles.actions}>
        <Act action={{ action: 'signIn' }} text="Sign in" kind="primary" isFirst />
        <Act action={{ action: 'save' }} text="Save a file" />
      </div>
    </>
  );
}

function FileAlone({ view: { state, address, busy } }: { readonly view: FeedView }) {
  const hasAddress = address !== null;
  return (
    <>
      {state === 'encrypted' && (
        <p className={styles.rule}>
          Your account is end-to-end encrypted, so the server can’t read your plan and can’t give it to a
          calendar. This device can save your time blocks as a file, which calendars import.
          {hasAddress && ' Your address from before shows nothing as long as that is so.'}
        </p>
      )}
      <div className={styles.actions}>
        <Act action={{ action: 'save' }} text="Save a file" kind="primary" isFirst />
        {hasAddress && <Act action={{ action: 'remove' }} text="Remove address" isBusy={busy !== null} />}
      </div>
    </>
  );
}

function Question({ view: { step, busy } }: { readonly view: FeedView }) {
  const isNew = step === 'renew';
  return (
    <>
      <p className={styles.rule}>
        {isNew
          ? 'The old address stops working right away, for every calendar that has it.'
          : 'The address stops working right away. Your time blocks stay as they are.'}
      </p>
      <div className={styles.actions}>
        <Act action={{ action: 'back' }} text="Keep the address" isFirst />
        <Act
          action={{ action: 'yes' }}
          text={isNew ? 'New address' : 'Remove address'}
          kind="danger"
          isBusy={busy !== null}
        />
      </div>
    </>
  );
}

function Body({ view }: { readonly view: FeedView }) {
  if (view.step !== 'plan') return <Question view={view} />;
  if (view.state === 'signedOut') return <SignedOut />;
  if (view.state === 'made') return <Made view={view} />;
  return view.state === 'unmade' ? <Unmade view={view} /> : <FileAlone view={view} />;
}

const TITLES = {
  plan: 'Your plan in other calendars',
  renew: 'Make a new address?',
  remove: 'Remove the address?',
} as const;

/** Draws the step of the dialog that is on. */
export function Feed({ feed: view }: { readonly feed: FeedView }) {
  const { step, busy, said } = view;
  return (
    <div
      className={styles.form}
      data-ph="calendar-feed"
      data-options=""
      aria-busy={busy !== null}
      {...keysIn('dialog.calendarFeed', 'list')}
    >
      <div className={shared.head}>
        <h2 className={styles.title}>{TITLES[step]}</h2>
        <CloseButton />
      </div>
      <Body view={view} />
      <p className={said?.isError ? styles.error : shared.said} role="status" data-ph="calendar-feed-said">
        {said?.text ?? busy ?? ''}
      </p>
    </div>
  );
}

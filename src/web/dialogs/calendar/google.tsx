// Google's calendars: connecting, choosing one to show, disconnecting. What an action does is client/calendar/google-dialog.ts.
import type { GoogleAction, GoogleView } from '#client/calendar/google-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { keysIn } from '../../platform/input/options.ts';
import { CloseButton } from '../close-button.tsx';
import styles from '../dialog.module.css';
import chips from '../public-links/links.module.css';
import { KeyedButton, type KeyedButtonLook } from '../sharing/keyed-button.tsx';
import shared from '../sharing/sharing.module.css';

function Act({ action, ...look }: KeyedButtonLook & { readonly action: GoogleAction }) {
  const app = useApp();
  return <KeyedButton {...look} onClick={() => app.answer('google', action)} />;
}

function SignedOut() {
  return (
    <>
      <p className={styles.rule}>
        The server reads Google’s calendars for you, so this needs an account. Without one you can show a
        calendar from a file on this device, under “Calendars.”
      </p>
      <div className={styles.actions}>
        <Act action={{ action: 'signIn' }} text="Sign in" kind="primary" isFirst />
        <Act action={{ action: 'calendars' }} text="Calendars" />
      </div>
    </>
  );
}

function Missing() {
  return (
    <>
      <p className={styles.rule}>
        This server isn’t set up for Google. You can add a calendar of Google’s by its address all the same:
        in Google Calendar, open the settings of the calendar, copy its secret address in iCal format, and add
        that under “Calendars.”
      </p>
      <div className={styles.actions}>
        <Act action={{ action: 'calendars' }} text="Calendars" kind="primary" isFirst />
      </div>
    </>
  );
}

function Unconnected({ view: { busy } }: { readonly view: GoogleView }) {
  return (
    <>
      <p className={styles.rule}>
        The server reads the calendars that you choose, every 15 minutes. It sees these events, even if your
        tasks are end-to-end encrypted. Nothing is written to Google.
      </p>
      <div className={styles.actions}>
        <Act action={{ action: 'connect' }} text="Connect" kind="primary" isFirst isBusy={busy !== null} />
      </div>
    </>
  );
}

function Leaving({ view: { busy } }: { readonly view: GoogleView }) {
  return (
    <>
      <p className={styles.rule}>
        Google asks you in a new tab of this browser. Say yes there, then come back and choose the calendars.
      </p>
      <div className={styles.actions}>
        <Act action={{ action: 'open' }} text="Open Google" kind="primary" isFirst />
        <Act action={{ action: 'read' }} text="Choose calendars" isBusy={busy !== null} />
      </div>
    </>
  );
}

function Connected({ view: { calendars, problem, busy } }: { readonly view: GoogleView }) {
  const app = useApp();
  const isBusy = busy !== null;
  return (
    <>
      {problem !== null && <p className={styles.error}>{problem}</p>}
      {calendars.length > 0 && (
        <fieldset className={chips.may}>
          <legend className={styles.groupTitle}>Calendars to show</legend>
          {calendars.map(({ calendar, name, id }) => (
            <button
              key={calendar}
              type="button"
              className={chips.permission}
              aria-pressed={id !== null}
              aria-disabled={isBusy}
              data-option=""
              onClick={() =>
                app.answer('google', id === null ? { action: 'add', calendar } : { action: 'calendars' })
              }
            >
              <bdi>{name}</bdi>
            </button>
          ))}
        </fieldset>
      )}
      <p className={styles.rule}>Those that are shown can be named, hidden and removed under “Calendars.”</p>
      <div className={styles.actions}>
        {problem !== null && (
          <Act action={{ action: 'connect' }} text="Connect again" kind="primary" isFirst isBusy={isBusy} />
        )}
        <Act action={{ action: 'calendars' }} text="Calendars" isFirst={problem === null} />
        <Act action={{ action: 'disconnect' }} text="Disconnect" isBusy={isBusy} />
      </div>
    </>
  );
}

function Question({ view: { busy } }: { readonly view: GoogleView }) {
  return (
    <>
      <p className={styles.rule}>
        Its calendars are removed here with their events, and the server loses its access. At Google
        everything stays as it is.
      </p>
      <div className={styles.actions}>
        <Act action={{ action: 'back' }} text="Stay connected" isFirst />
        <Act action={{ action: 'yes' }} text="Disconnect" kind="danger" isBusy={busy !== null} />
      </div>
    </>
  );
}

function Body({ view }: { readonly view: GoogleView }) {
  if (view.step === 'disconnect') return <Question view={view} />;
  if (view.state === 'signedOut') return <SignedOut />;
  if (view.state === 'missing') return <Missing />;
  if (view.state === 'unconnected') return <Unconnected view={view} />;
  if (view.state === 'leaving') return <Leaving view={view} />;
  return view.state === 'connected' ? <Connected view={view} /> : null;
}

/** Draws the step of the dialog that is on. */
export function Google({ google: view }: { readonly google: GoogleView }) {
  const { step, busy, said } = view;
  return (
    <div
      className={styles.form}
      data-ph="google"
      data-options=""
      aria-busy={busy !== null}
      {...keysIn('dialog.google', 'list')}
    >
      <div className={shared.head}>
        <h2 className={styles.title}>{step === 'show' ? 'Google calendars' : 'Disconnect Google?'}</h2>
        <CloseButton />
      </div>
      <Body view={view} />
      <p className={said?.isError ? styles.error : shared.said} role="status" data-ph="google-said">
        {said?.text ?? busy ?? ''}
      </p>
    </div>
  );
}

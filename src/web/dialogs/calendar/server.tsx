// Calendars of a CalDAV server: the form to sign in there, the list to choose from, and the form for a new password. What an action does is
// client/calendar/server-dialog.ts.
import { useId } from 'react';
import type { CalendarServerAction, CalendarServerView } from '#client/calendar/server-view.ts';
import { calendarSourceLimits } from '#wire/calendars.ts';
import { useApp } from '../../parts/app-context.ts';
import { keysIn } from '../../platform/input/options.ts';
import { Button } from '../button.tsx';
import { CloseButton } from '../close-button.tsx';
import styles from '../dialog.module.css';
import { KeyedButton, type KeyedButtonLook } from '../sharing/keyed-button.tsx';
import shared from '../sharing/sharing.module.css';
import own from './calendar.module.css';

function Act({ action, ...look }: KeyedButtonLook & { readonly action: CalendarServerAction }) {
  const app = useApp();
  return <KeyedButton {...look} onClick={() => app.answer('calendarServer', action)} />;
}

interface FieldLook {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'password';
  readonly hint?: string;
  readonly given?: string;
  readonly isFirst?: boolean;
}

function Field({ name, label, type = 'text', hint, given = '', isFirst = false }: FieldLook) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        name={name}
        type={type}
        defaultValue={given}
        className={styles.input}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        maxLength={calendarSourceLimits.addressCharacters}
        autoFocus={isFirst}
        {...(isFirst ? { 'data-first': '' } : {})}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className={styles.rule}>
          {hint}
        </p>
      )}
    </div>
  );
}

const APP_PASSWORD =
  'iCloud, Fastmail and others take an app password, which you make in the settings of your account there. The server keeps it encrypted and ' +
  'reads these events, even if your tasks are end-to-end encrypted. Nothing is written to the calendar.';

function Login({ view: { step, address, user, busy } }: { readonly view: CalendarServerView }) {
  const app = useApp();
  const isNew = step === 'login';
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget);
        const text = (name: string) => {
          const value = given.get(name);
          return typeof value === 'string' ? value : '';
        };
        const password = text('password');
        app.answer(
          'calendarServer',
          isNew
            ? { action: 'look', address: text('address'), user: text('user'), password }
            : { action: 'save', password },
        );
      }}
    >
      {isNew && (
        <>
          <Field
            name="address"
            label="Address of the server"
            hint="For example caldav.icloud.com, or the address of your Nextcloud."
            given={address}
            isFirst
          />
          <Field name="user" label="Name there" given={user} />
        </>
      )}
      <Field name="password" label="Password" type="password" hint={APP_PASSWORD} isFirst={!isNew} />
      <div className={styles.actions}>
        <Button type="submit" kind="primary" aria-disabled={busy !== null}>
          {busy ?? (isNew ? 'Find calendars' : 'Save')}
        </Button>
        <Button onClick={() => app.answer('calendarServer', { action: 'done' })}>Calendars…</Button>
      </div>
    </form>
  );
}

function Choose({ view: { found, busy } }: { readonly view: CalendarServerView }) {
  const app = useApp();
  const first = found.findIndex(({ isAdded }) => !isAdded);
  return (
    <>
      <p className={styles.rule}>Choose the calendars to read.</p>
      <ul className={own.calendars} aria-label="Calendars of the server">
        {found.map(({ address, name, isAdded }, at) => (
          <li key={address}>
            <button
              type="button"
              className={own.calendar}
              data-ph="found-calendar"
              data-option={address}
              {...(at === Math.max(0, first) ? { 'data-first': '', autoFocus: true } : {})}
              aria-disabled={isAdded || busy !== null}
              onClick={() => !isAdded && app.answer('calendarServer', { action: 'add', address })}
            >
              <span className={own.name}>
                <bdi>{name}</bdi>
              </span>
              <span className={styles.detail}>{isAdded ? 'Added' : 'Add'}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Act action={{ action: 'done' }} text="Done" kind="primary" />
        <Act action={{ action: 'back' }} text="Back" />
      </div>
    </>
  );
}

function titleOf({ step, name }: CalendarServerView): string {
  if (step === 'login') return 'Calendars of a server';
  return step === 'choose' ? `Calendars of ${name}` : `New password for “${name}”`;
}

/** Draws the step of the dialog that is on. */
export function CalendarServer({ calendarServer: view }: { readonly calendarServer: CalendarServerView }) {
  const { step, busy, said } = view;
  return (
    <div
      className={styles.form}
      data-ph="calendar-server"
      data-options=""
      aria-busy={busy !== null}
      {...keysIn('dialog.calendarServer', 'list')}
    >
      <div className={shared.head}>
        <h2 className={styles.title}>{titleOf(view)}</h2>
        <CloseButton />
      </div>
      {step === 'choose' ? <Choose view={view} /> : <Login view={view} />}
      <p className={said?.isError ? styles.error : shared.said} role="status" data-ph="calendars-said">
        {said?.text ?? busy ?? ''}
      </p>
    </div>
  );
}

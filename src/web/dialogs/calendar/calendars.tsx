// The calendars of other programs: the list with how each stands, and steps for one. What an action does is client/calendar/dialogs.ts.
import { useLayoutEffect, useRef } from 'react';
import type { CalendarsAction, CalendarsView, CalendarView } from '#client/calendar/calendar-view.ts';
import { calendarSourceLimits } from '#wire/calendars.ts';
import { useApp } from '../../parts/app-context.ts';
import { Keys } from '../../parts/keycap.tsx';
import { keysIn } from '../../platform/input/options.ts';
import { CloseButton } from '../close-button.tsx';
import styles from '../dialog.module.css';
import { KeyedButton, type KeyedButtonLook } from '../sharing/keyed-button.tsx';
import shared from '../sharing/sharing.module.css';
import { Dot } from './agenda.tsx';
import own from './calendar.module.css';
import { OneLine } from './one-line.tsx';

function Act({ action, ...look }: KeyedButtonLook & { readonly action: CalendarsAction }) {
  const app = useApp();
  return <KeyedButton {...look} onClick={() => app.answer('calendars', action)} />;
}

interface EntryLook {
  readonly calendar: CalendarView;
  readonly isFirst: boolean;
  readonly isBusy: boolean;
}

function Entry({ calendar, isFirst, isBusy }: EntryLook) {
  const app = useApp();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isFirst) button.current?.focus();
  }, [isFirst]);
  const { id, name, host, color, isHidden, state, isWrong, isHere, hasPassword } = calendar;
  return (
    <li>
      <button
        ref={button}
        type="button"
        className={own.calendar}
        data-ph="calendar"
        data-option={id}
        onClick={() => app.answer('calendars', { action: 'rename', calendar: id })}
      >
        <Dot color={color} />
        <span className={own.name}>
          <bdi>{name}</bdi>
          {isHidden && <span className={styles.detail}> hidden</span>}
        </span>
        <span className={styles.detail}>{host}</span>
        <span className={isWrong ? styles.error : styles.detail}>{state}</span>
      </button>
      {(isWrong || isHere) && (
        <div className={`${styles.actions} ${own.more}`}>
          <Act
            action={{ action: 'again', calendar: id }}
            command="calendars.again"
            text={isHere ? 'Choose a newer file' : 'Try again now'}
            isBusy={isBusy}
          />
          {hasPassword && (
            <Act
              action={{ action: 'password', calendar: id }}
              command="calendars.password"
              text="New password"
              isBusy={isBusy}
            />
          )}
        </div>
      )}
    </li>
  );
}

/** Where calendars come from. */
function Ways({ view: { calendars, removed, busy, isSignedOut } }: { readonly view: CalendarsView }) {
  const isFirst = calendars?.length === 0;
  const isBusy = busy !== null;
  return (
    <>
      <div className={styles.actions}>
        {isSignedOut ? (
          <Act action={{ action: 'signIn' }} text="Sign in" />
        ) : (
          <>
            <Act
              action={{ action: 'add' }}
              command="calendars.add"
              text="Add a calendar"
              kind="primary"
              isFirst={isFirst}
              isBusy={isBusy}
            />
            <Act
              action={{ action: 'server' }}
              command="calendars.server"
              text="From a server"
              isBusy={isBusy}
            />
            <Act action={{ action: 'google' }} command="calendar.google" text="Google" />
          </>
        )}
        <Act
          action={{ action: 'file' }}
          command="calendars.file"
          text="From a file"
          isFirst={isFirst && isSignedOut}
          isBusy={isBusy}
        />
      </div>
      <div className={styles.actions}>
        {removed !== null && (
          <Act
            action={{ action: 'restore' }}
            command="calendars.restore"
            text={`Bring back “${removed}”`}
            isBusy={isBusy}
          />
        )}
        <Act action={{ action: 'agenda' }} command="calendars.agenda" text="Agenda" />
        <Act action={{ action: 'feed' }} command="calendar.feed" text="Your plan in other calendars" />
      </div>
    </>
  );
}

function List({ view }: { readonly view: CalendarsView }) {
  const { calendars, calendar: here, busy, isSignedOut } = view;
  const app = useApp();
  if (calendars === null) return null;
  const isEmpty = calendars.length === 0;
  const keys = [
    ['calendars.hide', 'hides or shows'],
    ['calendars.rename', 'renames'],
    ['calendars.color', 'changes the color'],
    ['calendars.remove', 'removes'],
  ] as const;
  return (
    <>
      {isEmpty ? (
        <p className={styles.rule}>
          {isSignedOut
            ? 'There’s no calendar yet. Add one from a file. By address or from a server needs an account.'
            : 'There’s no calendar yet. Add one by its address, which ends in .ics, from a CalDAV server, or from a file.'}
        </p>
      ) : (
        <ul className={own.calendars} aria-label="Calendars">
          {calendars.map((calendar, at) => (
            <Entry
              key={calendar.id}
              calendar={calendar}
              isFirst={here === null ? at === 0 : calendar.id === here.id}
              isBusy={busy !== null}
            />
          ))}
        </ul>
      )}
      <Ways view={view} />
      {!isEmpty && (
        <p className={`${styles.rule} ${shared.byKey}`}>
          On a calendar
          {keys.map(([command, does], at) => (
            <span key={command}>
              {' '}
              <Keys caps={app.keysOf(command)[0]} /> {does}
              {at < keys.length - 1 ? ',' : '.'}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

function Field({ view, ...look }: FieldLook & { readonly view: CalendarsView }) {
  const app = useApp();
  const isAdding = view.step === 'add';
  const { addressCharacters, nameCharacters } = calendarSourceLimits;
  return (
    <OneLine
      {...look}
      maxLength={isAdding ? addressCharacters : nameCharacters}
      initial={isAdding ? '' : (view.calendar?.name ?? '')}
      busy={view.busy}
      send={(text) => app.answer('calendars', { action: isAdding ? 'send' : 'save', text })}
      back={() => app.answer('calendars', { action: 'back' })}
    />
  );
}

/** What can be done with one besides: where there is no key for it. */
function OfOne({ calendar, isBusy }: { readonly calendar: CalendarView; readonly isBusy: boolean }) {
  const { id, isHidden } = calendar;
  return (
    <div className={styles.actions}>
      <Act action={{ action: 'hide', calendar: id }} text={isHidden ? 'Show' : 'Hide'} isBusy={isBusy} />
      <Act action={{ action: 'color', calendar: id }} text="Next color" isBusy={isBusy} />
      <Act action={{ action: 'remove', calendar: id }} text="Remove" kind="danger" isBusy={isBusy} />
    </div>
  );
}

interface FieldLook {
  readonly label: string;
  readonly rule: string;
  readonly verb: string;
}

const ADD: FieldLook = {
  label: 'Address of the calendar',
  rule:
    'The secret or private address of a calendar, in iCal format. The server reads it every 15 minutes, so it sees these events, ' +
    'even if your tasks are end-to-end encrypted. Nothing is written to the calendar.',
  verb: 'Add',
};

const RENAME: FieldLook = { label: 'Name', rule: 'Only you see it.', verb: 'Save' };

const TITLES: Readonly<Record<CalendarsView['step'], string>> = {
  list: 'Calendars',
  add: 'Add a calendar',
  rename: 'Calendar',
};

/** Draws the step of the dialog that is on. */
export function Calendars({ calendars: view }: { readonly calendars: CalendarsView }) {
  const { step, busy, said } = view;
  return (
    <div
      className={styles.form}
      data-ph="calendars"
      data-options=""
      aria-busy={busy !== null}
      {...keysIn('dialog.calendars', 'list')}
    >
      <div className={shared.head}>
        <h2 className={styles.title}>
          {TITLES[step]} {step === 'rename' && view.calendar !== null && <Dot color={view.calendar.color} />}
        </h2>
        <CloseButton />
      </div>
      {step === 'list' && <List view={view} />}
      {step === 'add' && <Field view={view} {...ADD} />}
      {step === 'rename' && <Field view={view} {...RENAME} />}
      {step === 'rename' && view.calendar !== null && (
        <OfOne calendar={view.calendar} isBusy={busy !== null} />
      )}
      <p className={said?.isError ? styles.error : shared.said} role="status" data-ph="calendars-said">
        {said?.text ?? busy ?? ''}
      </p>
    </div>
  );
}

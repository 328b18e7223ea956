// The agenda: days with the events of the calendars and one's own blocks, and one event with all of its text. What keys do is
// client/calendar/agenda.ts.
import { type CSSProperties, useLayoutEffect, useRef } from 'react';
import type { AgendaAction, AgendaThingView, AgendaView } from '#client/calendar/calendar-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Keys } from '../../parts/keycap.tsx';
import { keysIn } from '../../platform/input/options.ts';
import { Button } from '../button.tsx';
import { CloseButton } from '../close-button.tsx';
import styles from '../dialog.module.css';
import { KeyedButton, type KeyedButtonLook } from '../sharing/keyed-button.tsx';
import shared from '../sharing/sharing.module.css';
import own from './calendar.module.css';

function Act({ action, ...look }: KeyedButtonLook & { readonly action: AgendaAction }) {
  const app = useApp();
  return <KeyedButton {...look} onClick={() => app.answer('agenda', action)} />;
}

/** The dot of a calendar. */
export function Dot({ color }: { readonly color: string }) {
  return (
    <span className={own.dot} aria-hidden="true" style={{ '--calendar-color': color } as CSSProperties} />
  );
}

function Thing({ thing, isFirst }: { readonly thing: AgendaThingView; readonly isFirst: boolean }) {
  const app = useApp();
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (isFirst) button.current?.focus();
  }, [isFirst, thing.key]);
  const { key, title, time, place, calendar, color, isDone } = thing;
  return (
    <li>
      <button
        ref={button}
        type="button"
        className={own.event}
        data-ph={color === null ? 'agenda-block' : 'event'}
        data-option={key}
        data-first={isFirst ? '' : undefined}
        data-done={isDone || undefined}
        onClick={() => app.answer('agenda', { action: 'open', key })}
      >
        {color === null ? <span className={own.box} aria-hidden="true" /> : <Dot color={color} />}
        <span className={own.time}>{time}</span>
        <span className={own.name}>
          <bdi>{title}</bdi>
          {place !== '' && (
            <span className={styles.detail}>
              {' '}
              <bdi>{place}</bdi>
            </span>
          )}
          <span className="visually-hidden">
            , {isDone ? 'done, ' : ''}
            {calendar}
          </span>
        </span>
      </button>
    </li>
  );
}

function Days({ agenda: { days, hasCalendars, isBusy } }: { readonly agenda: AgendaView }) {
  const app = useApp();
  const first = days.flatMap(({ things }) => things)[0]?.key;
  return (
    <>
      <div className={own.days}>
        {days.map(({ day, name, isToday, planned, isFull, things }) => (
          <section key={day} className={own.day} data-today={isToday || undefined} aria-label={name}>
            <h3 className={own.dayName}>
              {isToday ? `Today, ${name}` : name}{' '}
              {planned !== '' && (
                <span className={own.fill} data-full={isFull || undefined}>
                  {planned}
                </span>
              )}
            </h3>
            {things.length > 0 && (
              <ul className={own.calendars}>
                {things.map((thing) => (
                  <Thing key={thing.key} thing={thing} isFirst={thing.key === first} />
                ))}
              </ul>
            )}
          </section>
        ))}
        {first === undefined && !hasCalendars && !isBusy && (
          <p className={own.none}>
            Nothing is planned, and there’s no calendar yet. Add one by its address or from a file.
          </p>
        )}
      </div>
      <div className={styles.actions}>
        <Act action={{ action: 'earlier' }} command="agenda.earlier" text="Earlier" />
        <Act action={{ action: 'today' }} command="agenda.today" text="Today" isFirst={first === undefined} />
        <Act action={{ action: 'later' }} command="agenda.later" text="Later" />
        <Button data-option="" onClick={() => app.answer('agenda', { action: 'calendars' })}>
          Calendars…
        </Button>
      </div>
      {first !== undefined && (
        <p className={`${styles.rule} ${shared.byKey}`}>
          <Keys caps={['J']} /> and <Keys caps={['K']} /> go through them.
        </p>
      )}
    </>
  );
}

const hostOf = (address: string) => new URL(address).hostname.replace(/^www\./, '');

function Details({ event }: { readonly event: NonNullable<AgendaView['open']> }) {
  const { day, time, place, calendar, color, description, links } = event;
  const hasCall = links[0]?.isCall === true;
  return (
    <>
      <p className={styles.detail}>
        {color !== null && <Dot color={color} />} <bdi>{calendar}</bdi> · {day} · {time}
      </p>
      {place !== '' && (
        <p className={own.text} dir="auto">
          {place}
        </p>
      )}
      {description !== '' && (
        <p className={own.text} dir="auto">
          {description}
        </p>
      )}
      <div className={styles.actions}>
        {links.map(({ address, isCall }, at) => (
          <Act
            key={address}
            action={{ action: 'link', address }}
            text={isCall ? `Join at ${hostOf(address)}` : `Open ${hostOf(address)}`}
            {...(isCall && at === 0 ? { kind: 'primary', isFirst: true } : {})}
          />
        ))}
        <Act action={{ action: 'back' }} text="Back" isFirst={!hasCall} />
      </div>
    </>
  );
}

/** Draws the agenda. */
export function Agenda({ agenda }: { readonly agenda: AgendaView }) {
  const { open, state, isBusy } = agenda;
  return (
    <div
      className={styles.form}
      data-ph="agenda"
      data-options=""
      aria-busy={isBusy}
      {...keysIn('dialog.agenda', 'list')}
    >
      <div className={shared.head}>
        <h2 className={styles.title}>{open === null ? 'Agenda' : <bdi>{open.title}</bdi>}</h2>
        <CloseButton />
      </div>
      {open === null ? <Days agenda={agenda} /> : <Details event={open} />}
      <p className={styles.rule} role="status">
        {state}
      </p>
    </div>
  );
}

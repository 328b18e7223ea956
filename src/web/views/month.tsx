// The month beside a date picker: a grid of days of which one is meant. Keys and what choosing does are the app's; the
// pointer is handed on.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { useLayoutEffect } from 'react';
import type { DayView, MonthView } from '#client/pickers/month.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { projectFocus } from './focus.ts';
import styles from './month.module.css';

function Day({
  day,
  isMeant,
  isHeld,
  isStop,
}: {
  readonly day: DayView;
  readonly isMeant: boolean;
  readonly isHeld: boolean;
  /** Keys may lead to it. */
  readonly isStop: boolean;
}) {
  return (
    <div
      id={`day-${day.date}`}
      role="gridcell"
      className={styles.day}
      tabIndex={isStop ? 0 : -1}
      aria-label={day.label}
      aria-selected={isMeant}
      aria-current={day.isToday ? 'date' : undefined}
      data-held={isHeld ? '' : undefined}
      data-outside={day.isOutside ? '' : undefined}
      data-day={day.date}
    >
      {day.number}
    </div>
  );
}

/** `onTurn`: by that many months; `onDay`: a day was pressed. Absent: they are the palette’s, whose keys move in it. */
export function Month({
  month,
  onTurn,
  onDay,
}: {
  readonly month: MonthView;
  readonly onTurn?: (months: number) => void;
  readonly onDay?: (day: string) => void;
}) {
  const app = useApp();
  const turn = onTurn ?? ((by) => app.run(by < 0 ? 'month.previousMonth' : 'month.nextMonth'));
  const choose = onDay ?? ((to) => app.pressDay(to));
  const { day, isFocused } = month;
  useLayoutEffect(() => {
    // Another month has other elements.
    if (isFocused) projectFocus(app.view);
  }, [app, day, isFocused]);
  return (
    <div className={styles.month} data-ph="month">
      <div className={styles.head}>
        <button
          type="button"
          className={styles.turn}
          aria-label="Previous month"
          tabIndex={onTurn ? 0 : -1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => turn(-1)}
        >
          <Icon name="chevron" size={14} />
        </button>
        <span id="month-title" className={styles.title} aria-live="polite">
          {month.title}
        </span>
        <button
          type="button"
          className={styles.turn}
          aria-label="Next month"
          tabIndex={onTurn ? 0 : -1}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => turn(1)}
        >
          <Icon name="chevron" size={14} />
        </button>
      </div>
      <div
        role="grid"
        aria-labelledby="month-title"
        className={styles.grid}
        data-focused={isFocused ? '' : undefined}
        onMouseDown={(event) => event.preventDefault()}
        onClick={(event) => {
          const cell =
            event.target instanceof Element ? event.target.closest<HTMLElement>('[data-day]') : null;
          if (cell) choose(cell.dataset['day'] ?? '');
        }}
      >
        <div role="row" className={styles.week}>
          {month.weekdays.map(({ short, long }) => (
            <div key={long} role="columnheader" aria-label={long} className={styles.weekday}>
              {short}
            </div>
          ))}
        </div>
        {month.weeks.map((week) => (
          <div key={week[0]?.date} role="row" className={styles.week}>
            {week.map((one) => (
              <Day
                key={one.date}
                day={one}
                isMeant={one.date === day}
                isHeld={one.date === month.held}
                isStop={one.date === day && onDay === undefined}
              />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

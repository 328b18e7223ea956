// The calendar beside the outline: days side by side in a grid of quarters of an hour, with blocks, events, the present moment and the slot. What keys
// and pointers come to is decided in client/week/.
import { type CSSProperties, memo, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { App } from '#client/app/app.ts';
import { weekSignals } from '#client/week/signals.ts';
import type { Stretch } from '#client/calendar/clock.ts';
import type {
  AllDayView,
  PlacedView,
  ThingView,
  WeekDayView,
  WeekMode,
  WeekView,
} from '#client/week/week-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Icon } from '../../parts/icon.tsx';
import { Keys } from '../../parts/keycap.tsx';
import { useSignal } from '../../parts/use-signal.ts';
import { projectFocus } from '../focus.ts';
import { firstSight, isInSight, sightOf } from './sight.ts';
import { listenToPointer } from './pointing.ts';
import styles from './week.module.css';

/** Custom properties for the stylesheet. */
const asStyle = (values: Readonly<Record<`--${string}`, string | number>>): CSSProperties =>
  values as CSSProperties;

/** The calendar; nothing while it is closed. */
export function Week() {
  const app = useApp();
  const view = useSignal(weekSignals(app.engine).view);
  return view && <Pane view={view} />;
}

const MODES = [
  [1, 'Day', 'calendar.day'],
  [3, '3 days', 'calendar.threeDays'],
  [7, 'Week', 'calendar.week'],
] as const;

function Head({ view: { title, week, planned, state, mode } }: { readonly view: WeekView }) {
  const app = useApp();
  return (
    <div className={styles.head}>
      <h2 className={styles.title}>{title}</h2>
      <span className={styles.muted}>{week}</span>
      <span className={styles.room} role="status">
        {[planned, state].filter(Boolean).join(' · ')}
      </span>
      {MODES.map(([days, name, command]) => (
        <button
          key={command}
          type="button"
          className={styles.mode}
          aria-pressed={days === mode}
          data-command={command}
          onClick={() => app.run(command)}
        >
          {name}
        </button>
      ))}
      <button
        type="button"
        className={styles.back}
        aria-label="Days before"
        data-command="slot.pageBefore"
        onClick={() => app.run('slot.pageBefore')}
      >
        <Icon name="chevron" />
      </button>
      <button
        type="button"
        className={styles.mode}
        data-command="slot.now"
        onClick={() => app.run('slot.now')}
      >
        Today
      </button>
      <button
        type="button"
        className={styles.button}
        aria-label="Days after"
        data-command="slot.pageAfter"
        onClick={() => app.run('slot.pageAfter')}
      >
        <Icon name="chevron" />
      </button>
      <button
        type="button"
        className={styles.button}
        aria-label="Close the calendar"
        data-command="calendar.show"
        onClick={() => {
          // It closes where it has the keys.
          weekSignals(app.engine).pointer?.arrived();
          app.run('calendar.show');
        }}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

const HINTS = [
  ['slot.longer', 'longer'],
  ['slot.shorter', 'shorter'],
  ['slot.moveLater', 'move'],
  ['slot.complete', 'done'],
  ['slot.open', 'open'],
  ['slot.goTo', 'day'],
  ['help.keys', 'all keys'],
] as const;

/** What may be done here, for those who look for it; all of it is in the list of keys. */
function Hints() {
  const app = useApp();
  const target = useSignal(weekSignals(app.engine).target);
  return (
    <p className={styles.hints} data-ph="calendar-hints">
      <span className={styles.hint}>
        <Keys caps={app.keysOf('slot.plan')[0]} /> plan
        <bdi className={styles.target}>{target || 'here'}</bdi>
      </span>
      {HINTS.map(([command, does]) => (
        <span key={command} className={styles.hint}>
          <Keys caps={app.keysOf(command)[0]} /> {does}
        </span>
      ))}
    </p>
  );
}

function Pane({ view }: { readonly view: WeekView }) {
  const app = useApp();
  const signals = weekSignals(app.engine);
  const body = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState(() => firstSight(signals.slot.get()?.minute ?? 0));
  const look = useCallback(() => {
    const grid = body.current?.parentElement;
    if (!grid) return;
    setSight((before) => sightOf(grid, before));
    signals.pointer?.fits(roomOf(grid.clientWidth));
  }, [signals]);
  useEffect(() => (body.current === null ? undefined : listenToPointer(app, body.current)), [app]);
  // It was asked for before it was there.
  useLayoutEffect(() => projectFocus(app.view), [app]);
  const { days, hours, title } = view;
  return (
    <section className={styles.pane} aria-label="Calendar" data-ph="calendar">
      <Head view={view} />
      <Grid app={app} title={title} days={days} look={look}>
        <div className={styles.top} role="rowgroup" data-ph="calendar-top">
          <div className={styles.columns} role="row" aria-rowindex={1}>
            <span role="columnheader" aria-colindex={1}>
              <span className="visually-hidden">Time</span>
            </span>
            {days.map((day, at) => (
              <DayName key={day.day} day={day} column={at + 2} />
            ))}
          </div>
          <div className={styles.columns} role="row" aria-rowindex={2}>
            <span className={styles.hour} role="rowheader" aria-colindex={1}>
              <span className="visually-hidden">All day</span>
            </span>
            {days.map((day, at) => (
              <AllDay key={day.day} things={day.allDay} column={at + 2} />
            ))}
          </div>
        </div>
        <div className={styles.body} role="rowgroup" ref={body}>
          <SlotRow count={days.length} app={app} look={look} />
          <div className={styles.columns} aria-hidden="true">
            <Hours hours={hours} />
            {days.map((day, at) => (
              <Day key={day.day} day={day} signals={signals} at={at} sight={sight} of={days.length} />
            ))}
          </div>
        </div>
      </Grid>
      <Hints />
    </section>
  );
}

function Grid({
  app,
  title,
  days,
  look,
  children,
}: {
  readonly app: App;
  readonly title: string;
  readonly days: WeekView['days'];
  readonly look: () => void;
  readonly children: React.ReactNode;
}) {
  const signals = weekSignals(app.engine);
  const slot = useSignal(signals.slot);
  const day = slot === null ? undefined : days[slot.day]?.day;
  const grid = useRef<HTMLDivElement>(null);
  useResize(grid, look);
  return (
    <div
      ref={grid}
      onScroll={look}
      id="calendar-text"
      className={styles.grid}
      style={asStyle({ '--days': days.length })}
      role="grid"
      aria-label={`Calendar, ${title}`}
      aria-rowcount={98}
      aria-colcount={days.length + 1}
      aria-activedescendant={slot === null ? undefined : `slot-${day ?? ''}-${slot.minute}`}
      // The one element that has the focus here.
      tabIndex={0}
      onFocus={() => signals.pointer?.arrived()}
    >
      {children}
    </div>
  );
}

/** Below these widths the names of days and things can't be read; px of the pane. */
const roomOf = (width: number): WeekMode => (width >= 560 ? 7 : width >= 300 ? 3 : 1);

/** Calls back when the element has another size. */
function useResize(of: React.RefObject<HTMLElement | null>, resized: () => void): void {
  useEffect(() => {
    const observer = new ResizeObserver(resized);
    if (of.current !== null) observer.observe(of.current);
    return () => observer.disconnect();
  }, [of, resized]);
}

const DayName = memo(function DayName({
  day: { name, number, label, isToday },
  column,
}: {
  readonly day: WeekDayView;
  readonly column: number;
}) {
  return (
    <span
      className={styles.dayName}
      role="columnheader"
      aria-colindex={column}
      aria-label={isToday ? `${label}, today` : label}
      data-today={isToday || undefined}
    >
      {name} <strong>{number}</strong>
    </span>
  );
});

const AllDay = memo(function AllDay({
  things,
  column,
}: {
  readonly things: readonly AllDayView[];
  readonly column: number;
}) {
  return (
    <div className={styles.allDay} role="gridcell" aria-colindex={column} data-above={column - 2}>
      {things.map((thing) => (
        <span
          key={thing.key}
          className={styles.chip}
          {...looksOf(thing)}
          data-thing={thing.key}
          data-begins={thing.begins ? '' : undefined}
          data-ends={thing.ends ? '' : undefined}
          style={{ ...looksOf(thing).style, gridRow: thing.lane + 1 }}
        >
          {/* It is one bar over its days, and named where it begins. */}
          <bdi>{thing.begins ? thing.title : '\u00a0'}</bdi>
        </span>
      ))}
    </div>
  );
});

/** What styles ask of a thing. */
function looksOf({ kind, isDone, isLight, color }: ThingView) {
  return {
    'data-kind': kind,
    'data-done': isDone ? '' : undefined,
    'data-light': isLight ? '' : undefined,
    ...(color === null ? {} : { style: asStyle({ '--calendar-color': color }) }),
  };
}

const Hours = memo(function Hours({ hours }: { readonly hours: readonly string[] }) {
  return (
    <div className={styles.hours}>
      {hours.map((hour, at) => (
        <span key={hour} className={styles.hour} data-first={at === 0 || undefined}>
          {at === 0 ? '' : hour}
        </span>
      ))}
    </div>
  );
});

function Band({ of, kind }: { readonly of: Stretch | null; readonly kind: 'work' | 'skipped' | 'twice' }) {
  return (
    of && (
      <div className={styles.band} data-kind={kind} style={asStyle({ '--from': of.from, '--to': of.to })} />
    )
  );
}

const Day = memo(function Day({
  day,
  signals,
  at,
  sight,
  of,
}: {
  readonly day: WeekDayView;
  readonly signals: ReturnType<typeof weekSignals>;
  readonly at: number;
  readonly sight: Stretch;
  /** How many days are shown. */
  readonly of: number;
}) {
  return (
    <div className={styles.day} data-day={day.day} data-today={day.isToday || undefined}>
      <Band of={day.work} kind="work" />
      <Band of={day.skipped} kind="skipped" />
      <Band of={day.twice} kind="twice" />
      <div className={styles.things}>
        {day.placed.map(
          (thing) => isInSight(thing, sight) && <PlacedThing key={thing.key} thing={thing} days={of} />,
        )}
      </div>
      {day.isToday && <Now signals={signals} at={at} />}
      <Chosen signals={signals} at={at} day={day} />
    </div>
  );
});

const placeOf = ({ from, to, column, columns }: PlacedView) => {
  const end = Math.max(to, from + 15);
  return asStyle({ '--from': from, '--to': end, '--column': column, '--columns': columns });
};

/** So many minutes are as high as a line of text in the grid. */
const LINE_MINUTES = 18;

/** How many lines have room in it. */
const linesOf = ({ from, to }: PlacedView) => Math.max(1, Math.floor((to - from - 3) / LINE_MINUTES));

const MARK = <Icon name="check" size={10} />;

/** A title alone where there is no room for more: with hundreds of them on a screen each element counts. */
const PlacedThing = memo(function PlacedThing({
  thing,
  days,
}: {
  readonly thing: PlacedView;
  readonly days: number;
}) {
  const { from, to, title, time, key, begins, ends, columns } = thing;
  const looks = looksOf(thing);
  const isShort = to - from < 45;
  const parts = days * columns;
  const isWide = parts <= 14;
  const isBoxed = isWide && thing.kind === 'block';
  const hasTime = parts <= 3 || (parts <= 7 && !isShort);
  return (
    <div
      className={styles.thing}
      {...looks}
      data-ph={thing.kind === 'block' ? 'block' : 'calendar-event'}
      data-thing={key}
      data-begins={begins ? '' : undefined}
      data-ends={ends ? '' : undefined}
      data-short={isShort || undefined}
      data-boxed={isBoxed || undefined}
      data-tiny={to - from <= 20 || undefined}
      style={{ ...looks.style, ...placeOf(thing) }}
    >
      {isBoxed && (
        <span className={styles.box} data-box="">
          {MARK}
        </span>
      )}
      {isWide ? (
        <span className={styles.words} style={asStyle({ '--lines': linesOf(thing) })}>
          {hasTime ? (
            <>
              <bdi>{title}</bdi> <span className={styles.time}>{time}</span>
            </>
          ) : (
            title
          )}
        </span>
      ) : (
        title
      )}
    </div>
  );
});

function Now({ signals, at }: { readonly signals: ReturnType<typeof weekSignals>; readonly at: number }) {
  const now = useSignal(signals.now);
  if (now === null || now.day !== at) return null;
  return <div className={styles.now} data-ph="now" style={asStyle({ '--from': now.minute })} />;
}

/** Which of the things of a day keys are about: drawn around it, so that the things are not drawn again. */
function Chosen({
  signals,
  at,
  day,
}: {
  readonly signals: ReturnType<typeof weekSignals>;
  readonly at: number;
  readonly day: WeekDayView;
}) {
  const slot = useSignal(signals.slot);
  if (slot === null || slot.day !== at) return null;
  const thing = day.placed.find(({ key }) => key === slot.key);
  if (thing === undefined) return null;
  return <div className={styles.chosen} data-ph="chosen" style={placeOf(thing)} />;
}

/** Scrolls so that a slot is seen below what stands at the top. */
function follow(slot: HTMLElement): void {
  const grid = slot.closest<HTMLElement>('#calendar-text');
  const top = grid?.querySelector<HTMLElement>('[data-ph=calendar-top]');
  if (!grid || !top) return;
  const room = grid.clientHeight - top.offsetHeight;
  const from = slot.offsetTop;
  const isNew = grid.dataset['scrolled'] === undefined;
  grid.dataset['scrolled'] = '';
  if (isNew) grid.scrollTop = from - room / 3;
  else if (from < grid.scrollTop) grid.scrollTop = from - slot.offsetHeight;
  else if (from + slot.offsetHeight > grid.scrollTop + room)
    grid.scrollTop = from + 2 * slot.offsetHeight - room;
}

/** The slot as the one row of the grid that is there for readers: of 672 cells, the one that keys are about. */
function SlotRow({
  count,
  app,
  look,
}: {
  readonly count: number;
  readonly app: App;
  readonly look: () => void;
}) {
  const signals = weekSignals(app.engine);
  const slot = useSignal(signals.slot);
  const view = useSignal(signals.view);
  const cell = useRef<HTMLDivElement>(null);
  const place = `${slot?.day ?? ''} ${slot?.minute ?? ''} ${count}`;
  useLayoutEffect(() => {
    if (cell.current === null) return;
    follow(cell.current);
    // What came into sight is drawn in the same frame.
    look();
  }, [place, look]);
  if (slot === null) return null;
  const { day, minute, time, label, key } = slot;
  // What stands above the hours has no outline of its own here.
  const isOn = view?.days[day]?.placed.some((thing) => thing.key === key) === true;
  return (
    <div
      className={styles.slotRow}
      role="row"
      aria-rowindex={minute / 15 + 3}
      style={asStyle({ '--from': minute, '--day': day })}
    >
      <span className="visually-hidden" role="rowheader" aria-colindex={1}>
        {time}
      </span>
      {/* A new one for each place: readers say what they have not said before. */}
      <div
        key={label}
        ref={cell}
        id={`slot-${view?.days[day]?.day ?? ''}-${minute}`}
        className={styles.slot}
        role="gridcell"
        aria-colindex={day + 2}
        aria-label={label}
        aria-selected="true"
        data-ph="slot"
        data-on={isOn ? '' : undefined}
      />
    </div>
  );
}

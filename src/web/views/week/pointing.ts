// What a pointer does in the calendar beside the outline: puts the slot, drags a block or its lower edge, drops tasks of the outline. It measures and
// shows where a block would go; the client does it.
import type { App } from '#client/app/app.ts';
import { weekSignals } from '#client/week/signals.ts';
import { STEP_MINUTES } from '#client/calendar/clock.ts';

/** So far a pressed pointer moves before it drags; px. */
const SLACK = 5;
/** This much of a block's lower end stretches it; px. */
const EDGE = 7;

interface Measures {
  readonly left: number;
  readonly top: number;
  readonly dayWidth: number;
  readonly minuteHeight: number;
  readonly days: number;
}

/** The grid's own measures, without the column of hours. */
function measure(body: HTMLElement): Measures | null {
  const columns = [...body.querySelectorAll<HTMLElement>('[data-day]')];
  const first = columns[0]?.getBoundingClientRect();
  if (first === undefined) return null;
  const { left, top, width, height } = first;
  return { left, top, dayWidth: width, minuteHeight: height / 1_440, days: columns.length };
}

const within = (value: number, most: number) => Math.min(Math.max(value, 0), most);

/** The day and the minute under a point, on the grid of quarters of an hour. */
function slotAt(
  { left, top, dayWidth, minuteHeight, days }: Measures,
  { clientX, clientY }: Pick<PointerEvent, 'clientX' | 'clientY'>,
): { readonly day: number; readonly minute: number } {
  const minute = Math.floor((clientY - top) / minuteHeight / STEP_MINUTES) * STEP_MINUTES;
  return {
    day: within(Math.floor((clientX - left) / dayWidth), days - 1),
    minute: within(minute, 1_440 - STEP_MINUTES),
  };
}

/** Follows one press of a block until it ends. */
function follow(app: App, { thing, body, start, dragged }: Pressed): void {
  const at = measure(body);
  const key = thing.dataset['thing'];
  const { pointer } = weekSignals(app.engine);
  if (at === null || key === undefined || pointer === null) return;
  const box = thing.getBoundingClientRect();
  const isStretch =
    thing.dataset['ends'] === '' && box.bottom - start.clientY <= Math.min(EDGE, box.height / 3);
  const step = STEP_MINUTES * at.minuteHeight;
  const listening = new AbortController();
  const { signal } = listening;
  let isDragging = false;
  const moved = (event: PointerEvent) => ({
    rows: Math.round((event.clientY - start.clientY) / step),
    days: isStretch ? 0 : Math.round((event.clientX - start.clientX) / at.dayWidth),
  });
  const end = () => {
    listening.abort();
    delete thing.dataset['dragged'];
    thing.style.removeProperty('translate');
    thing.style.removeProperty('height');
  };
  thing.setPointerCapture(start.pointerId);
  thing.addEventListener(
    'pointermove',
    (event) => {
      const far = Math.hypot(event.clientX - start.clientX, event.clientY - start.clientY);
      isDragging ||= far > SLACK;
      if (!isDragging) return;
      dragged();
      thing.dataset['dragged'] = '';
      const { rows, days } = moved(event);
      if (isStretch) thing.style.height = `${Math.max(step, box.height + rows * step)}px`;
      else thing.style.translate = `${days * at.dayWidth}px ${rows * step}px`;
    },
    { signal },
  );
  thing.addEventListener(
    'pointerup',
    (event) => {
      end();
      const { rows, days } = moved(event);
      if (!isDragging || (rows === 0 && days === 0)) return;
      if (isStretch) pointer.stretch(key, rows * STEP_MINUTES);
      else pointer.move(key, days, rows * STEP_MINUTES);
    },
    { signal },
  );
  thing.addEventListener('pointercancel', end, { signal });
  window.addEventListener(
    'keydown',
    (event) => {
      // Any key ends it, and Escape does nothing else.
      if (isDragging && event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
      }
      end();
    },
    { capture: true, signal },
  );
}

/** The thing that an event is about. */
const keyAt = ({ target }: Event): string | undefined =>
  target instanceof Element ? target.closest<HTMLElement>('[data-thing]')?.dataset['thing'] : undefined;

/** The box that completes the task of a block. */
const isBox = (target: EventTarget | null): target is Element =>
  target instanceof Element && target.closest('[data-box]') !== null;

interface Pressed {
  readonly thing: HTMLElement;
  readonly body: HTMLElement;
  readonly start: PointerEvent;
  readonly dragged: () => void;
}

/** Answers the pointer in the grid whose rows are `body`; the returned function stops it. */
export function listenToPointer(app: App, body: HTMLElement): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  /** What was chosen already, and is pressed again: it is opened, unless it is dragged. */
  let again: string | null = null;
  body.addEventListener(
    'pointerdown',
    (event) => {
      if (event.button !== 0 || !event.isPrimary) return;
      const at = measure(body);
      if (at === null) return;
      const thing =
        event.target instanceof Element ? event.target.closest<HTMLElement>('[data-thing]') : null;
      const { day, minute } = slotAt(at, event);
      const { pointer, slot } = weekSignals(app.engine);
      const key = thing?.dataset['thing'] ?? null;
      again = key !== null && slot.get()?.key === key ? key : null;
      // A press in a short thing is about that thing, wherever in the row it begins.
      pointer?.press(day, minute, key);
      if (thing?.dataset['kind'] === 'block' && !isBox(event.target))
        follow(app, { thing, body, start: event, dragged: () => (again = null) });
    },
    { signal },
  );
  // Also above the hours, where there is nothing to put the slot at.
  body.parentElement?.addEventListener(
    'click',
    (event) => {
      const key = keyAt(event);
      const { pointer } = weekSignals(app.engine);
      if (key === undefined || pointer === null) return;
      const above =
        event.target instanceof Element ? event.target.closest<HTMLElement>('[data-above]') : null;
      const at = measure(body);
      if (above !== null) pointer.follow(Number(above.dataset['above']), key);
      else if (isBox(event.target)) pointer.check(key);
      else if (again === key && at !== null) pointer.follow(slotAt(at, event).day, key);
    },
    { signal },
  );
  // The outline has captured the pointer: what is under it has to be asked for.
  window.addEventListener(
    'pointerup',
    (event) => {
      if (app.view.drag.get() === null) return;
      const under = document.elementFromPoint(event.clientX, event.clientY);
      const at = under !== null && body.contains(under) ? measure(body) : null;
      if (at === null) return;
      const { day, minute } = slotAt(at, event);
      app.drag.cancel();
      weekSignals(app.engine).pointer?.drop(day, minute);
    },
    { capture: true, signal },
  );
  return () => listening.abort();
}

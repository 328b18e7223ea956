// What the calendar beside the outline shows, as signals of its own: neither the app's view nor its first load knows of them. They are kept by the
// engine, which both the part that sets them and the component that draws them have.
import type { Engine } from '#sync/replica/replica-types.ts';
import { createSignal } from '../app/signal.ts';
import type { NowView, SlotView, WeekMode, WeekView } from './week-view.ts';

/** What a pointer does. Times are minutes of the day; `day`: its index among those that are shown. */
export interface WeekPointer {
  /** The slot goes there, and to a thing if one was pressed. */
  press(day: number, minute: number, key: string | null): void;
  /** A block was dragged by so many days and minutes, or its lower edge by so many minutes. */
  move(key: string, days: number, minutes: number): void;
  stretch(key: string, minutes: number): void;
  /** What was pressed is wanted: the event is opened, the task of a block gone to. */
  follow(day: number, key: string): void;
  /** The box of a block was pressed. */
  check(key: string): void;
  /** The tasks that are dragged were dropped. */
  drop(day: number, minute: number): void;
  /** There is room for so many days. */
  fits(days: WeekMode): void;
  /** The focus came by the browser. */
  arrived(): void;
}

/** The signals of one running app. */
export class WeekSignals {
  /** Null: it is closed. */
  readonly view = createSignal<WeekView | null>(null);
  /** Null exactly where `view` is. */
  readonly slot = createSignal<SlotView | null>(null, isSame);
  /** Null: not among the days that are shown. */
  readonly now = createSignal<NowView | null>(null, isSame);
  /** What is planned at the slot: the task at the cursor of the outline, or those selected; empty: none. */
  readonly target = createSignal('');
  /** Null until the part is there. */
  pointer: WeekPointer | null = null;
}

/** Equality of views whose values are no objects. */
function isSame<T extends object>(a: T | null, b: T | null): boolean {
  if (a === null || b === null) return a === b;
  const values = Object.entries(b);
  return values.every(([name, value]) => (a as Readonly<Record<string, unknown>>)[name] === value);
}

const known = new WeakMap<Engine, WeekSignals>();

/** Those of the app with this engine. */
export function weekSignals(engine: Engine): WeekSignals {
  const signals = known.get(engine) ?? new WeekSignals();
  known.set(engine, signals);
  return signals;
}

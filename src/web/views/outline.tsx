// The outline: a window of pooled slots over rows of one fixed height. The list itself never renders on a key; slots
// listen to their own signal, and height, scroll position and row count are written to the elements directly.
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { Id } from '#core/ids.ts';
import { useApp } from '../parts/app-context.ts';
import { isField } from '../platform/input/fields.ts';
import { useSignal } from '../parts/use-signal.ts';
import { restViews } from './rest-views.ts';
import { createOutlineWindow } from './outline-window.ts';
import styles from './outline.module.css';
import { PlaceTitle } from './place-title.tsx';
import { Slot } from './slot.tsx';

/** There a task is opened by a tap: what can be done with it needs a place. */
const PHONE = '(width < 768px)';

interface Pressed {
  readonly id: Id;
  readonly at: number;
  readonly level: number;
  readonly act: string | null;
  readonly isCursor: boolean;
}

function rowAt(target: EventTarget | null): Pressed | null {
  if (!(target instanceof Element)) return null;
  const row = target.closest<HTMLElement>('[data-row]');
  if (!row) return null;
  return {
    id: row.dataset['row'] as Id,
    at: Number(row.ariaRowIndex) - 1,
    level: Number(row.ariaLevel ?? 1),
    act: target.closest<HTMLElement>('[data-act]')?.dataset['act'] ?? null,
    isCursor: row.tabIndex === 0,
  };
}

/** What pressing a part of a row runs. */
const COMMANDS: Readonly<Record<string, string>> = {
  complete: 'task.complete',
  toggle: 'view.fold',
  due: 'task.due',
};

/** Pointer twins of the keys, on the grid as a whole: rows come and go. */
function usePointer(gridRef: React.RefObject<HTMLDivElement | null>): void {
  const app = useApp();
  useEffect(() => {
    const grid = gridRef.current;
    if (!grid) return undefined;
    const listening = new AbortController();
    const { signal } = listening;
    const none = { shift: false, mod: false };
    let held = false;
    let isTouch = false;

    // The app decides where focus goes; the browser's own choice would end the selection first.
    grid.addEventListener(
      'mousedown',
      (event) => {
        if (!isField(event.target)) event.preventDefault();
      },
      { signal },
    );
    grid.addEventListener(
      'pointerdown',
      (event) => {
        held = false;
        isTouch = event.pointerType === 'touch';
        const row = rowAt(event.target);
        if (!row || row.act === 'accept' || isField(event.target)) return;
        const taken = () => {
          held = true;
        };
        const press = { ...row, app, grid, event };
        if (isTouch && row.act !== 'drag') restViews.get()?.followFinger({ ...press, taken });
        else if (row.act === null || row.act === 'drag')
          if (event.button === 0) restViews.get()?.followPress({ ...press, dragged: taken });
      },
      { signal },
    );
    grid.addEventListener(
      'click',
      (event) => {
        const row = rowAt(event.target);
        if (!row || held || isField(event.target)) return;
        // A finger opens the sheet of the task, where its date is a line.
        const command = isTouch && row.act === 'due' ? undefined : COMMANDS[row.act ?? ''];
        if (command !== undefined) {
          app.pressRow(row.id, { ...none, at: row.at });
          app.run(command);
        } else if (row.act === 'accept') {
          // The title goes on being written: nothing is pressed but what stands beside it.
          const at = app.view.recognized.get().findIndex(({ state }) => state === 'suggested');
          app.run('edit.accept', { by: String(at) });
        } else {
          const isTap = event instanceof PointerEvent && event.pointerType === 'touch';
          // While some are selected, a tap selects; in the trash all that can be done stands in the bar.
          const isTrash = app.view.header.get().kind === 'trash';
          const selects = isTap && (isTrash || app.view.status.get().selected > 0);
          app.pressRow(row.id, {
            at: row.at,
            shift: event.shiftKey,
            mod: selects || (app.platform.apple ? event.metaKey : event.ctrlKey),
          });
          if (!isTap || selects) return;
          if (matchMedia(PHONE).matches) app.run('task.details');
          else if (row.isCursor) app.run('task.edit');
        }
      },
      { signal },
    );
    grid.addEventListener(
      'dblclick',
      (event) => {
        const row = rowAt(event.target);
        // Two taps of a finger are two taps.
        if (row && !row.act && !isTouch && !isField(event.target)) app.run('task.edit');
      },
      { signal },
    );
    return () => listening.abort();
  }, [app, gridRef]);
}

export function Outline() {
  const app = useApp();
  const { rows } = app.view;
  const pool = useSignal(rows.pool);
  const later = useSignal(restViews);
  const isEmpty = useSignal(app.view.empty) !== null;
  const scroller = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const probe = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLDivElement>(null);

  useLayoutEffect(() => {
    if (!scroller.current || !grid.current || !probe.current || !title.current) return undefined;
    return createOutlineWindow({
      scroller: scroller.current,
      grid: grid.current,
      probe: probe.current,
      title: title.current,
      view: app.view,
    });
  }, [app]);
  usePointer(grid);

  return (
    <div ref={scroller} className={styles.scroller} data-ph="outline" hidden={isEmpty}>
      <div className={styles.pull} aria-hidden="true" />
      <div ref={probe} className={styles.probe} />
      <div ref={title}>
        <PlaceTitle />
      </div>
      <div
        ref={grid}
        id="outline"
        className={styles.grid}
        role="treegrid"
        tabIndex={-1}
        aria-labelledby="outline-title"
        aria-describedby="outline-hint"
        aria-multiselectable="true"
      >
        {Array.from({ length: pool }, (_, index) => (
          <Slot key={index} index={index} />
        ))}
        {later && <later.Others />}
      </div>
    </div>
  );
}

// Takes keys and moved focus from the browser and hands them to the app as plain data. A taken key loses its
// default, every other one keeps it; the keys that press and pass buttons are the browser's while one has the focus.
import type { App } from '#client/app/app.ts';
import type { Id } from '#core/ids.ts';
import { type KeyInput, meantKey } from '#client/keys/stroke.ts';
import { listenToGiven } from './paste-and-drop.ts';
import { isProjecting, noteFocusMove, projectFocus } from '../../views/focus.ts';
import { isLine, takesText } from './fields.ts';
import { contextsOf } from './options.ts';

const BUTTONS = 'button, a[href], summary';
/** What presses a button and what leads on to the next one. */
const BUTTON_KEYS: ReadonlySet<string> = new Set(['Enter', ' ', 'Tab']);

/** A button or link that is not part of a row: rows answer keys as a whole. */
function ownButtonOf(target: EventTarget | null): HTMLElement | null {
  if (!(target instanceof Element)) return null;
  const button = target.closest<HTMLElement>(BUTTONS);
  return button && !button.closest('[data-row], [data-side]') ? button : null;
}

/** The edge between two panes has keys of its own. */
const EDGE_KEYS: ReadonlySet<string> = new Set(['ArrowLeft', 'ArrowRight', 'Home', 'End', 'Enter', 'Tab']);

function isButtonKey(event: KeyboardEvent): boolean {
  const isOnEdge = event.target instanceof Element && event.target.role === 'separator';
  if (isOnEdge && !event.ctrlKey && !event.metaKey && !event.altKey) return EDGE_KEYS.has(meantKey(event));
  const key = meantKey(event);
  if (!BUTTON_KEYS.has(key) || event.ctrlKey || event.metaKey || event.altKey) return false;
  return (key === 'Tab' || !event.shiftKey) && ownButtonOf(event.target) !== null;
}

function caretOf(target: EventTarget | null): Pick<KeyInput, 'caret'> {
  if (!isLine(target)) return {};
  return { caret: target.selectionStart === target.selectionEnd ? target.selectionStart : null };
}

export function keyInput(event: KeyboardEvent): KeyInput {
  return {
    key: event.key,
    code: event.code,
    keyCode: event.keyCode,
    ctrl: event.ctrlKey,
    meta: event.metaKey,
    alt: event.altKey,
    shift: event.shiftKey,
    altGraph: event.getModifierState('AltGraph'),
    composing: event.isComposing,
    repeat: event.repeat,
    inText: takesText(event.target),
    ...caretOf(event.target),
    within: contextsOf(event.target),
  };
}

/** Text of the page was selected, and is to be copied: rows cannot be selected so. */
function copiesText(event: KeyboardEvent): boolean {
  if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false;
  return meantKey(event) === 'c' && document.getSelection()?.isCollapsed === false;
}

type Pane = Parameters<App['focusArrived']>[0];

function paneOf(target: EventTarget | null): { readonly pane: Pane; readonly id: Id | null } | null {
  if (!(target instanceof HTMLElement)) return null;
  const row = target.closest<HTMLElement>('[data-row]');
  if (row) return { pane: 'outline', id: row.dataset['row'] as Id };
  const side = target.closest<HTMLElement>('[data-side]');
  if (side) return { pane: 'sidebar', id: side.dataset['side'] as Id };
  if (target.id === 'outline' || target.id === 'outline-empty') return { pane: 'outline', id: null };
  if (target.id === 'sidebar') return { pane: 'sidebar', id: null };
  if (target.id === 'notes-text') return { pane: 'notes', id: null };
  if (target.id === 'search-input') return { pane: 'search', id: null };
  return null;
}

/**
 * Keys show what they are wherever one was pressed that no keyboard on the screen has: that one is there for text alone, and
 * has neither modifiers nor Esc. Until then a device for fingers shows none.
 */
function noticeKeys({ isTrusted, code, key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): void {
  const root = document.documentElement;
  if (!isTrusted || code === '' || root.hasAttribute('data-ph-keys')) return;
  if (takesText(target) && !ctrlKey && !metaKey && !altKey && key !== 'Escape') return;
  root.setAttribute('data-ph-keys', '');
}

/** What is left may commit what was typed in it, and a dialog is drawn anew before the focus is where it goes. */
function followLeaving(app: App, signal: AbortSignal): void {
  window.addEventListener(
    'focusout',
    ({ relatedTarget }) => {
      noteFocusMove(relatedTarget);
      setTimeout(() => {
        noteFocusMove(null);
        // What had it, or would have got it, is gone from the dialog.
        const isLost = document.activeElement === document.body && document.hasFocus();
        if (isLost && app.view.focus.get().pane === 'dialog') projectFocus(app.view);
      });
    },
    { capture: true, signal },
  );
}

/** Starts listening; the returned function stops it. */
export function listenToKeys(app: App): () => void {
  const listening = new AbortController();
  const { signal } = listening;
  let isTabbing = false;

  window.addEventListener(
    'keydown',
    (event) => {
      noticeKeys(event);
      // The browser closes its menu.
      if (event.key === 'Escape' && document.querySelector('#add-menu:popover-open')) return;
      if (copiesText(event)) return;
      if (isButtonKey(event) && !app.wantsKey) app.releaseKeys();
      else if (app.key(keyInput(event))) event.preventDefault();
      isTabbing = meantKey(event) === 'Tab' && !event.defaultPrevented;
    },
    { capture: true, signal },
  );
  window.addEventListener(
    'pointerdown',
    () => {
      isTabbing = false;
    },
    { capture: true, signal },
  );
  window.addEventListener(
    'mousedown',
    (event) => {
      // A pressed button does not take the focus: Space would press it again instead of completing the task.
      const button = ownButtonOf(event.target);
      if (button && !button.closest('dialog')) event.preventDefault();
    },
    { capture: true, signal },
  );
  window.addEventListener(
    'click',
    () => {
      // A button may have gone with what it closed.
      queueMicrotask(() => {
        if (document.activeElement === document.body) projectFocus(app.view);
      });
    },
    { signal },
  );
  followLeaving(app, signal);
  window.addEventListener(
    'focusin',
    (event) => {
      noteFocusMove(null);
      if (isProjecting(app.view)) return;
      const arrived = paneOf(event.target);
      if (arrived) app.focusArrived(arrived.pane, isTabbing ? 'tab' : 'other', arrived.id);
    },
    { signal },
  );
  listenToGiven(app, { rowOf: (target) => paneOf(target)?.id ?? null, signal });
  window.addEventListener('blur', () => app.releaseKeys(), { signal });
  document.addEventListener(
    'visibilitychange',
    () => {
      const isHidden = document.visibilityState === 'hidden';
      app.holdMessage('hidden', isHidden);
      if (isHidden) app.releaseKeys();
    },
    { signal },
  );
  return () => listening.abort();
}

// Stands in the page of a public list itself, so that no key is lost, however early it comes: keeps what is pressed and fetches the
// script of the page after the first paint. Until then the page belongs to its text.
import { ANSWERING, type EarlyWays, keepEarlyKeys } from './early-keys.ts';
import { afterFirstPaint } from './first-paint.ts';
import { insist } from './insist.ts';

/** What the page answers wherever the focus is. Before them all other keys are the browser's. */
const ANYWHERE = /^(?:Arrow(?:Up|Down)|\?)$/;
/** What may follow: keys of rows, and text. */
const AFTER = /^(?:.|Arrow\w+|Home|End|Enter|Escape|Backspace)$/u;

/** The button that adds a task was pressed: what is written now is meant for the task, and not for the button. */
let isAdding = false;
const addingOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest('.public-list .add') : null;

const LIST: EarlyWays = {
  isMeant({ key, target, ctrlKey, altKey, metaKey, isComposing }, isFirst) {
    if (metaKey || isComposing) return false;
    // Links, buttons and fields have keys of their own.
    const isFree = target === document.body || (isAdding && addingOf(target) !== null);
    if (!isFree && (key !== '?' || target instanceof HTMLInputElement)) return false;
    if (ctrlKey || altKey) return !isFirst && key === 'Enter';
    return (isFirst ? ANYWHERE : AFTER).test(key);
  },
  press: 'click',
  placeOf(target) {
    if (addingOf(target) !== null) {
      isAdding = true;
      return () => document.querySelector('.add');
    }
    const id = target.closest<HTMLElement>('[data-id]')?.dataset['id'];
    if (id === undefined || target.closest('a') !== null) return null;
    const place = `[data-id="${CSS.escape(id)}"]${target.closest('.box') === null ? '' : ' .box'}`;
    return () => document.querySelector(place);
  },
};

const { script } = document.currentScript?.dataset ?? {};
const early = keepEarlyKeys(LIST);
document.addEventListener(ANSWERING, early.replay, { once: true });
afterFirstPaint(() => {
  void insist(script).catch(early.drop);
});

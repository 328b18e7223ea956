// Signs, in the app's page, that a key's result is on screen. Each function runs in the page on its own, so it may use
// nothing from outside itself. They read what assistive technology reads: roles, names, focus.

export const appPredicates = {
  /** Rows are drawn and the keyboard is on one of them. */
  ready: () =>
    document.querySelectorAll('[data-ph="task"]').length > 20 &&
    document.activeElement?.matches('[data-ph="task"]'),
  /** Every task of the open list is in. */
  complete: (count: number) => {
    const rows = Number(document.getElementById('outline')?.getAttribute('aria-rowcount'));
    return rows >= count && !document.querySelector('[data-ph="sync"]')?.textContent?.includes('Loading');
  },
  position: () => document.querySelector('[data-ph-cursor]')?.id,
  focusLeft: (id: string) => {
    const row = document.activeElement;
    return row !== null && row.id !== id && row.matches('[data-ph="task"][data-ph-cursor]');
  },
  rowIsComplete: ({ id, on }: { id: string; on: boolean }) => {
    const state = document.getElementById(id)?.dataset['phState']?.split(' ');
    return state !== undefined && state.includes('complete') === on;
  },
  rowIsOnLevel: ({ id, level }: { id: string; level: number }) => {
    const row = document.getElementById(id);
    return row?.dataset['phLevel'] === String(level) && document.activeElement === row;
  },
  rowLeft: ({ id, index }: { id: string; index: string }) => {
    const row = document.getElementById(id);
    return row !== null && row.ariaRowIndex !== index && document.activeElement === row;
  },
  inputHolds: (length: number) => {
    const input = document.activeElement;
    return (
      input instanceof HTMLInputElement &&
      input.dataset['ph'] === 'title-input' &&
      input.value.length === length
    );
  },
  /** The row is committed with its title, and a fresh, focused input stands in another row. */
  createdAndFresh: ({ id, title }: { id: string; title: string }) => {
    const input = document.activeElement;
    const row = document.getElementById(id);
    return (
      input instanceof HTMLInputElement &&
      input.value === '' &&
      input.closest('[data-ph="task"]')?.id !== id &&
      row?.querySelector('[data-ph="title"]:not([hidden])')?.textContent === title
    );
  },
  searchShows: (query: string) => {
    const field = document.getElementById('search-input');
    const titles = [...document.querySelectorAll('[data-ph="task"] [data-ph="title"]')];
    const shows = titles.length > 0 && titles.every((title) => title.textContent?.includes(query));
    return field instanceof HTMLInputElement && field.value === query && shows;
  },
  paletteIsOpen: () =>
    document.querySelector('[data-ph="palette"][data-open]') !== null &&
    document.querySelectorAll('#palette-list [role="option"]').length > 3 &&
    document.activeElement?.id === 'palette-input',
};

// Names of macros, and the links that start them.
import type { Id } from '#core/ids.ts';
import type { MacroShelf } from './shelf.ts';

/** A name that no macro has: the given one, or with a number. `except`: the macro that may keep it. */
export function freeName(shelf: MacroShelf, wanted: string, except?: Id): string {
  const taken = new Set(shelf.all.filter(({ id }) => id !== except).map(({ name }) => name));
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${wanted} ${number}`)) number += 1;
  return `${wanted} ${number}`;
}

/** The address that starts a macro. */
export const linkOf = (id: Id): string => `web+posthaste:run-macro/id/${id}`;

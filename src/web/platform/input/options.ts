// The contexts of keys that a control in a dialog names: `data-keys`. What moves the focus among options is option-focus.ts.
import type { KeyContext } from '#client/commands/command.ts';

/**
 * What names the contexts that count while a control, or something in it, has the focus; the first counts most. None: the
 * arrows are the control's own, whatever it stands in.
 */
export const keysIn = (...contexts: readonly KeyContext[]) => ({ 'data-keys': contexts.join(' ') });

/** Those of an element in the open dialog. */
export function contextsOf(target: EventTarget | null): readonly KeyContext[] {
  const marked = target instanceof Element ? target.closest<HTMLElement>('dialog [data-keys]') : null;
  // Written by `keysIn`.
  return (marked?.dataset['keys']?.split(' ').filter(Boolean) ?? []) as KeyContext[];
}

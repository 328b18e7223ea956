// Hands the running app to the components below it.
import { createContext, use } from 'react';
import type { App } from '#client/app/app.ts';
import { must } from '#core/assert.ts';

/** `Frame` provides it; null outside. */
export const AppContext = createContext<App | null>(null);

/** The app around the component. Throws outside `AppContext`. */
export function useApp(): App {
  return must(use(AppContext), 'a view outside the app');
}

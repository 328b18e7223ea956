// Hands the running app to the components below it.
import { createContext, use } from 'react';
import type { App } from '#client/app.ts';
import { must } from '#core/assert.ts';

export const AppContext = createContext<App | null>(null);

export function useApp(): App {
  return must(use(AppContext), 'a view outside the app');
}

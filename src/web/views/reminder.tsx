// The banner of what rings: a chunk of its own that is loaded when something first rings.
'use no memo';

import { createElement, useEffect, useState } from 'react';
import { useApp } from '../parts/app-context.ts';
import { useSignal } from '../parts/use-signal.ts';
import type { ReminderBanner } from './reminder-banner.tsx';

type Banner = typeof ReminderBanner;

export function Reminder() {
  const app = useApp();
  const shown = useSignal(app.view.reminder);
  const [part, setPart] = useState<{ readonly banner: Banner } | null>(null);
  const isWanted = shown !== null && part === null;
  useEffect(() => {
    if (!isWanted) return;
    import('./reminder-banner.tsx').then(
      ({ ReminderBanner: banner }) => setPart({ banner }),
      // The keys work, and the next ring tries again.
      (error: unknown) => console.warn('Couldn’t load the reminder banner.', error),
    );
  }, [isWanted]);
  return shown && part ? createElement(part.banner, { shown }) : null;
}

// Icons that the first screen does without, for `Icon` (icon.tsx).
import { addIcons } from './icon.tsx';

const LATER = {
  clock: 'M8 13.75a5.75 5.75 0 1 0 0-11.5 5.75 5.75 0 0 0 0 11.5ZM8 5v3.2l2 1.3',
  close: 'm4 4 8 8m0-8-8 8',
  label:
    'M2.75 3.5v4.2c0 .4.16.78.44 1.06l4.55 4.55a1.5 1.5 0 0 0 2.12 0l3.45-3.45a1.5 1.5 0 0 0 0-2.12L8.76 3.2A1.5 1.5 0 0 0 7.7 2.75H3.5a.75.75 0 0 0-.75.75Zm2.75 2h.01',
  lock: 'M4.25 7.25h7.5a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1h-7.5a1 1 0 0 1-1-1v-4.5a1 1 0 0 1 1-1Zm1.25 0V5a2.5 2.5 0 0 1 5 0v2.25',
  minus: 'M3.5 8h9',
  moon: 'M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5Z',
  pen: 'M3 13v-2.4l7.4-7.4a1 1 0 0 1 1.4 0l1 1a1 1 0 0 1 0 1.4L5.4 13H3Zm6-8.4 2.4 2.4',
  people:
    'M8.5 5.5a2.5 2.5 0 1 1-5 0 2.5 2.5 0 0 1 5 0ZM1.5 13.25c.4-2.4 2.2-3.6 4.5-3.6s4.1 1.2 4.5 3.6M10.5 3.2a2.5 2.5 0 0 1 0 4.6M12.2 9.9c1.3.6 2.1 1.7 2.3 3.35',
  person: 'M8 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Zm-4.75 5.25a4.75 4.75 0 0 1 9.5 0',
  undo: 'M5.5 3 2.5 6l3 3M2.75 6h6.5a4 4 0 0 1 0 8H6',
} as const;

/** The name of one of them. */
export type LaterIcon = keyof typeof LATER;

addIcons(LATER);

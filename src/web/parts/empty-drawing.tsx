// What is drawn in an empty place, in 128 by 96 px: lines, and one of them in the accent color. Loaded with the rest.
import type { EmptyDrawing as Name } from '#client/app/view.ts';
import styles from './empty-drawing.module.css';

interface Drawn {
  /** What is filled like paper. */
  readonly paper?: string;
  readonly lines?: string;
  /** Thinner to the eye. */
  readonly faint?: string;
  readonly accent: string;
}

const SHEET = 'M36 14h56a6 6 0 0 1 6 6v64a6 6 0 0 1-6 6H36a6 6 0 0 1-6-6V20a6 6 0 0 1 6-6z';

const DRAWINGS: Readonly<Record<Name, Drawn>> = {
  inbox: {
    paper: 'M22 56 36 26h56l14 30v22a6 6 0 0 1-6 6H28a6 6 0 0 1-6-6z',
    lines: 'M22 56h24c2 9 8 14 18 14s16-5 18-14h24',
    accent: 'm54 40 7 7 14-16',
  },
  list: { paper: SHEET, faint: 'M42 34h8v8h-8zM42 54h8v8h-8z', accent: 'M58 38h20M80 31v14' },
  done: {
    paper: SHEET,
    faint: 'M42 34h8v8h-8zM42 54h8v8h-8zM58 38h26M58 58h18',
    accent: 'm72 76 7 7 14-16',
  },
  today: {
    paper: 'M40 72a24 24 0 0 1 48 0z',
    lines: 'M20 72h88',
    faint: 'M34 80h60M46 87h36',
    accent: 'M64 34v-8M92 44l6-6M36 44l-6-6M100 62l8-3M28 62l-8-3',
  },
  search: {
    paper:
      'M60 60H29a5 5 0 0 1-5-5V27a5 5 0 0 1 5-5h42a5 5 0 0 1 5 5v11M100 58a20 20 0 1 1-40 0 20 20 0 0 1 40 0z',
    lines: 'm27 27 22 16a5 5 0 0 0 6 0l8-6M95 73l13 13',
    accent: 'm74 52 12 12M86 52 74 64',
  },
  folder: {
    paper: 'M24 34a6 6 0 0 1 6-6h20l10 10h38a6 6 0 0 1 6 6v34a6 6 0 0 1-6 6H30a6 6 0 0 1-6-6z',
    faint: 'M24 48h80',
    accent: 'M64 58v16M56 66h16',
  },
  trash: {
    paper: 'M40 36h48l-4 44a6 6 0 0 1-6 5H50a6 6 0 0 1-6-5z',
    lines: 'M32 36h64M54 36v-8h20v8',
    faint: 'M56 48v24M72 48v24',
    accent: 'm86 22 5 5 9-11',
  },
  moon: {
    paper: 'M86 64a28 28 0 0 1-35-37 28 28 0 1 0 35 37z',
    faint: 'M24 88h80',
    accent: 'M76 26h12L76 40h12M96 18h8l-8 10h8',
  },
};

/** Draws inside an `svg` of 128 by 96. */
export function EmptyDrawing({ name }: { readonly name: Name }) {
  const { paper, lines, faint, accent } = DRAWINGS[name];
  return (
    <g className={styles.drawing}>
      <path className={styles.paper} d={paper} />
      <path d={lines} />
      <path className={styles.faint} d={faint} />
      <path className={styles.accent} d={accent} />
    </g>
  );
}

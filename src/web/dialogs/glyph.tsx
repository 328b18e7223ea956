// Icons that only dialogs draw, in the manner of parts/icon.tsx: apart from those, which the first screen waits for.
import { LineDrawing } from '../parts/icon.tsx';

const PATHS = {
  palette:
    'M8 2.25a5.75 5.75 0 0 0 0 11.5c.9 0 1.4-.6 1.4-1.35 0-.95-.8-1.15-.8-1.95 0-.65.5-1.1 1.2-1.1h1.55A2.4 2.4 0 0 0 13.75 7C13.75 4.3 11.2 2.25 8 2.25ZM5.2 8.25h.01M6.6 5.5h.01m2.99-.15h.01',
  data: 'M8 6c2.6 0 4.75-.85 4.75-1.9S10.6 2.25 8 2.25s-4.75.8-4.75 1.85S5.4 6 8 6ZM3.25 4.1v7.8c0 1.05 2.15 1.85 4.75 1.85s4.75-.8 4.75-1.85V4.1M3.25 8c0 1.05 2.15 1.9 4.75 1.9s4.75-.85 4.75-1.9',
  down: 'm4.5 6.25 3.5 3.5 3.5-3.5',
  arrow: 'M2.75 8h10.5M9.25 4l4 4-4 4',
  into: 'M2 4.5a1.25 1.25 0 0 1 1.25-1.25h2.6l1.6 1.6h5.3A1.25 1.25 0 0 1 14 6.1v5.4a1.25 1.25 0 0 1-1.25 1.25h-9.5A1.25 1.25 0 0 1 2 11.5ZM5.5 8.8h4.75M8.5 7l1.8 1.8-1.8 1.8',
} as const;

export type GlyphName = keyof typeof PATHS;

/** One of them. `size` in pixels at the usual text size, with which it grows. */
export function Glyph({ name, size = 16 }: { readonly name: GlyphName; readonly size?: number }) {
  return <LineDrawing path={PATHS[name]} size={size} />;
}

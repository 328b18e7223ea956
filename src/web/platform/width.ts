// Tells the app whether the window is too narrow for the lists to stand beside the outline: the stylesheets' breakpoint.
import type { App } from '#client/app/app.ts';

const NARROW = '(width < 768px)';

/** Says it now and at every change; the returned function stops it. */
export function watchWidth(app: App): () => void {
  const query = matchMedia(NARROW);
  const tell = () => app.layoutChanged(query.matches);
  tell();
  query.addEventListener('change', tell);
  return () => query.removeEventListener('change', tell);
}

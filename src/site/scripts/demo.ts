// Wakes the list on the front page that answers keys, and the film's dialog that `?demo` opens.
import { DemoList } from './demo-list.ts';

const isStill = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** From its beginning, where motion is wanted; elsewhere it waits to be played. */
function playFilm(film: HTMLVideoElement): void {
  film.poster = film.dataset['poster'] ?? '';
  if (isStill()) return;
  film.muted = true;
  // A browser that plays nothing by itself leaves the button.
  film.play().catch(() => undefined);
}

/** `?demo` and its button open the dialog; closing it brings the address and the focus back. */
function startDialog(): void {
  const dialog = document.querySelector<HTMLDialogElement>('[data-demo-dialog]');
  if (!dialog) return;
  const film = dialog.querySelector<HTMLVideoElement>('video[data-poster]');
  const open = () => {
    if (!dialog.open) dialog.showModal();
    dialog.scrollTop = 0;
    if (film) playFilm(film);
  };
  const opener = document.querySelector<HTMLElement>('[data-open-demo]');
  opener?.addEventListener('click', (event) => {
    event.preventDefault();
    history.replaceState(history.state, '', '/?demo');
    open();
  });
  dialog.querySelector('[data-close]')?.addEventListener('click', () => dialog.close());
  dialog.addEventListener('close', () => {
    film?.pause();
    const url = new URL(location.href);
    url.searchParams.delete('demo');
    history.replaceState(history.state, '', url);
    // Opened by the address, there is nothing that the focus came from; the browser leaves it in what is closed.
    const { activeElement, body } = document;
    if (activeElement === body || dialog.contains(activeElement)) opener?.focus();
  });
  if (new URLSearchParams(location.search).has('demo')) open();
}

export function startDemo(): void {
  const demo = document.querySelector<HTMLElement>('[data-demo]');
  const list = demo?.querySelector<HTMLElement>('.demo-rows');
  const status = demo?.querySelector('[data-demo-status]');
  if (demo && list && status)
    new DemoList(demo, list, (text) => {
      status.textContent = text;
    });
  startDialog();
}

// What a page of the site does beyond being read. Everything here is an addition: without it the page works as well.
import '../styles/site.css';
import { watchBar } from './bar.ts';
import { startCarousels } from './carousel.ts';
import { refreshChangelog } from './changelog.ts';
import { addCopyButtons } from './copy-code.ts';
import { startDemo } from './demo.ts';
import { enhanceForms } from './forms.ts';
import { startFilms } from './films.ts';
import { openGuideSearch } from './guide-search.ts';
import { watchTheme } from './theme.ts';
import { trackVisits } from './tracking.ts';

/** An old address with the guide behind the sign: `/guides#labels`. */
function followGuideHash(): void {
  const id = location.hash.slice(1);
  if (
    location.pathname === '/guides' &&
    /^[a-z-]+$/.test(id) &&
    document.querySelector(`a[href="/guides/${id}"]`)
  )
    location.replace(`/guides/${id}`);
}

/** The title is the page's own while it is open, and the product's name once it is left. */
function resetTitle(): void {
  const own = document.title;
  window.addEventListener('pagehide', () => {
    document.title = 'Posthaste';
  });
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) document.title = own;
  });
}

function whenLoaded(work: () => void): void {
  if (document.readyState === 'complete') work();
  else addEventListener('load', work, { once: true });
}

function openApp(): void {
  const address = document.querySelector<HTMLElement>('[data-open-app]')?.dataset['openApp'];
  if (!address) return;
  // The page is whole first: an unknown scheme may stop what is still loading.
  whenLoaded(() => location.assign(address));
}

/** `[` and `]` turn to the neighbouring guides, while nothing on the page has the focus. */
function turnPages(): void {
  const neighbours = document.querySelector('[data-neighbours]');
  if (!neighbours) return;
  document.addEventListener('keydown', (event) => {
    if (document.activeElement !== document.body || event.ctrlKey || event.metaKey || event.altKey) return;
    const way = event.key === '[' ? 'prev' : event.key === ']' ? 'next' : null;
    if (way) neighbours.querySelector<HTMLAnchorElement>(`a[rel=${way}]`)?.click();
  });
}

followGuideHash();
resetTitle();
watchBar();
watchTheme();
enhanceForms();
startDemo();
startCarousels();
startFilms();
openGuideSearch();
turnPages();
addCopyButtons();
trackVisits();
openApp();
// What the server sent is on screen first.
whenLoaded(() => void refreshChangelog());

// What a page of the site does beyond being read, fetched after the first paint (head.ts). Everything here is an addition:
// without it the page works as well.
import '../styles/site.css';
import { watchBar } from './bar.ts';
import { startCarousels } from './carousel.ts';
import { refreshChangelog } from './changelog.ts';
import { watchContents } from './contents.ts';
import { addCopyButtons } from './copy-code.ts';
import { startDemo } from './demo.ts';
import { enhanceForms } from './forms.ts';
import { startFilms } from './films.ts';
import { startGuideHelp } from './guide-help.ts';
import { openGuideSearch } from './guide-search.ts';
import { watchTheme } from './theme.ts';
import { trackVisits } from './tracking.ts';

function whenLoaded(work: () => void): void {
  if (document.readyState === 'complete') work();
  else addEventListener('load', work, { once: true });
}

function openApp(): void {
  const address = document.querySelector<HTMLElement>('[data-open-app]')?.dataset['openApp'];
  if (!address) return;
  // The page is whole first: an unknown scheme may stop what is still loading. It would stop as well where a visitor goes
  // who has pressed a link already.
  whenLoaded(() => {
    if (!navigator.userActivation.hasBeenActive) location.assign(address);
  });
}

watchBar();
watchTheme();
enhanceForms();
startDemo();
startCarousels();
startFilms();
openGuideSearch();
startGuideHelp();
watchContents();
addCopyButtons();
trackVisits();
openApp();
// What the server sent is on screen first.
whenLoaded(() => void refreshChangelog());
document.documentElement.dataset['script'] = 'whole';

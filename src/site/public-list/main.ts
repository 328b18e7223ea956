// Begins the page of a public list: the server has drawn it, and from here on it follows the list and takes what the visitor does. What
// was pressed until it could is made again by what stands in the page itself (start/public-list.ts).
import './look.css';
import { ANSWERING } from '../start/early-keys.ts';
import { PublicListPage } from './page.ts';

const byId = (id: string) => document.getElementById(id);

const [list, about, status, empty] = ['tasks', 'about', 'status', 'empty'].map(byId);
const [live, count, part, said] = ['live', 'count', 'part', 'said'].map(byId);
const heading = document.querySelector('h1');
const main = document.querySelector('main');
/** Of an encrypted list, what opens it comes first. */
async function begin(): Promise<void> {
  if (!(list && about && status && empty && live && count && part && said && heading && main)) return;
  const isSealed = document.body.dataset['sealed'] !== undefined;
  const seals = isSealed ? (await import('./sealed.ts')).sealsBy(location.hash) : null;
  // Who puts the whole address in the place of half of it stays on the page otherwise.
  if (isSealed) addEventListener('hashchange', () => location.reload());
  new PublicListPage(
    { list, about, status, empty, live, count, part, said, heading, main },
    {
      address: location.pathname,
      answering: () => document.dispatchEvent(new Event(ANSWERING)),
      seals,
    },
  ).start();
}

void begin().catch(() => {
  if (status) status.textContent = 'This page could not be loaded in full. Reload it.';
});
document.documentElement.dataset['script'] = 'whole';

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
if (list && about && status && empty && live && count && part && said && heading && main)
  new PublicListPage(
    { list, about, status, empty, live, count, part, said, heading, main },
    { address: location.pathname, answering: () => document.dispatchEvent(new Event(ANSWERING)) },
  ).start();
document.documentElement.dataset['script'] = 'whole';

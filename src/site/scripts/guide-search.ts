// The search of the guides: a combobox over an index made by the build. Both the index and the library arrive when the field
// is first used.
import { counted } from '#core/counted.ts';
import type { Finder, Found } from './guide-finder.ts';

const MOST = 8;

class GuideSearch {
  readonly #input: HTMLInputElement;
  readonly #list: HTMLElement;
  readonly #status: HTMLElement;
  #finder: Promise<Finder> | null = null;
  #at = -1;
  /** What the results in the list are of. */
  #shown = '';
  /** Enter came before its results did. */
  #isGoing = false;

  constructor(input: HTMLInputElement, list: HTMLElement, status: HTMLElement) {
    this.#input = input;
    this.#list = list;
    this.#status = status;
    const prepare = () => void this.#load().catch(() => (this.#finder = null));
    input.addEventListener('focus', prepare, { once: true });
    input.addEventListener('pointerenter', prepare, { once: true });
    input.addEventListener('input', () => {
      this.#isGoing = false;
      void this.#search();
    });
    input.addEventListener('keydown', (event) => this.#key(event));
    input.addEventListener('focus', () => this.#unfold(true));
    input.addEventListener('blur', () => this.#unfold(false));
    // The focus stays in the field: without it the list closes before the press has ended.
    list.addEventListener('mousedown', (event) => event.preventDefault());
    // Somebody was faster than this script.
    if (document.activeElement !== input) return;
    prepare();
    void this.#search();
  }

  /** As if it had been typed. */
  ask(query: string): void {
    this.#input.value = query;
    this.#input.focus();
    void this.#search();
  }

  #load(): Promise<Finder> {
    this.#finder ??= import('./guide-finder.ts').then(({ openFinder }) => openFinder());
    return this.#finder;
  }

  async #search(): Promise<void> {
    const query = this.#input.value.trim();
    if (query === '') return this.#show([]);
    try {
      const finder = await this.#load();
      // What was typed meanwhile has a search of its own.
      if (query === this.#input.value.trim()) this.#show(finder.find(query, MOST), query);
    } catch {
      this.#finder = null;
      this.#isGoing = false;
      this.#show([], query);
      this.#say('Search didn’t load. Try again in a moment.', true);
    }
    return undefined;
  }

  /** `isSeen`: also for those who see that there are no results. */
  #say(text: string, isSeen = false): void {
    this.#status.textContent = text;
    this.#status.classList.toggle('visually-hidden', !isSeen);
  }

  #unfold(isWanted: boolean): void {
    const isOpen = isWanted && this.#list.childElementCount > 0;
    this.#list.hidden = !isOpen;
    this.#input.setAttribute('aria-expanded', String(isOpen));
  }

  #show(found: readonly Found[], query = ''): void {
    this.#shown = query;
    this.#at = found.length > 0 ? 0 : -1;
    this.#list.replaceChildren(...found.map((each, index) => this.#option(each, index)));
    this.#unfold(document.activeElement === this.#input);
    if (query === '') this.#say('');
    else if (found.length === 0) this.#say('No results. Try another word, or browse the list.', true);
    else this.#say(counted(found.length, 'result'));
    this.#point();
    if (this.#isGoing) this.#go();
  }

  #go(): void {
    this.#isGoing = this.#shown !== this.#input.value.trim();
    if (this.#isGoing) return;
    const current = this.#list.children[this.#at];
    const address = current instanceof HTMLElement ? current.dataset['address'] : undefined;
    if (address !== undefined) location.href = address;
  }

  #option({ address, guide, heading, isPlanned }: Found, index: number): HTMLElement {
    const option = document.createElement('div');
    option.id = `guide-result-${index}`;
    option.setAttribute('role', 'option');
    option.dataset['address'] = address;
    const title = document.createElement('span');
    title.textContent = guide;
    const section = document.createElement('small');
    section.textContent = isPlanned ? `${heading} (planned)`.trimStart() : heading;
    option.append(title, ' ', section);
    // Not when the press begins: a finger may scroll the list.
    option.addEventListener('click', () => {
      location.href = address;
    });
    return option;
  }

  #point(): void {
    for (const [index, option] of [...this.#list.children].entries())
      option.setAttribute('aria-selected', String(index === this.#at));
    const current = this.#list.children[this.#at];
    if (current) this.#input.setAttribute('aria-activedescendant', current.id);
    else this.#input.removeAttribute('aria-activedescendant');
    current?.scrollIntoView({ block: 'nearest' });
  }

  #key(event: KeyboardEvent): void {
    const count = this.#list.children.length;
    if (event.key === 'ArrowDown') this.#at = Math.min(count - 1, this.#at + 1);
    else if (event.key === 'ArrowUp') this.#at = Math.max(0, this.#at - 1);
    else if (event.key === 'Enter') this.#go();
    else if (event.key === 'Escape') {
      this.#input.value = '';
      this.#show([]);
    } else return;
    event.preventDefault();
    this.#point();
  }
}

export function openGuideSearch(): void {
  const place = document.querySelector('[data-guide-search]');
  const input = place?.querySelector('input');
  const list = place?.querySelector<HTMLElement>('[role=listbox]');
  const status = place?.querySelector<HTMLElement>('[data-search-status]');
  if (!input || !list || !status) return;
  const search = new GuideSearch(input, list, status);
  const asked = new URLSearchParams(location.search).get('q')?.trim() ?? '';
  if (asked !== '' && input.value === '') search.ask(asked);
}

// The field with choices below it that the demonstration opens for a date, a search or a command.

/** Something that can be chosen. */
export interface Choice {
  readonly words: string;
  /** Keycaps to show beside it. */
  readonly caps?: Node | undefined;
  readonly choose: () => void;
}

export interface PickerTerms {
  readonly label: string;
  readonly choices: readonly Choice[];
  /** A key was answered here. */
  readonly onKey: (event: KeyboardEvent, cap: string) => void;
  /** It is gone. `isLeft`: the focus is elsewhere by the visitor's own doing. */
  readonly onClose: (isLeft: boolean) => void;
}

const CAPS: Readonly<Record<string, string>> = { ArrowDown: '↓', ArrowUp: '↑', Enter: '↵', Escape: 'Esc' };

function element(className: string, role: string, id: string): HTMLElement {
  const made = document.createElement('div');
  made.className = className;
  made.role = role;
  made.id = id;
  return made;
}

/** Opens it in `place`, with the focus in its field, until something is chosen, Escape is pressed or the focus leaves. */
export class Picker {
  readonly #terms: PickerTerms;
  readonly #box = document.createElement('div');
  readonly #field = document.createElement('input');
  readonly #list = element('demo-choices', 'listbox', 'demo-choices');
  #shown: readonly Choice[] = [];
  #at = 0;
  #isClosed = false;

  constructor(place: Element, terms: PickerTerms) {
    this.#terms = terms;
    this.#box.className = 'demo-picker';
    Object.assign(this.#field, { role: 'combobox', placeholder: terms.label, ariaExpanded: 'true' });
    this.#field.ariaLabel = terms.label;
    this.#field.ariaAutoComplete = 'list';
    this.#field.setAttribute('aria-controls', this.#list.id);
    this.#list.ariaLabel = 'Choices';
    this.#field.addEventListener('input', () => this.#filter());
    this.#field.addEventListener('keydown', (event) => this.#key(event));
    this.#field.addEventListener('blur', () => this.#close(true));
    this.#list.addEventListener('pointerdown', (event) => this.#press(event));
    this.#box.append(this.#field, this.#list);
    place.append(this.#box);
    this.#filter();
    this.#field.focus();
  }

  #close(isLeft: boolean): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#box.remove();
    this.#terms.onClose(isLeft);
  }

  #filter(): void {
    const typed = this.#field.value.trim().toLowerCase();
    this.#shown = this.#terms.choices.filter(({ words }) => words.toLowerCase().includes(typed));
    this.#list.replaceChildren(
      ...this.#shown.map(({ words, caps }, index) => {
        const option = element('demo-choice', 'option', `demo-choice-${index}`);
        option.append(words, ...(caps ? [caps.cloneNode(true)] : []));
        return option;
      }),
    );
    if (this.#shown.length === 0) this.#list.append('Nothing matches.');
    this.#point(0);
  }

  #point(to: number): void {
    this.#at = Math.max(0, Math.min(this.#shown.length - 1, to));
    for (const [index, option] of [...this.#list.children].entries())
      option.ariaSelected = String(index === this.#at);
    const current = this.#list.children[this.#at];
    this.#field.setAttribute('aria-activedescendant', current?.id ?? '');
    current?.scrollIntoView({ block: 'nearest' });
  }

  #key(event: KeyboardEvent): void {
    if (event.key === 'Tab') return;
    event.stopPropagation();
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => this.#point(this.#at + 1),
      ArrowUp: () => this.#point(this.#at - 1),
      Enter: () => this.#choose(this.#at),
      Escape: () => this.#close(false),
    };
    const move = moves[event.key];
    if (move) event.preventDefault();
    move?.();
    const isLetter = event.key.length === 1 && !event.ctrlKey && !event.metaKey;
    if (move || isLetter) this.#terms.onKey(event, CAPS[event.key] ?? event.key.toUpperCase());
  }

  #press(event: PointerEvent): void {
    event.preventDefault();
    const pressed = event.target instanceof Element ? event.target.closest('.demo-choice') : null;
    if (pressed) this.#choose([...this.#list.children].indexOf(pressed));
  }

  #choose(at: number): void {
    const choice = this.#shown[at];
    this.#close(false);
    choice?.choose();
  }
}

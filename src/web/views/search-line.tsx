// The query line above the outline. Uncontrolled: the app gets every change and says only when the line opens or closes.
import { useLayoutEffect, useRef } from 'react';
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { useSignal } from '../parts/use-signal.ts';
import styles from './search-line.module.css';

export function SearchLine() {
  const app = useApp();
  const search = useSignal(app.view.search);
  return search && <OpenLine query={search.query} />;
}

function OpenLine({ query }: { readonly query: string }) {
  const app = useApp();
  const input = useRef<HTMLInputElement>(null);
  const close = () => {
    // Leaving a line with text empties it first, as Escape does; the button means both.
    app.run('search.leave');
    if (app.view.search.get()) app.run('search.leave');
  };
  useLayoutEffect(() => {
    if (input.current && input.current.value !== query) input.current.value = query;
  }, [query]);
  return (
    <search className={styles.line} data-ph="search">
      <Icon name="search" />
      <input
        ref={input}
        id="search-input"
        className={styles.input}
        type="text"
        aria-label="Search tasks"
        aria-controls="outline"
        placeholder="Search tasks"
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="search"
        defaultValue={query}
        onInput={(event) => app.searchInput(event.currentTarget.value)}
      />
      <button type="button" className={styles.close} aria-label="Close search" onClick={() => close()}>
        <Icon name="close" />
      </button>
    </search>
  );
}

// The query line above the outline, with what is said about the query below it. Uncontrolled: the app gets every change
// and says only when the line opens, closes or a command changed the text. What is wrong is underlined by a copy of the
// text that lies behind the field.
// Seldom drawn: the React compiler's caching would cost more than it saves.
'use no memo';

import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react';
import type { SearchView } from '#client/app/view.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { useSignal } from '../parts/use-signal.ts';
import styles from './search-line.module.css';

export function SearchLine() {
  const app = useApp();
  const search = useSignal(app.view.search);
  return search && <OpenLine search={search} />;
}

/** What is said about a query: no part of the first load. */
const SearchHelp = lazy(async () => ({ default: (await import('./search-help.tsx')).SearchHelp }));

/** The text once more, invisible but for the lines under what was not understood. */
function Underlines({ query, problems }: Pick<SearchView, 'query' | 'problems'>) {
  const parts: React.ReactNode[] = [];
  let at = 0;
  for (const { start, end } of problems) {
    if (start < at) continue;
    parts.push(query.slice(at, start), <u key={start}>{query.slice(start, end)}</u>);
    at = end;
  }
  return [...parts, query.slice(at)];
}

function OpenLine({ search }: { readonly search: SearchView }) {
  const app = useApp();
  const input = useRef<HTMLInputElement>(null);
  const under = useRef<HTMLDivElement>(null);
  const { query, put, problems, options, active } = search;
  // Stays as it is: React writes type, name and value of a field anew whenever this changes.
  const [initial] = useState(query);
  const follow = () => {
    if (under.current && input.current) under.current.scrollLeft = input.current.scrollLeft;
  };
  useLayoutEffect(() => {
    if (input.current && input.current.value !== query) input.current.value = query;
  }, [query]);
  useLayoutEffect(() => {
    if (put.times > 0) input.current?.setSelectionRange(put.caret, put.caret);
  }, [put]);
  useLayoutEffect(() => {
    // Without lines there is nothing to move, and asking costs a layout.
    if (problems.length > 0) follow();
  });
  const hasOptions = options.length > 0;
  const isTold = hasOptions || problems.length > 0 || search.explanation !== null;
  return (
    <search className={styles.search} data-ph="search">
      <div className={styles.line}>
        <Icon name="search" />
        <div className={styles.field}>
          <div ref={under} className={styles.under} aria-hidden="true">
            <Underlines query={query} problems={problems} />
          </div>
          <input
            ref={input}
            id="search-input"
            className={styles.input}
            type="text"
            role="combobox"
            aria-label="Search tasks"
            aria-expanded={hasOptions}
            aria-autocomplete="list"
            aria-controls={hasOptions ? 'search-options' : 'outline'}
            aria-activedescendant={hasOptions ? `search-option-${active}` : undefined}
            aria-describedby={isTold ? 'search-about' : undefined}
            aria-invalid={problems.length > 0}
            placeholder="Search tasks"
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            enterKeyHint="search"
            defaultValue={initial}
            onScroll={follow}
            onInput={(event) => {
              const { value, selectionStart } = event.currentTarget;
              app.searchInput(value, selectionStart ?? value.length);
            }}
          />
        </div>
        {/* As Escape does: a line with text is emptied first. The field keeps the focus. */}
        <button
          type="button"
          className={styles.close}
          aria-label={query === '' ? 'Close search' : 'Clear search'}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => app.run('search.leave')}
        >
          <Icon name="close" />
        </button>
      </div>
      {isTold && (
        <Suspense fallback={null}>
          <SearchHelp search={search} />
        </Suspense>
      )}
    </search>
  );
}

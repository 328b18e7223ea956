// What is said about a query below the search line: what may be typed next, what was not understood and what
// would be right, and the query in words. Loaded when there is something to say.
import type { SearchView } from '#client/app/view.ts';
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import styles from './search-line.module.css';

function Options({ options, active }: Pick<SearchView, 'options' | 'active'>) {
  const app = useApp();
  return (
    <div className={styles.options} id="search-options" role="listbox" aria-label="What you can type next">
      {options.map((option, index) => (
        <div
          key={option.text}
          id={`search-option-${index}`}
          className={styles.option}
          role="option"
          aria-selected={index === active}
          onPointerDown={(event) => {
            event.preventDefault();
            app.pressSearchOption(index);
          }}
        >
          <span className={styles.value}>{option.text}</span>
          {option.description !== '' && <span className={styles.description}>{option.description}</span>}
          {index === active && <Keys caps={app.keysOf('search.accept')[0]} />}
        </div>
      ))}
    </div>
  );
}

function About({ search }: { readonly search: SearchView }) {
  const app = useApp();
  const [problem] = search.problems;
  const hinted = search.problems.find(({ hint }) => hint !== null);
  const isSilent = !problem && search.explanation === null;
  return (
    <div className={styles.about} id="search-about" data-ph="search-about" hidden={isSilent}>
      {problem ? (
        <p className={styles.problem} role="status">
          <span>{problem.message}</span>
          {hinted && (
            <button type="button" className={styles.hint} onClick={() => app.run('search.accept')}>
              {hinted.hint === '' ? 'Leave it out' : `Use “${hinted.hint ?? ''}”`}
              <Keys caps={app.keysOf('search.accept')[0]} />
            </button>
          )}
        </p>
      ) : (
        search.explanation !== null && <p className={styles.explanation}>Shows {search.explanation}.</p>
      )}
    </div>
  );
}

export function SearchHelp({ search }: { readonly search: SearchView }) {
  return (
    <>
      {search.options.length > 0 && <Options options={search.options} active={search.active} />}
      <About search={search} />
    </>
  );
}

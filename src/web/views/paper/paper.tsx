// A list on paper: it stands beside the app while something is printed, and the app does not (paper.module.css).
import type { Paper, PaperLine } from '#client/printing/port.ts';
import styles from './paper.module.css';

/** Deeper lines keep this indentation. */
const DEEPEST = 8;

function Line({ line }: { readonly line: PaperLine }) {
  const { heading, level, kind, isDone, title, details, notes } = line;
  return (
    <>
      {heading !== null && <h2 className={styles.heading}>{heading}</h2>}
      <div
        className={styles.line}
        data-done={isDone || undefined}
        style={{ '--level': Math.min(level, DEEPEST) - 1 } as React.CSSProperties}
      >
        {kind === 'task' && <span className={styles.box}>{isDone && '✓'}</span>}
        <div>
          <span className={styles.title} dir="auto">
            {title || 'Untitled'}
          </span>
          {details !== '' && <span className={styles.details}> {details}</span>}
          {notes !== '' && (
            <div className={styles.notes} dir="auto">
              {notes}
            </div>
          )}
        </div>
      </div>
    </>
  );
}

export function PaperSheet({ paper }: { readonly paper: Paper }) {
  return (
    <main className={styles.paper} data-ph="paper">
      <h1 className={styles.name} dir="auto">
        {paper.title}
      </h1>
      <p className={styles.about}>{paper.about}</p>
      {paper.notes !== '' && (
        <div className={styles.notes} dir="auto">
          {paper.notes}
        </div>
      )}
      {paper.lines.map((line) => (
        <Line key={line.line} line={line} />
      ))}
      {paper.left > 0 && (
        <p className={styles.about}>
          {paper.left.toLocaleString('en')} more are not printed. Search for fewer, or export the list as
          text.
        </p>
      )}
    </main>
  );
}

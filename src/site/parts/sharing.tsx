// What the front page says of sharing: as much as there is of it. The list of guides knows.
import { guideList } from '../content/guide-list.ts';

const guides = guideList.filter(({ category }) => category === 'Sharing lists');

/** Null: all of it is there. */
function notYet(): string | null {
  const planned = guides.filter(({ status }) => status === 'planned').length;
  if (planned === 0) return null;
  return planned === guides.length
    ? 'Sharing is planned, and not in the product yet. The guides say how it is going to work.'
    : 'What is marked as planned is not in the product yet. Its guide says how it is going to work.';
}

export function Sharing() {
  const note = notYet();
  return (
    <section className="split" aria-labelledby="sharing">
      <div>
        <h2 id="sharing">A list for more than one</h2>
        {note === null ? null : <p>{note}</p>}
      </div>
      <ul className="steps-picture">
        {guides.map(({ id, title, status, summary }) => (
          <li key={id}>
            <strong>
              <a href={`/guides/${id}`}>{title}</a>
              {status === 'planned' ? <span className="tag">Planned</span> : null}
            </strong>
            <span>{summary}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

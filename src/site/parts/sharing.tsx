// What the front page says of sharing: as much as there is of it. The list of guides knows.
import { guideList } from '../content/guide-list.ts';

const guides = guideList.filter(({ category }) => category === 'Sharing lists');

/** Null: all of it is there. */
function notYet(): string | null {
  const planned = guides.filter(({ status }) => status === 'planned').length;
  if (planned === 0) return null;
  return planned === guides.length
    ? 'Sharing is planned. It’s not in the product yet. The guides show how it will work.'
    : 'Planned features aren’t in the product yet. Their guides show how they’ll work.';
}

/** Lists the guides on sharing, and marks those that describe what is only planned. */
export function Sharing() {
  const note = notYet();
  return (
    <section className="split" aria-labelledby="sharing">
      <div>
        <h2 id="sharing">Share a list</h2>
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

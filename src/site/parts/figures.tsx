// The measured figures at headline size.
import { measuredFigures } from '../content/figures.ts';

/** What they are and how they were taken has to stand beside it. */
export function Figures() {
  return (
    <dl className="figures">
      {measuredFigures.map(({ ms, what }) => (
        <div key={what}>
          <dt>
            {ms} <small>ms</small>
          </dt>
          <dd>{what}</dd>
        </div>
      ))}
    </dl>
  );
}

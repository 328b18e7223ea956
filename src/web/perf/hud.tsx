// The latency display of `?perf`: the last key, the p95 of all, the slowest commands, and a report to copy. A root of its
// own, so that drawing it is no part of what it measures.
'use no memo';
import { createRoot } from 'react-dom/client';
import type { App } from '#client/app/app.ts';
import { type LatencyReport, latencyText } from '#client/app/latency.ts';
import { createSignal, type Signal } from '#client/app/signal.ts';
import { useSignal } from '../parts/use-signal.ts';
import styles from './hud.module.css';
import { KeyMeasure } from './measure.ts';

const LISTED = 5;

const ms = (figure: number) => `${figure.toFixed(1)} ms`;

/** Where it was measured: figures mean little without. */
const about = (app: App): readonly string[] => [
  `${app.engine.replica.size} entities, ${navigator.hardwareConcurrency} processors, screen ${screen.width}×${screen.height}`,
  navigator.userAgent,
];

interface HudProps {
  readonly app: App;
  readonly shown: Signal<LatencyReport>;
}

function Hud({ app, shown }: HudProps) {
  const report = useSignal(shown);
  const { last, count, p95, commands } = report;
  const name = (command: string) => app.commands.get(command)?.title ?? command;
  return (
    <aside className={styles.hud} aria-label="Latency" data-ph="latency">
      <p className={styles.last}>
        <output>{last ? ms(last.took) : 'Press a key'}</output>
        {last && <span>{last.command === null ? 'typing' : name(last.command)}</span>}
      </p>
      <table className={styles.table}>
        <caption>
          {count} keys, p95 {ms(p95)}
        </caption>
        <tbody>
          {commands.slice(0, LISTED).map(({ command, p95: slow }) => (
            <tr key={command}>
              <th scope="row">{name(command)}</th>
              <td>{ms(slow)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button
        type="button"
        className={styles.copy}
        onClick={() => void app.platform.copyText(latencyText(report, about(app)))}
      >
        Copy report
      </button>
    </aside>
  );
}

/** Shows it over this app; the returned function takes it away. */
export function showHud(app: App): () => void {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  const measure = new KeyMeasure(app, () => shown.set(measure.log.report()));
  const shown = createSignal(measure.log.report());
  root.render(<Hud app={app} shown={shown} />);
  return () => {
    measure.stop();
    root.unmount();
    place.remove();
  };
}

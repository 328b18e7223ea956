// A script in the macro editor: its lines with their numbers, and what it did when it was checked.
import type { MacroChosenView, ScriptCheckView } from '#client/macros/editor/editor-view.ts';
import { useApp } from '../../parts/app-context.ts';
import { Keys } from '../../parts/keycap.tsx';
import { Button } from '../button.tsx';
import own from './editor.module.css';
import { type Around, Field } from './field.tsx';

function Lines({ source, wrong }: { readonly source: string; readonly wrong: number | null }) {
  return (
    <div className={own.lines} aria-hidden="true">
      {source.split('\n').map((_, index) => (
        <span key={index} data-wrong={index + 1 === wrong ? '' : undefined}>
          {index + 1}
        </span>
      ))}
    </div>
  );
}

function Check({ check }: { readonly check: ScriptCheckView }) {
  const { isRunning, log, problem, variables } = check;
  if (isRunning) return <p className={own.hint}>Running the script…</p>;
  return (
    <div className={own.result} data-ph="script-result">
      {problem !== null && <p className={own.problem}>{problem}</p>}
      {problem === null && variables.length === 0 && <p className={own.hint}>It returned no variables.</p>}
      {variables.length > 0 && (
        <dl className={own.values}>
          {variables.map(({ name, value }) => (
            <div key={name}>
              <dt className={own.variable}>{name}</dt>
              <dd>{value === '' ? <span className={own.hint}>empty</span> : value}</dd>
            </div>
          ))}
        </dl>
      )}
      {log.length > 0 && (
        <>
          <h4 className={own.section}>Console</h4>
          <pre className={own.console} data-ph="script-console">
            {log.join('\n')}
          </pre>
        </>
      )}
    </div>
  );
}

export function Script({
  chosen,
  ...around
}: Around & { readonly chosen: Extract<MacroChosenView, { readonly kind: 'script' }> }) {
  const app = useApp();
  const { source, note, check } = chosen;
  return (
    <>
      <Field field="source" name="JavaScript" value={source} isLong {...around}>
        <Lines source={source} wrong={check?.line ?? null} />
      </Field>
      <div className={own.row}>
        <span className={own.name}>Try the script</span>
        <div className={own.control}>
          <div className={own.inline}>
            <Button onClick={() => app.answer('macroEditor', { action: 'check' })}>
              Check <Keys caps={app.keysOf('steps.check')[0]} />
            </Button>
            <span className={own.hint}>It reads what is selected, and changes nothing.</span>
          </div>
          <div role="status">{check !== null && <Check check={check} />}</div>
        </div>
      </div>
      <Field field="note" name="Name of this step" value={note} placeholder="Optional" {...around} />
    </>
  );
}

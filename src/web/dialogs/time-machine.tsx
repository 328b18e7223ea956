// A list, a task or everything as it was: a slider over its moments, the outline then with what differs from now in words,
// and bringing back. The list has the focus: arrows left and right go through time, up and down through lines, Enter brings
// back. What is shown and what an answer does is client/history/time-machine.ts.
'use no memo';
import { useEffect, useRef } from 'react';
import type { TimeLineView, TimeMachineView } from '#client/history/view.ts';
import { useApp } from '../parts/app-context.ts';
import { Keys } from '../parts/keycap.tsx';
import { Button } from './button.tsx';
import styles from './dialog.module.css';
import own from './time-machine.module.css';
import { keysIn } from '../platform/input/options.ts';

const optionId = (index: number, part = -1) => `moment-line-${index}${part < 0 ? '' : `-${part}`}`;

function activeId({ lines }: TimeMachineView): string | undefined {
  for (const { index, active, parts } of lines) {
    if (active) return optionId(index);
    const part = parts.findIndex((one) => one.active);
    if (part >= 0) return optionId(index, part);
  }
  return undefined;
}

function Line({ line }: { readonly line: TimeLineView }) {
  const app = useApp();
  const { index, level, kind, type, title, isDone, since, parts, active } = line;
  const isOpen = active || parts.some((part) => part.active);
  return (
    <>
      <div
        id={optionId(index)}
        role="treeitem"
        aria-level={level}
        aria-selected={active}
        className={own.line}
        data-ph="moment-line"
        data-kind={kind}
        data-differs={since.length > 0 ? '' : undefined}
        style={{ '--level': level } as React.CSSProperties}
        onClick={() => app.answer('timeMachine', { action: 'choose', index })}
      >
        {type !== null && <span className={own.type}>{type} </span>}
        <span className={own.title} data-done={isDone ? '' : undefined}>
          {title === '' ? 'Without a title' : title}
        </span>
        {isDone && <span className={own.type}> complete</span>}
        {since.length > 0 && !(isOpen && parts.length > 0) && (
          <span className={own.since}>
            {kind === 'later' ? '' : 'Since: '}
            {since.join('. ')}
          </span>
        )}
      </div>
      {parts.map((part, at) => (
        <div
          key={`${at}.${part.text}`}
          id={optionId(index, at)}
          role="treeitem"
          aria-level={level + 1}
          aria-selected={part.active}
          className={own.line}
          data-ph="moment-part"
          style={{ '--level': level + 1 } as React.CSSProperties}
          onClick={() => app.answer('timeMachine', { action: 'choose', index, part: at })}
        >
          <span className={own.since}>Since: {part.text}</span>
          {part.active && part.detail?.before !== null && part.detail !== null && (
            <span className={own.then}>
              {part.detail.name} then: {part.detail.before === '' ? 'nothing' : part.detail.before}
            </span>
          )}
        </div>
      ))}
    </>
  );
}

function Lines({ machine }: { readonly machine: TimeMachineView }) {
  const app = useApp();
  const { lines, above, below, position } = machine;
  const list = useRef<HTMLDivElement>(null);
  const active = activeId(machine);
  useEffect(() => {
    if (active !== undefined) document.getElementById(active)?.scrollIntoView({ block: 'nearest' });
  }, [active, position]);
  return (
    <div
      ref={list}
      role="tree"
      aria-label="The outline then"
      aria-activedescendant={active}
      className={own.lines}
      data-first=""
      data-ph="moment-lines"
      tabIndex={0}
      {...keysIn('dialog.timeMachine', 'list')}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (below > 0 && scrollTop + clientHeight > scrollHeight - 200)
          app.answer('timeMachine', { action: 'more' });
      }}
    >
      {above > 0 && <p className={own.rest}>{above} lines above</p>}
      {lines.map((line) => (
        <Line key={`${line.kind}.${line.id}`} line={line} />
      ))}
      {below > 0 && <p className={own.rest}>{below} lines below</p>}
    </div>
  );
}

function Slider({ machine }: { readonly machine: TimeMachineView }) {
  const app = useApp();
  const { count, position, when, next, isReading, hasMore } = machine;
  const go = (action: 'older' | 'newer') => app.answer('timeMachine', { action });
  return (
    <div className={own.scrub}>
      <Button disabled={isReading || (position === count && !hasMore)} onClick={() => go('older')}>
        <span aria-hidden="true">← </span>Older
      </Button>
      <input
        type="range"
        className={own.slider}
        aria-label="Moment"
        aria-valuetext={`${when}. ${next}`}
        min={0}
        max={Math.max(1, count)}
        step={1}
        value={Math.max(1, count) - position}
        onChange={(event) => {
          const to = Math.max(1, count) - Number(event.target.value);
          app.answer('timeMachine', { action: 'goTo', position: to });
        }}
      />
      <Button disabled={position === 0} onClick={() => go('newer')}>
        Newer<span aria-hidden="true"> →</span>
      </Button>
    </div>
  );
}

export function TimeMachine({ machine }: { readonly machine: TimeMachineView }) {
  const app = useApp();
  const { title, note, canRetry, when, next, summary, onlyDifferences, back, answer, isReading } = machine;
  return (
    <div className={`${styles.form} ${own.machine}`} data-ph="time-machine">
      <h2 className={styles.title}>{title}</h2>
      <Slider machine={machine} />
      <p className={own.moment} data-ph="moment">
        <strong>{when}.</strong> {next} <span className={own.summary}>{summary}</span>
      </p>
      {note !== null && (
        <p className={styles.rule} data-ph="moment-note">
          {note}{' '}
          {canRetry && (
            <button
              type="button"
              className={own.again}
              onClick={() => app.answer('timeMachine', { action: 'retry' })}
            >
              Try again
            </button>
          )}
        </p>
      )}
      <Lines machine={machine} />
      <p
        role="status"
        className={answer?.isError === true ? styles.error : styles.rule}
        data-ph="moment-answer"
      >
        {answer?.text ?? (isReading ? 'Reading the history…' : '')}
      </p>
      <div className={styles.actions}>
        <Button
          kind="primary"
          disabled={back === null}
          onClick={() => app.answer('timeMachine', { action: 'bringBack' })}
        >
          {back ?? 'Bring back'} <Keys caps={app.keysOf('options.choose')[0]} />
        </Button>
        <Button
          aria-pressed={onlyDifferences}
          onClick={() => app.answer('timeMachine', { action: 'differences' })}
        >
          Only what differs <Keys caps={app.keysOf('moments.differences')[0]} />
        </Button>
        <Button onClick={() => app.closeDialog()}>Close</Button>
      </div>
    </div>
  );
}

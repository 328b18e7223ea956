// A list, a task or everything as it was: a page over the sheet with the outline then, read-only, below it the days as bars, and
// bringing back. The outline has the focus: arrows left and right go through time, up and down through lines, Enter brings
// back. What is shown and what an answer does is client/history/time-machine.ts.
'use no memo';
import { Fragment, useEffect } from 'react';
import { rowWords } from '#client/outline/row-words.ts';
import type { TimeLineView, TimeMachineView } from '#client/history/view.ts';
import { useApp } from '../parts/app-context.ts';
import { Icon } from '../parts/icon.tsx';
import { Keys } from '../parts/keycap.tsx';
import { Meta } from '../views/slot.tsx';
import { Button } from './button.tsx';
import { CloseButton } from './close-button.tsx';
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

/** What has no row: a list, a label, a file, and what came later. */
function Plain({ line: { type, title, isDone } }: { readonly line: TimeLineView }) {
  return (
    <>
      {type !== null && <span className={own.type}>{type} </span>}
      <span className={own.title} data-done={isDone ? '' : undefined}>
        {title === '' ? 'Untitled' : title}
      </span>
      {isDone && <span className="visually-hidden"> completed</span>}
    </>
  );
}

/** A task as the outline draws it, without what could be done with it. */
function Task({ row }: { readonly row: NonNullable<TimeLineView['row']> }) {
  return (
    <>
      <span className={own.toggle} data-open={row.expanded === null ? undefined : ''}>
        <Icon name="chevron" size={12} />
      </span>
      <span className={own.box} data-done={row.done ? '' : undefined}>
        {row.done && <Icon name="check" size={12} />}
      </span>
      <span className={own.title} data-done={row.done ? '' : undefined}>
        {row.title === '' ? 'Untitled' : row.title}
      </span>
    </>
  );
}

function Said({ line }: { readonly line: TimeLineView }) {
  const { row, since, parts, active, isLost } = line;
  const isOpen = (active || parts.some((part) => part.active)) && parts.length > 0;
  const words = row === null ? '' : rowWords(row);
  const isShort = since.length === 0 || isOpen;
  if (isShort && words === '' && !isLost) return null;
  return (
    <span className={own.meta}>
      {isShort ? (
        isLost && <span className="visually-hidden"> deleted since</span>
      ) : (
        <span className={own.since}> {since.join(', ')}</span>
      )}
      {row !== null && words !== '' && (
        <>
          <span className="visually-hidden"> {words}</span>
          <Meta row={row} />
        </>
      )}
    </span>
  );
}

function Line({ line }: { readonly line: TimeLineView }) {
  const app = useApp();
  const { index, level, kind, row, since, isLost, parts, active } = line;
  return (
    <>
      <div
        id={optionId(index)}
        role="treeitem"
        aria-level={level}
        aria-selected={active}
        className={kind === 'head' ? own.head : own.line}
        data-ph="moment-line"
        data-kind={kind}
        data-level={level}
        data-differs={since.length > 0 ? '' : undefined}
        data-lost={isLost ? '' : undefined}
        style={{ '--level': level - 2 } as React.CSSProperties}
        onClick={() => app.answer('timeMachine', { action: 'choose', index })}
      >
        {row === null ? <Plain line={line} /> : <Task row={row} />}
        <Said line={line} />
      </div>
      {parts.map((part, at) => (
        <div
          key={`${at}.${part.text}`}
          id={optionId(index, at)}
          role="treeitem"
          aria-level={level + 1}
          aria-selected={part.active}
          className={own.part}
          data-ph="moment-part"
          style={{ '--level': Math.max(0, level - 2) } as React.CSSProperties}
          onClick={() => app.answer('timeMachine', { action: 'choose', index, part: at })}
        >
          {part.text}
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
  const { lines, above, below, count, position, next, summary, isReading, note, canRetry } = machine;
  const active = activeId(machine);
  useEffect(() => {
    if (active !== undefined) document.getElementById(active)?.scrollIntoView({ block: 'nearest' });
  }, [active, position]);
  const facts = (
    <div className={own.facts} data-ph="moment-facts">
      {isReading && count === 0 ? '' : next}
      {summary !== '' && <span className={own.summary}> {summary}</span>}
    </div>
  );
  return (
    <div
      className={own.scroller}
      tabIndex={-1}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (below > 0 && scrollTop + clientHeight > scrollHeight - 200)
          app.answer('timeMachine', { action: 'more' });
      }}
    >
      <div
        role="tree"
        aria-label="The outline then"
        aria-activedescendant={active}
        className={own.lines}
        data-first=""
        data-ph="moment-lines"
        tabIndex={0}
        {...keysIn('dialog.timeMachine', 'list')}
      >
        {above > 0 && <p className={own.rest}>{above} lines above</p>}
        {lines.map((line) => (
          <Fragment key={`${line.kind}.${line.id}`}>
            <Line line={line} />
            {line.kind === 'head' && facts}
          </Fragment>
        ))}
        {below > 0 && <p className={own.rest}>{below} lines below</p>}
      </div>
      {note !== null && (
        <p className={own.note} data-ph="moment-note">
          {note}{' '}
          {canRetry && (
            <button
              type="button"
              className={styles.again}
              onClick={() => app.answer('timeMachine', { action: 'retry' })}
            >
              Try again
            </button>
          )}
        </p>
      )}
    </div>
  );
}

/** The days as bars, with the moment on them: drawn along by a pointer; keys and readers have the slider. */
function Slider({ machine }: { readonly machine: TimeMachineView }) {
  const app = useApp();
  const { count, position, when, whenShort, next, bars: all } = machine;
  const { bars, knob, marks } = all;
  const goTo = (to: number) => app.answer('timeMachine', { action: 'goTo', position: to });
  const most = Math.max(1, count);
  return (
    <div>
      <div
        role="presentation"
        className={own.bars}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={({ buttons, clientX, currentTarget }) => {
          if (buttons === 1) goTo(positionAt(clientX, currentTarget, all));
        }}
        onClick={({ clientX, currentTarget }) => goTo(positionAt(clientX, currentTarget, all))}
      >
        <input
          type="range"
          className={own.range}
          aria-label="Moment"
          aria-valuetext={`${when}. ${next}`}
          min={0}
          max={most}
          step={1}
          value={most - position}
          onChange={(event) => goTo(most - Number(event.target.value))}
        />
        {bars.map(({ height, tone }, index) => (
          <i key={index} data-tone={tone} style={{ height: `${Math.max(2, height * 40)}px` }} />
        ))}
        <span className={own.knob} style={{ insetInlineStart: `${knob * 100}%` }} />
        <span
          className={own.bubble}
          aria-hidden="true"
          style={{ insetInlineStart: `clamp(3.75rem, ${knob * 100}%, 100% - 3.75rem)` }}
        >
          {whenShort}
        </span>
      </div>
      <div className={own.axis} aria-hidden="true">
        {marks.map(({ share, text }) => (
          <span key={text} style={{ insetInlineStart: `${share * 100}%` }}>
            {text}
          </span>
        ))}
        <span className={own.now}>Now</span>
      </div>
    </div>
  );
}

/** Past the last bar is now. */
function positionAt(x: number, strip: HTMLElement, { bars }: TimeMachineView['bars']): number {
  const { left, width } = strip.getBoundingClientRect();
  return bars[Math.max(0, Math.floor(((x - left) / width) * bars.length))]?.position ?? 0;
}

function Banner({ machine }: { readonly machine: TimeMachineView }) {
  const app = useApp();
  const { title, when, position, onlyDifferences, back } = machine;
  return (
    <div className={own.banner}>
      <h2 className="visually-hidden">{title}</h2>
      <Icon name="clock" />
      <p className={own.looking} data-ph="moment">
        {position === 0 ? (
          <>
            This is <b>now</b>.
          </>
        ) : (
          <>
            You are looking at <b>{when}</b>. <span>Nothing here can be changed.</span>
          </>
        )}
      </p>
      <Button
        aria-pressed={onlyDifferences}
        onClick={() => app.answer('timeMachine', { action: 'differences' })}
      >
        Only what differs <Keys caps={app.keysOf('moments.differences')[0]} />
      </Button>
      <Button
        kind="primary"
        disabled={back === null}
        onClick={() => app.answer('timeMachine', { action: 'bringBack' })}
      >
        {back ?? 'Bring back'} <Keys caps={app.keysOf('options.choose')[0]} />
      </Button>
      <CloseButton />
    </div>
  );
}

export function TimeMachine({ machine }: { readonly machine: TimeMachineView }) {
  const app = useApp();
  const { count, position, hasMore, answer, isReading } = machine;
  const go = (action: 'older' | 'newer') => app.answer('timeMachine', { action });
  return (
    <div className={own.machine} data-ph="time-machine">
      <Banner machine={machine} />
      <Lines machine={machine} />
      <div className={own.time}>
        <Slider machine={machine} />
        <div className={own.steps}>
          <Button disabled={isReading || (position === count && !hasMore)} onClick={() => go('older')}>
            Older <Keys caps={app.keysOf('moments.older')[0]} />
          </Button>
          <Button disabled={position === 0} onClick={() => go('newer')}>
            Newer <Keys caps={app.keysOf('moments.newer')[0]} />
          </Button>
          <p
            role="status"
            className={own.answer}
            data-tone={answer?.isError === true ? 'error' : undefined}
            data-ph="moment-answer"
          >
            {answer?.text ?? (isReading ? 'Reading the history…' : '')}
          </p>
        </div>
      </div>
    </div>
  );
}

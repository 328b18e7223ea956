// A few choices side by side, one of them chosen: radio buttons, drawn as a track with a thumb, or as colors. The browser's
// own arrow keys go from one to the next.
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Icon } from '../../parts/icon.tsx';
import { keysIn } from '../../platform/input/options.ts';
import styles from './segments.module.css';

interface SegmentChoice {
  readonly value: string;
  readonly title: string;
  /** `#rrggbb`, for a choice that is a color. */
  readonly color?: string | null;
  readonly icon?: ReactNode;
}

interface SegmentsProps {
  readonly id: string;
  /** The id of what names the group. */
  readonly labelledBy: string;
  readonly describedBy?: string;
  readonly value: string;
  readonly choices: readonly SegmentChoice[];
  readonly onChoose: (value: string) => void;
}

function Segment({ choice, isColor }: { readonly choice: SegmentChoice; readonly isColor: boolean }) {
  if (!isColor)
    return (
      <>
        {choice.icon}
        {choice.title}
      </>
    );
  return (
    <>
      <Icon name="check" />
      <span className="visually-hidden">{choice.title}</span>
    </>
  );
}

/** Of the radio buttons the chosen one is an option of the dialog: arrows lead to it, and from it on within the group. */
export function Segments({ id, labelledBy, describedBy, value, choices, onChoose }: SegmentsProps) {
  const group = useRef<HTMLDivElement>(null);
  const isColor = choices.some(({ color }) => color != null);
  useLayoutEffect(() => {
    // Where the value was changed by something else, the focus stays on what is chosen.
    if (group.current?.contains(document.activeElement) === true)
      group.current.querySelector<HTMLInputElement>('input:checked')?.focus();
  }, [value]);
  return (
    <div
      ref={group}
      id={id}
      role="radiogroup"
      className={isColor ? styles.colors : styles.segments}
      aria-labelledby={labelledBy}
      aria-describedby={describedBy}
      {...keysIn()}
    >
      {choices.map((choice, index) => (
        <label
          key={choice.value}
          className={isColor ? styles.color : styles.segment}
          style={choice.color == null ? undefined : { color: choice.color }}
          title={isColor ? choice.title : undefined}
        >
          <input
            id={`${id}-${index}`}
            className={styles.radio}
            type="radio"
            name={id}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChoose(choice.value)}
            {...(choice.value === value ? { 'data-option': '' } : {})}
          />
          <Segment choice={choice} isColor={isColor} />
        </label>
      ))}
    </div>
  );
}

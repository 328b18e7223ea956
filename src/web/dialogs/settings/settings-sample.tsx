// A small outline above the settings of appearance: it follows the tokens, so that a change is seen at once. Decoration.
import { Icon } from '../../parts/icon.tsx';
import own from './settings-sample.module.css';

const LINES = [
  { title: 'Plan the winter issue', level: 0, tone: 'soon', date: 'Fri' },
  { title: 'Ask for the essay', level: 1, tone: 'today', date: 'Today' },
  { title: 'Count the pages again', level: 1, tone: 'done', date: '' },
  { title: 'Call the printer', level: 0, tone: 'overdue', date: 'Yesterday' },
] as const;

export function SettingsSample() {
  return (
    <div className={own.sample} aria-hidden="true" data-ph="settings-sample">
      <div className={own.desk}>
        {LINES.map(({ title, tone }) => (
          <i key={title} className={own.place} data-tone={tone} />
        ))}
      </div>
      <div className={own.sheet}>
        <p className={own.list}>Winter issue</p>
        {LINES.map(({ title, level, tone, date }) => (
          <div key={title} className={own.line} data-level={level} data-tone={tone}>
            <span className={own.box}>{tone === 'done' && <Icon name="check" size={14} />}</span>
            <span className={own.text}>{title}</span>
            <span className={own.date}>{date}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

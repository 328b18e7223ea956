import { datasetOf } from '../datasets.ts';
import { datasetRows, openApp } from './subject.ts';
import { timeSteps } from './measure.ts';
import { loadLanguage } from '#client/language.ts';
await loadLanguage();
const rows = datasetRows(datasetOf(100_000));
const s = await openApp(rows);
s.app.key({
  key: '/',
  code: 'Slash',
  keyCode: 191,
  ctrl: false,
  meta: false,
  alt: false,
  shift: false,
  altGraph: false,
  composing: false,
  repeat: false,
  inText: false,
} as never);
for (const q of [
  'a',
  'plan',
  'is:overdue',
  'due:today',
  'is:complete',
  'in:Inbox',
  'label:none',
  'has:notes',
  '-is:complete',
  'is:leaf',
  'in:Inbox due:<=today sort:due-date',
  'is:open sort:title',
  'created:today',
  'is:nested OR has:children',
  'has:metadata',
]) {
  const d = timeSteps(20, (i) => s.app.searchInput(q + ' '.repeat(1 + (i % 2))));
  console.log(q, d.p50.toFixed(1), d.p95.toFixed(1), s.app.view.header.get().count);
}
await s.close();

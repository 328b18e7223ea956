// What is known of a task or list beside its content, as names and values.
import type { DetailsView } from '#client/dialogs/dialog-view.ts';
import styles from './dialog.module.css';
import own from './facts.module.css';

type Fact = DetailsView['facts'][number];

function List({ facts, name }: { readonly facts: readonly Fact[]; readonly name: string | undefined }) {
  return (
    <dl className={own.facts} data-ph={name}>
      {facts.map((fact) => (
        <div key={fact.name} className={own.fact}>
          <dt className={styles.detail}>{fact.name}</dt>
          <dd>{fact.text}</dd>
        </div>
      ))}
    </dl>
  );
}

function Metadata({ details: { metadata } }: { readonly details: DetailsView }) {
  return (
    <>
      <h3 className={styles.label}>Metadata</h3>
      {metadata.length === 0 ? (
        <p className={styles.rule}>None. Programs that use the API keep data here.</p>
      ) : (
        <List facts={metadata} name="metadata" />
      )}
    </>
  );
}

/** Of a task with what programs keep of it; a list has its notes there instead. */
export function Facts({ details, name }: { readonly details: DetailsView; readonly name?: string }) {
  return (
    <>
      <List facts={details.facts} name={name} />
      {details.kind === 'task' && <Metadata details={details} />}
    </>
  );
}

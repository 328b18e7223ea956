// A page that is read from top to bottom.
import type { ReactNode } from 'react';

/** A page body: the title as its only h1, an optional lead paragraph, and the text. */
export function Article({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children?: ReactNode;
}) {
  return (
    <article className="page prose">
      <h1>{title}</h1>
      {lead ? <p className="lead">{lead}</p> : null}
      {children}
    </article>
  );
}

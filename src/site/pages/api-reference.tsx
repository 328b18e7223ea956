// Every call of the API with what it takes and answers, drawn from the OpenAPI document for people to read.
// The guide to the API says how to begin.
import { Fragment, type ReactNode } from 'react';
import { openApiDocument } from '#wire/api/openapi.ts';
import { Article } from '../parts/article.tsx';
import type { Page } from '../world.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly format?: string;
  readonly description?: string;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly required?: readonly string[];
}

interface Content {
  readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Call {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly description: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Content & { readonly description: string }>>;
}

interface Placed extends Call {
  readonly method: string;
  readonly path: string;
}

const SITE_CALLS = 'Public site';

const componentOf = ({ $ref: reference }: Schema) => reference?.slice(reference.lastIndexOf('/') + 1);
const anchorOf = (name: string) => `object-${name.toLowerCase()}`;
const schemaOf = (of: Content | undefined) => Object.values(of?.content ?? {})[0]?.schema;
/** Largest and smallest numbers that the document names only because numbers end somewhere. */
const isBound = (value: number | undefined): value is number =>
  value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER;

function plainType({ type, format, enum: values, const: only, minimum, maximum, maxLength }: Schema): string {
  if (values) return values.map((value) => JSON.stringify(value)).join(', ');
  if (only !== undefined) return JSON.stringify(only);
  const name = Array.isArray(type) ? type.join(' or ') : String(type ?? 'anything');
  const range = [
    ...(isBound(minimum) ? [`from ${minimum.toLocaleString('en')}`] : []),
    ...(isBound(maximum) ? [`to ${maximum.toLocaleString('en')}`] : []),
    ...(maxLength === undefined ? [] : [`of at most ${maxLength.toLocaleString('en')} characters`]),
  ];
  return [format === undefined ? name : `${name} (${format})`, ...range].join(' ');
}

function Type({ schema }: { readonly schema: Schema }): ReactNode {
  const component = componentOf(schema);
  if (component !== undefined) return <a href={`#${anchorOf(component)}`}>{component}</a>;
  if (schema.anyOf) {
    const [last, ...others] = schema.anyOf.toReversed();
    return (
      <>
        {others.toReversed().map((each, at) => (
          <Fragment key={at}>
            {at > 0 && ', '}
            <Type schema={each} />
          </Fragment>
        ))}
        {' or '}
        <Type schema={last ?? {}} />
      </>
    );
  }
  if (schema.type === 'array' && schema.items)
    return (
      <>
        list of <Type schema={schema.items} />
      </>
    );
  if (schema.properties) return `object with ${Object.keys(schema.properties).join(', ')}`;
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object')
    return (
      <>
        map of <Type schema={schema.additionalProperties} />
      </>
    );
  return plainType(schema);
}

interface Field {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: Schema;
}

const fieldsOf = ({ properties = {}, required = [] }: Schema): readonly Field[] =>
  Object.entries(properties).map(([name, schema]) => ({ name, isRequired: required.includes(name), schema }));

function Fields({ title, fields, isAsked }: { title: string; fields: readonly Field[]; isAsked: boolean }) {
  if (fields.length === 0) return null;
  return (
    <div className="table" tabIndex={0} role="group" aria-label={title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <th scope="col">Type</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, isRequired, schema }) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
                {isAsked && isRequired && ' (required)'}
              </td>
              <td>
                <Type schema={schema} />
                {schema.description !== undefined && `. ${schema.description}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function CallSection({ call, components }: { call: Placed; components: Readonly<Record<string, Schema>> }) {
  const body = schemaOf(call.requestBody);
  const taken = body && (components[componentOf(body) ?? ''] ?? body);
  const { 200: good, ...refusals } = call.responses;
  const answer = schemaOf(good);
  return (
    <section className="api-part" aria-labelledby={call.operationId}>
      <h3 id={call.operationId}>
        <code>
          {call.method} {call.path}
        </code>
      </h3>
      <p>
        {call.description} {call.security.length === 0 && 'No token needed.'}
      </p>
      <Fields
        title="In the address"
        isAsked
        fields={call.parameters.map(({ name, required, schema }) => ({ name, isRequired: required, schema }))}
      />
      {taken && <Fields title="In the body" isAsked fields={fieldsOf(taken)} />}
      <p>
        Returns 200 with {answer ? <Type schema={answer} /> : 'nothing'}. Errors:{' '}
        {Object.keys(refusals).join(', ') || 'nothing'}.
      </p>
    </section>
  );
}

/** What is answered and asked inside other things: calls name their own bodies already. */
function objectsOf(
  calls: readonly Placed[],
  components: Readonly<Record<string, Schema>>,
): readonly (readonly [string, Schema])[] {
  const bodies = new Set(calls.map(({ requestBody }) => componentOf(schemaOf(requestBody) ?? {})));
  return Object.entries(components).filter(([name]) => !bodies.has(name));
}

function Reference(): ReactNode {
  const { paths, components } = openApiDocument() as unknown as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Call>>>>;
    readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  };
  const { schemas } = components;
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]): Placed => ({
      ...call,
      path,
      method: method.toUpperCase(),
    })),
  );
  const byGroup = Map.groupBy(calls, ({ tags }) => tags[0] ?? '');
  // What only the site's own pages need comes last.
  const groups = [...byGroup].toSorted(([a], [b]) => Number(a === SITE_CALLS) - Number(b === SITE_CALLS));
  return (
    <>
      <nav className="api-calls" aria-label="Calls">
        {groups.map(([group, own]) => (
          <Fragment key={group}>
            <p>
              <strong>{group}</strong>
            </p>
            <ul>
              {own.map(({ operationId, method, path }) => (
                <li key={operationId}>
                  <a href={`#${operationId}`}>
                    <code>
                      {method} {path}
                    </code>
                  </a>
                </li>
              ))}
            </ul>
          </Fragment>
        ))}
      </nav>
      {groups.map(([group, own]) => (
        <Fragment key={group}>
          <h2>{group}</h2>
          {own.map((call) => (
            <CallSection key={call.operationId} call={call} components={schemas} />
          ))}
        </Fragment>
      ))}
      <h2>Objects</h2>
      {objectsOf(calls, schemas).map(([name, schema]) => (
        <section className="api-part" key={name} aria-labelledby={anchorOf(name)}>
          <h3 id={anchorOf(name)}>{name}</h3>
          {schema.description !== undefined && <p>{schema.description}</p>}
          <Fields title={name} isAsked={false} fields={fieldsOf(schema)} />
        </section>
      ))}
    </>
  );
}

/** `/api-reference`: every call, then the objects that the calls share. */
export const apiReferencePage = (): Page => ({
  path: '/api-reference',
  title: 'API reference · Posthaste',
  description: 'Every call in the Posthaste API: what it takes, what it returns, and its errors.',
  body: (
    <Article
      title="API reference"
      lead={
        <>
          Every call, with what it takes and returns. <a href="/guides/api">The API guide</a> gets you
          started. <a href="/openapi.json">the OpenAPI document</a> has the same for programs.
        </>
      }
    >
      <Reference />
    </Article>
  ),
});

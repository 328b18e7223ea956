// Markdown as React elements: tokens in, elements out, with no HTML in between. Whatever a text asks for that
// does not exist (a command, a table, a picture) stops the build with its name.
import { lexer, type Token, type Tokens } from 'marked';
import { Fragment, type ReactNode } from 'react';
import { links, NEW_TAB } from '../content/facts.ts';
import { Directive } from './directives.tsx';
import { CommandCaps, commandOf, LiteralCaps } from '../parts/keys.tsx';
import type { Reading } from './reading.ts';
import type { Picture } from '../world.ts';
import { readHeading } from './slug.ts';

/** `[[task.snooze]]` stands for the keys of a command, `[[=Mod+K]]` for keys as written. */
const KEYS = /\[\[([^\]]+)\]\]/;

/** Between figures that are read as one: "5 / 16 / 20". */
const SLASH = /(?<=\d) \/ (?=\d)/gu;

function keysInText(text: string, reading: Reading): ReactNode {
  const whole = text.replace(SLASH, '\u00a0/\u00a0');
  const parts = whole.split(KEYS);
  if (parts.length === 1) return whole;
  return parts.map((part, index) => {
    // Every second part is what stood in the brackets.
    if (index % 2 === 0) return part;
    if (part.startsWith('=')) return <LiteralCaps key={index} keys={part.slice(1)} />;
    return <CommandCaps key={index} command={commandOf(reading.world, part, reading.source)} />;
  });
}

function inlineOf(tokens: readonly Token[] | undefined, reading: Reading): ReactNode {
  return (tokens ?? []).map((token, index) => <Fragment key={index}>{inline(token, reading)}</Fragment>);
}

/** `x-phone.webp` is what a phone shows of `x.webp`, whose words it could not read. */
const onPhone = (href: string) => href.replace(/(\.\w+)$/, '-phone$1');

function picture(token: Tokens.Image, { world, source }: Reading): ReactNode {
  const found = world.pictures[token.href];
  if (!found) throw new Error(`${source}: there is no picture "${token.href}"`);
  const phone = world.pictures[onPhone(token.href)];
  // Pictures are twice as large as they are shown.
  const sizeOf = ({ width, height }: Picture) => ({
    width: Math.round(width / 2),
    height: Math.round(height / 2),
  });
  const draw = (src: string, phoneSrc?: string | null, className?: string) => {
    const { text } = token;
    const image = (
      <img src={src} {...sizeOf(found)} alt={text} loading="lazy" decoding="async" className={className} />
    );
    if (!phone || !phoneSrc) return image;
    return (
      <picture>
        <source media="(width < 40em)" srcSet={phoneSrc} {...sizeOf(phone)} />
        {image}
      </picture>
    );
  };
  if (found.dark === null) return draw(found.src, phone?.src);
  return (
    <>
      {draw(found.src, phone?.src, 'in-light')}
      {draw(found.dark, phone?.dark, 'in-dark')}
    </>
  );
}

function link(token: Tokens.Link, reading: Reading): ReactNode {
  const isOutside = /^https?:/.test(token.href);
  if (!isOutside && !/^(?:[/#]|mailto:)/.test(token.href))
    throw new Error(`${reading.source}: "${token.href}" is no address of the site; begin with / or #`);
  return (
    <a href={token.href} {...(isOutside ? { rel: 'noopener' } : token.href === links.app ? NEW_TAB : {})}>
      {inlineOf(token.tokens, reading)}
    </a>
  );
}

function inline(token: Token, reading: Reading): ReactNode {
  switch (token.type) {
    case 'text':
    case 'escape':
      return 'tokens' in token && token.tokens
        ? inlineOf(token.tokens, reading)
        : keysInText((token as Tokens.Text).text, reading);
    case 'strong':
      return <strong>{inlineOf(token.tokens, reading)}</strong>;
    case 'em':
      return <em>{inlineOf(token.tokens, reading)}</em>;
    case 'del':
      return <del>{inlineOf(token.tokens, reading)}</del>;
    case 'codespan': {
      const { text } = token as Tokens.Codespan;
      // One word is never cut in a table, not even at its hyphens.
      return <code className={text.includes(' ') ? undefined : 'word'}>{text}</code>;
    }
    case 'br':
      return <br />;
    case 'link':
      return link(token as Tokens.Link, reading);
    case 'image':
      return picture(token as Tokens.Image, reading);
    default:
      throw new Error(`${reading.source}: "${token.raw}" is not understood here`);
  }
}

function heading(token: Tokens.Heading, reading: Reading): ReactNode {
  const { text, id } = readHeading(token.text);
  const depth = Math.min(6, token.depth + (reading.deeper ?? 0));
  const Tag = `h${depth}` as 'h2';
  const anchor = `${reading.prefix ?? ''}${id}`;
  // Parsed again without the name of the anchor.
  const words = inlineOf((lexer(text)[0] as Tokens.Paragraph | undefined)?.tokens, reading);
  return (
    <Tag id={anchor}>
      {words} <a className="anchor" href={`#${anchor}`} aria-label={`Link to “${text}”`} />
    </Tag>
  );
}

function list(token: Tokens.List, reading: Reading): ReactNode {
  const items = token.items.map((item, index) => (
    <li key={index}>{item.loose ? blocksOf(item.tokens, reading) : tight(item.tokens, reading)}</li>
  ));
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

/** An item of a tight list: its text without a paragraph, lists inside it as lists. */
function tight(tokens: readonly Token[], reading: Reading): ReactNode {
  return tokens.map((token, index) => (
    <Fragment key={index}>{token.type === 'text' ? inline(token, reading) : block(token, reading)}</Fragment>
  ));
}

function table({ header, rows }: Tokens.Table, reading: Reading): ReactNode {
  return (
    // A wide table is scrolled by keys as well.
    <div className="table" tabIndex={0} role="group" aria-label={header.map(({ text }) => text).join(', ')}>
      <table>
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th key={index} scope="col">
                {inlineOf(cell.tokens, reading)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{inlineOf(cell.tokens, reading)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** `> **Planned.** …` and the like: the first strong word names the kind. */
function quote(token: Tokens.Blockquote, reading: Reading): ReactNode {
  return <div className="aside">{blocksOf(token.tokens, reading)}</div>;
}

function paragraph(token: Tokens.Paragraph, reading: Reading): ReactNode {
  const text = token.raw.trim();
  if (text.startsWith('::')) return <Directive text={text.slice(2)} reading={reading} cell={cellOf} />;
  const only = token.tokens.length === 1 ? token.tokens[0] : undefined;
  if (only?.type !== 'image') return <p>{inlineOf(token.tokens, reading)}</p>;
  const { title } = only as Tokens.Image;
  return (
    <figure>
      {picture(only as Tokens.Image, reading)}
      {title ? <figcaption>{title}</figcaption> : null}
    </figure>
  );
}

function block(token: Token, reading: Reading): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null;
    case 'heading':
      return heading(token as Tokens.Heading, reading);
    case 'paragraph':
      return paragraph(token as Tokens.Paragraph, reading);
    case 'list':
      return list(token as Tokens.List, reading);
    case 'table':
      return table(token as Tokens.Table, reading);
    case 'blockquote':
      return quote(token as Tokens.Blockquote, reading);
    case 'hr':
      return <hr />;
    case 'text':
      return inline(token, reading);
    case 'code':
      return (
        // The frame is for the button that copies it. A long line is scrolled by keys as well.
        <div className="sample">
          <pre tabIndex={0} data-language={(token as Tokens.Code).lang ?? ''}>
            <code>{(token as Tokens.Code).text}</code>
          </pre>
        </div>
      );
    default:
      throw new Error(`${reading.source}: "${token.raw.trim()}" is not understood here`);
  }
}

function blocksOf(tokens: readonly Token[], reading: Reading): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{block(token, reading)}</Fragment>);
}

/** Draws a whole text. Throws at syntax it does not support, naming `reading.source`. */
export function Markdown({ text, reading }: { readonly text: string; readonly reading: Reading }) {
  return <>{blocksOf(lexer(text), reading)}</>;
}

/** The words of one line, for table cells that the build made. */
function cellOf(text: string, reading: Reading): ReactNode {
  const first = lexer(text)[0] as Tokens.Paragraph | undefined;
  return inlineOf(first?.tokens, reading);
}

// Renders release notes from a small subset of markdown to HTML. Everything is escaped first; only the elements listed here
// are created, so a note cannot contain anything else. Supported: headings, lists, paragraphs, **strong**, *emphasis*,
// `code`, links.

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** Addresses that a note may link to: our own pages, and the web over HTTPS. */
const isSafeAddress = (address: string) => /^(?:https:\/\/[^\s]+|\/(?!\/)[^\s]*)$/.test(address);

function words(text: string): string {
  return text
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (whole, label: string, address: string) =>
      isSafeAddress(address) ? `<a href="${address}">${label}</a>` : whole,
    )
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>')
    .replaceAll(/\*([^*]+)\*/g, '<em>$1</em>');
}

/** Inside `code` there is no other markup. */
function line(text: string): string {
  return escape(text)
    .split('`')
    .map((part, index, all) => {
      const isCode = index % 2 === 1 && index < all.length - 1;
      if (isCode) return `<code>${part}</code>`;
      return index % 2 === 1 ? `\`${words(part)}` : words(part);
    })
    .join('');
}

function block(text: string): string {
  const lines = text.split('\n');
  const heading = /^#{1,6}\s+(.*)$/.exec(lines[0] ?? '');
  if (heading) {
    const rest = lines.slice(1).join('\n').trim();
    return `<h3>${line(heading[1] ?? '')}</h3>${rest === '' ? '' : block(rest)}`;
  }
  if (!lines.every((each) => /^\s*[-*]\s+|^\s{2,}\S/.test(each))) return `<p>${line(lines.join(' '))}</p>`;
  // An indented line that starts no item continues the one before.
  const items = text.split(/^\s*[-*]\s+/m).filter((item) => item.trim() !== '');
  return `<ul>${items.map((item) => `<li>${line(item.trim().replaceAll(/\s*\n\s*/g, ' '))}</li>`).join('')}</ul>`;
}

export function releaseNotesHtml(markdown: string): string {
  return markdown
    .replaceAll('\r\n', '\n')
    .split(/\n\s*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(block)
    .join('');
}

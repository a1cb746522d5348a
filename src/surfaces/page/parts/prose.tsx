/** The markup of notes: paragraphs with **bold**, *slanted* and `code`. Text becomes elements, never HTML. */
import type { ComponentChildren } from 'preact';

const SPANS = /(\*\*[^*]+\*\*|\*[^*\s][^*]*\*|`[^`]+`)/;

export const Prose = ({ text }: { readonly text: string }) => (
  <div class="prose">
    {text
      .trim()
      .split(/\n\s*\n/)
      .map((paragraph) => (
        <p>
          <Spans text={paragraph} />
        </p>
      ))}
  </div>
);

export const Spans = ({ text }: { readonly text: string }) => <>{text.split(SPANS).map(span)}</>;

function span(text: string): ComponentChildren {
  if (text.startsWith('**') && text.length > 4) return <b>{text.slice(2, -2)}</b>;
  if (text.startsWith('`') && text.length > 2) return <code>{text.slice(1, -1)}</code>;
  if (text.startsWith('*') && text.endsWith('*') && text.length > 2) return <i>{text.slice(1, -1)}</i>;
  return text;
}

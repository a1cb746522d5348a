/** The text in colours, line by line, with marked errors. It is under the text field. */
import type { PageProblem } from '../protocol.ts';

interface Props {
  readonly text: string;
  readonly problems: readonly PageProblem[];
}

export const Painted = ({ text, problems }: Props) => (
  <pre class="painted" aria-hidden="true">
    {text.split('\n').map((line, at) => {
      const found = problems.filter((each) => each.line === at + 1);
      return (
        <div class={`line ${found.length > 0 ? 'wrong' : ''}`} key={at}>
          <Coloured line={line} />
          {found.map(({ col, line: number, message }) => (
            <u class="mark" data-place={`${number}:${col}`} title={message}>
              {' '.repeat(Math.max(0, col - 1))}
              <i>{/^[^\s:,{}]+/.exec(line.slice(col - 1))?.[0] ?? ' '}</i>
            </u>
          ))}
        </div>
      );
    })}
  </pre>
);

const TOKENS = /(#.*$)|("(?:[^"\\]|\\.)*"|'[^']*')|([\w./$-]+(?=:(?:\s|$)))|(\b\d[\w.]*\b|\b(?:true|false|null)\b)/g;
const CLASSES = ['', 'comment', 'string', 'key', 'number'];

function Coloured({ line }: { readonly line: string }) {
  const parts = [];
  let last = 0;
  for (const found of line.matchAll(TOKENS)) {
    const kind = found.slice(1).findIndex((each) => each !== undefined) + 1;
    // `#` starts a comment only after a space.
    if (kind === 1 && found.index > 0 && line[found.index - 1] !== ' ') continue;
    parts.push(line.slice(last, found.index), <span class={CLASSES[kind] ?? ''}>{found[0]}</span>);
    last = found.index + found[0].length;
  }
  parts.push(line.slice(last), '\n');
  return <>{parts}</>;
}

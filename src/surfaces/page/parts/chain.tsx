/** The chain of causes, the latest first: each link leads to its step, and repetitions are shown once. */
import { storyOf, type Trace, toneOf } from '../../../lab/trace/index.ts';
import { sentenceOf, type Said } from '../model/words.ts';

interface Props {
  readonly trace: Trace;
  readonly step: number;
  /** Empty if a later link has the same reason. */
  readonly why: string;
  go(step: number): void;
}

interface Link {
  readonly step: number;
  readonly said: Said;
  readonly tone: string;
  times: number;
}

/** Maximum numbers of links that are examined, and shown. */
const DEEPEST = 200;
const MOST = 10;

export function Chain({ trace, step, why, go }: Props) {
  const links = step === 0 ? [] : linksOf(trace, step);
  if (links.length === 0) return null;
  return (
    <ol class="chain" aria-label="Causes">
      {links.slice(0, MOST).map(({ step: at, said, tone, times }) => (
        <li class={tone}>
          <button onClick={() => go(at)}>
            <time>{said.time}</time> <b>{said.who}</b> {clipped(said.what, 96)}
            {times > 1 && <small> · {times} times</small>}
            {said.why !== '' && said.why !== why && <i>{clipped(said.why, 110)}</i>}
          </button>
        </li>
      ))}
      {links.length > MOST && <li class="more">and {links.length - MOST} before</li>}
    </ol>
  );
}

/** A loop (a leader that cannot renew) is one link. */
function linksOf(trace: Trace, step: number): readonly Link[] {
  const links = new Map<string, Link>();
  for (const { step: at, entry } of storyOf(trace, step, DEEPEST)) {
    const said = sentenceOf(trace, at);
    if (said === undefined) continue;
    const key = `${said.who} ${said.what} ${said.why}`;
    const known = links.get(key);
    if (known === undefined) links.set(key, { step: at, said, tone: toneOf(entry), times: 1 });
    else known.times++;
  }
  return [...links.values()];
}

const clipped = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Pending events at the cursor, and forks in which one of them comes first or later: every order within an instant is possible. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { waitingAt } from '../consult.ts';
import { duration } from '../model/words.ts';
import { LATER_MS, type PageWaiting } from '../protocol.ts';
import { atCursor, here, model, type Offer } from '../state.ts';
import { Icon } from './icon.tsx';

interface Props {
  readonly of: NonNullable<Offer['waits']>;
  /** Whether nothing else is offered. */
  readonly alone: boolean;
  fork(said: string, typed: string): void;
}

export function Order({ of: { process, key }, alone, fork }: Props) {
  const [waiting, setWaiting] = useState<readonly PageWaiting[] | undefined>(undefined);
  const step = here.value;
  useEffect(() => {
    const ask = async (): Promise<void> => {
      setWaiting((await waitingAt(step)) ?? []);
    };
    void ask();
  }, [step]);
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    // Elements that are added after the dialog has opened do not get the focus automatically.
    if (alone && list.current?.closest('dialog') !== null) list.current?.querySelector('button')?.focus();
  }, [waiting]);
  const main = model.value;
  if (main === undefined) return null;
  if (waiting === undefined) return <p class="quiet">loading the pending events …</p>;
  const concerned = waiting.filter((each) => (process ?? each.process) === each.process && (key ?? each.key) === each.key);
  const now = atCursor(main).world.at;
  if (concerned.length === 0) return alone ? <p class="quiet">Only heartbeats are pending.</p> : null;
  return (
    <section class="order" aria-label="In another order">
      {!alone && <h3>In another order</h3>}
      <ol ref={list}>
        {concerned.map((each, at) => (
          <One key={`${at} ${each.what}`} of={each} now={now} fork={fork} />
        ))}
      </ol>
    </section>
  );
}

interface OneProps extends Pick<Props, 'fork'> {
  readonly of: PageWaiting;
  readonly now: number;
}

function One({ of: { what, at, first, because, later }, now, fork }: OneProps) {
  return (
    <li>
      <time>{at <= now ? 'now' : `+${duration(at - now)}`}</time>
      <span>
        {what}
        {(first === undefined || first === '') && <em>{because ?? 'is first already'}</em>}
      </span>
      {first !== undefined && first !== '' && (
        <button class="what-if" aria-label={`First: ${what}`} onClick={() => fork(`${what} first`, first)}>
          <Icon of="bolt" /> first
        </button>
      )}
      {later !== undefined && (
        <button
          class="what-if"
          aria-label={`${duration(LATER_MS)} later: ${what}`}
          onClick={() => fork(`${what}, ${duration(LATER_MS)} later`, later)}
        >
          <Icon of="bolt" /> {duration(LATER_MS)} later
        </button>
      )}
    </li>
  );
}

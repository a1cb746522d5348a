/** Two runs at one virtual instant: their differences, and a stage for each. */
import { lineParts } from '../../../lab/trace/index.ts';
import { go, openText, unfork } from '../actions.ts';
import type { Difference } from '../model/differences.ts';
import type { Model } from '../model/index.ts';
import { many, sentenceOf, since } from '../model/words.ts';
import { cursor, differences, type Other } from '../state.ts';
import { bounded } from './boundary.tsx';
import { BreachOf, Narration } from './narration.tsx';
import { Icon } from './icon.tsx';
import { Stage } from './stage.tsx';

export function Futures({ of }: { readonly of: Other }) {
  const { pair, said, how } = of;
  const first = how.is === 'seed' ? `seed ${pair.first.run.seed}` : how.is === 'recording' ? (how.first ?? 'This run') : 'Original run';
  return (
    <>
      {bounded('The differences', <Differences of={of} />)}
      <div class="futures">
        <section aria-label={first}>
          <Head title={first} of={pair.first} />
          <OneRun of={pair.first} />
        </section>
        <section class="other" aria-label={how.is === 'recording' ? said : `What if: ${said}`}>
          <Head title={said} of={pair.second} isOther />
          <OneRun of={pair.second} />
        </section>
      </div>
    </>
  );
}

/** The narration, unless it is shown elsewhere, and the stage of one run. */
export const OneRun = ({ of, silent = false }: { readonly of: Model; readonly silent?: boolean }) => (
  <>
    {!silent && bounded('The narration', <Narration of={of} />)}
    <BreachOf of={of} />
    <div class="scroll">{bounded('The stage', <Stage of={of} />)}</div>
  </>
);

function Head({ title, of, isOther = false }: { readonly title: string; readonly of: Model; readonly isOther?: boolean }) {
  const { verdict, failures, lengthMs } = of.run;
  const [first] = failures;
  return (
    <h2>
      {isOther && <Icon of="bolt" />}
      <span title={title}>{title}</span>
      <span class={`pill ${verdict === 'held' ? 'good' : 'bad'}`} title={first?.message ?? ''}>
        {verdict === 'held' ? '✓ held' : verdict === 'broken' ? `✗ ${many(failures.length, 'failure')}` : '✗ did not settle'},{' '}
        {since(lengthMs)}
      </span>
    </h2>
  );
}

const MOST = 6;

function Differences({ of }: { readonly of: Other }) {
  const { pair, text } = of;
  const { parted, track } = pair;
  const found = differences.value;
  const ended = cursor.value >= of.until;
  return (
    <section class="differences" aria-label="Differences">
      {parted === undefined ? (
        <b>They are identical</b>
      ) : (
        <p>
          <button class="link" onClick={() => go(parted + 1)}>
            They part at {since(track.instantAt(parted + 1) - pair.first.trace.startAt)}
          </button>
          : <Words of={partingOf(pair)} />
        </p>
      )}
      {BUILT_WITH_ENGINE && text !== '' && (
        <button class="button" onClick={() => openText(text)}>
          Open as a scenario
        </button>
      )}
      <button class="button primary" onClick={unfork} aria-keyshortcuts="Enter">
        Back to the original run <kbd aria-hidden="true">⏎</kbd>
      </button>
      <ul aria-live="polite">
        {ended && of.shows !== undefined && (
          <li class="shows">
            <Icon of="check" /> <b>{of.shows}</b> <small>checked</small>
          </li>
        )}
        {parted !== undefined && (!ended || of.shows === undefined || found.length > 0) && (
          <li class="more">{found.length === 0 ? 'no object differs here' : many(found.length, 'difference')}</li>
        )}
        {found.slice(0, MOST).map(({ what, ...each }) => (
          <li key={what}>
            {what}: <Words of={each} />
          </li>
        ))}
        {found.length > MOST && <li class="more">and {found.length - MOST} more</li>}
      </ul>
    </section>
  );
}

/** What happens in each run at the moment at which they part; if their texts are equal, their changes. */
function partingOf({ first, second, parting }: Other['pair']): Omit<Difference, 'what'> {
  const instant = (of: Model, step: number | undefined): number =>
    step === undefined ? Infinity : (of.trace.entries[step - 1]?.at ?? Infinity) - of.trace.startAt;
  const at = Math.min(instant(first, parting?.first), instant(second, parting?.second));
  const reported = [sentenceIn(first, parting?.first), sentenceIn(second, parting?.second)] as const;
  const say = (of: Model, step: number | undefined, said: ReturnType<typeof sentenceIn>): string => {
    if (said === undefined || step === undefined) return 'it has ended';
    // The next entry of this run may be far away.
    if (instant(of, step) > at) return `nothing happens until ${since(instant(of, step))}`;
    const same = reported[0]?.what === reported[1]?.what;
    return `${said.who} ${same ? (lineParts(of.trace, step)?.what ?? said.what) : said.what}${said.why === '' ? '' : ` (${said.why})`}`;
  };
  return { first: say(first, parting?.first, reported[0]), second: say(second, parting?.second, reported[1]) };
}

const sentenceIn = ({ trace }: Model, step: number | undefined) => (step === undefined ? undefined : sentenceOf(trace, step));

function Words({ of: { first, second } }: { readonly of: Omit<Difference, 'what'> }) {
  if (first === undefined) return <ins>only here{second === '' ? '' : `: ${second ?? ''}`}</ins>;
  if (second === undefined) return <del>absent here{first === '' ? '' : `, was ${first}`}</del>;
  return (
    <>
      {first} <span aria-label="versus">⇢</span> <ins>{second}</ins>
    </>
  );
}

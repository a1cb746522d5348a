/** Two runs at one virtual instant: their differences, and a stage for each. */
import { lineParts } from '../../../lab/trace/index.ts';
import { go, openText, unfork } from '../actions.ts';
import { differencesAt, type Difference } from '../model/differences.ts';
import type { Model } from '../model/index.ts';
import { many, sentenceOf, since } from '../model/words.ts';
import { cursor, type Other } from '../state.ts';
import { Boundary } from './boundary.tsx';
import { Icon } from './icon.tsx';
import { Narration } from './narration.tsx';
import { Stage } from './stage.tsx';

export function Futures({ of }: { readonly of: Other }) {
  const { pair, said, how } = of;
  const first = how.is === 'seed' ? `seed ${pair.first.run.seed}` : how.is === 'recording' ? (how.first ?? 'This run') : 'Original run';
  return (
    <>
      <Boundary name="The differences">
        <Differences of={of} />
      </Boundary>
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

/** The narration and the stage of one run. */
export const OneRun = ({ of }: { readonly of: Model }) => (
  <>
    <Boundary name="The narration">
      <Narration of={of} />
    </Boundary>
    <div class="scroll">
      <Boundary name="The stage">
        <Stage of={of} />
      </Boundary>
    </div>
  </>
);

function Head({ title, of, isOther = false }: { readonly title: string; readonly of: Model; readonly isOther?: boolean }) {
  const { verdict, failures, lengthMs } = of.run;
  const [first] = failures;
  return (
    <h2>
      {isOther && <Icon of="bolt" />}
      <span>{title}</span>
      <span class={`pill ${verdict === 'held' ? 'good' : 'bad'}`} title={first?.message ?? ''}>
        {verdict === 'held' ? '✓ held' : verdict === 'broken' ? `✗ ${many(failures.length, 'failure')}` : '✗ did not settle'},{' '}
        {since(lengthMs)}
      </span>
    </h2>
  );
}

const MOST = 6;

function Differences({ of: { pair, text } }: { readonly of: Other }) {
  const { firstAt, secondAt, first, second, parted } = pair;
  const at = cursor.value;
  const found = differencesAt(first, firstAt[at] ?? 0, second, secondAt[at] ?? 0);
  return (
    <section class="differences" aria-label="Differences" aria-live="polite">
      <b>
        {parted === undefined
          ? 'They are identical'
          : found.length === 0
            ? 'No visible object differs at this moment'
            : many(found.length, 'difference')}
      </b>
      <ul>
        {found.slice(0, MOST).map(({ what, ...each }) => (
          <li key={what}>
            {what}: <Words of={each} />
          </li>
        ))}
        {found.length > MOST && <li class="more">and {found.length - MOST} more</li>}
        {found.length === 0 && parted !== undefined && (
          <li>
            <button class="link" onClick={() => go(parted + 1)}>
              they part at {since(pair.track.instantAt(parted + 1) - first.trace.startAt)}
            </button>
            : <Words of={faultsOf(pair)} />
          </li>
        )}
      </ul>
      {BUILT_WITH_ENGINE && text !== '' && (
        <button class="button" onClick={() => openText(text)}>
          Open as a scenario
        </button>
      )}
      <button class="button" aria-label="Leave the comparison" onClick={unfork}>
        <Icon of="close" />
      </button>
    </section>
  );
}

/** The first different entry of each run; if their texts are equal, their changes. */
function faultsOf({ first, second, parting = {} }: Other['pair']): Omit<Difference, 'what'> {
  const reported = [sentenceIn(first, parting.first), sentenceIn(second, parting.second)] as const;
  const say = ({ trace }: Model, step: number | undefined, said: ReturnType<typeof sentenceIn>): string => {
    if (said === undefined || step === undefined) return 'it has ended';
    const same = reported[0]?.what === reported[1]?.what;
    return `${said.who} ${same ? (lineParts(trace, step)?.what ?? said.what) : said.what}${said.why === '' ? '' : ` (${said.why})`}`;
  };
  return { first: say(first, parting.first, reported[0]), second: say(second, parting.second, reported[1]) };
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

/** The runs of a page, seeds of a sweep or scenarios of a folder, with their failures. Runs that the page contains can be opened. */
import { open } from '../opening.ts';
import { many } from '../model/words.ts';
import type { CarriedRun } from '../protocol.ts';
import { data, model, scenario } from '../state.ts';

const MARKS = { held: '✓', broken: '✗', unsettled: '…' } as const;

export function Runs() {
  const { runs = [], scenarios } = data.value;
  return (
    <div class="runs">
      {scenarios.map(({ name, title }) => {
        const mine = runs.filter((run) => run.scenario === name);
        return mine.length === 0 ? null : <OneScenario key={name} title={title} runs={mine} />;
      })}
    </div>
  );
}

function OneScenario({ title, runs }: { readonly title: string; readonly runs: readonly CarriedRun[] }) {
  const held = runs.filter(({ verdict }) => verdict === 'held');
  const failureGroup = new Map<string, CarriedRun[]>();
  for (const run of runs)
    if (run.failureGroup !== undefined) failureGroup.set(run.failureGroup, [...(failureGroup.get(run.failureGroup) ?? []), run]);
  return (
    <section>
      <h2>{title}</h2>
      <p class={held.length === runs.length ? 'quiet' : 'count bad'}>
        {held.length === runs.length ? `all ${many(runs.length, 'seed')} held` : `${held.length} of ${many(runs.length, 'seed')} held`}
      </p>
      {[...failureGroup].map(([what, group]) => (
        <div class="alike" key={what}>
          <p>
            <b>{group[0]?.by ?? ''}</b> {group[0]?.message ?? ''}
          </p>
          <Seeds runs={group} />
          <InCommon scenario={group[0]?.scenario} failureGroup={what} />
        </div>
      ))}
      {held.length > 0 && (
        <details open={failureGroup.size === 0}>
          <summary>{many(held.length, 'seed')} held</summary>
          <Seeds runs={held} />
        </details>
      )}
    </section>
  );
}

function InCommon({ scenario, failureGroup }: { readonly scenario: string | undefined; readonly failureGroup: string }) {
  const common = data.value.common?.find((each) => each.scenario === scenario && each.failureGroup === failureGroup);
  if (common === undefined) return null;
  const others = common.comparedWith === 'held' ? 'that held' : 'that failed in another way';
  if (common.features.length === 0) return <p class="quiet">Nothing that happens sets them apart from those {others}.</p>;
  return (
    <>
      <p class="quiet">What they have in common, and those {others} have not:</p>
      <ul class="signs">
        {common.features.map(({ text, here, elsewhere }) => (
          <li key={text}>
            {text}{' '}
            <small>
              in {here} of these, {elsewhere} of the others
            </small>
          </li>
        ))}
      </ul>
    </>
  );
}

const Seeds = ({ runs }: { readonly runs: readonly CarriedRun[] }) => (
  <div class="seeds">
    {runs.map((run) => (
      <Seed key={run.seed} run={run} />
    ))}
  </div>
);

function Seed({ run }: { readonly run: CarriedRun }) {
  const { seed, verdict, packed, replay } = run;
  const shown = scenario.value?.name === run.scenario && model.value?.run.seed === seed;
  const carried = data.value.scenarios.find(({ name }) => name === run.scenario);
  return (
    <button
      class={`seed ${verdict} ${shown ? 'chosen' : ''} ${packed === undefined ? 'listed' : ''}`}
      aria-pressed={shown}
      aria-label={`Seed ${seed}, ${verdict}${packed === undefined ? ', not in this page' : ''}`}
      title={packed === undefined ? `not in this page: ${replay}` : replay}
      onClick={() => {
        if (carried !== undefined) void open(carried, seed);
      }}
    >
      {MARKS[verdict]} {seed}
    </button>
  );
}

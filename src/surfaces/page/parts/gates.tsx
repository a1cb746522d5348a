/** The feature gates that change this run: the engine runs it again with each of them changed, while the dialog is open. */
import { useEffect, useState } from 'preact/hooks';
import { compare } from '../actions.ts';
import { gateDiffers } from '../consult.ts';
import { many } from '../model/words.ts';
import type { RunData } from '../protocol.ts';
import { Icon } from './icon.tsx';

/** Entries of a run that is repeated for every gate. */
const LONGEST = 20_000;

interface Found {
  readonly looked: number;
  readonly differ: readonly string[];
}

/** What is known of a run, so that the dialog opens again with it. */
const known = new WeakMap<RunData, Found>();

export function Gates({ run }: { readonly run: RunData }) {
  const { gates = {} } = run;
  const names = Object.keys(gates);
  const isLong = run.trace.entries.length > LONGEST;
  const [found, setFound] = useState<Found>(known.get(run) ?? { looked: 0, differ: [] });
  useEffect(() => {
    const open = { is: !isLong };
    const look = async (): Promise<void> => {
      let { looked, differ } = known.get(run) ?? { looked: 0, differ: [] };
      for (const name of names.slice(looked)) {
        const differs = open.is ? await gateDiffers(name) : undefined;
        if (differs === undefined || !open.is) return;
        looked++;
        if (differs) differ = [...differ, name];
        known.set(run, { looked, differ });
        setFound({ looked, differ });
      }
    };
    void look();
    return () => {
      open.is = false;
    };
  }, [run]);
  const offered = isLong ? names : found.differ;
  return (
    <section class="gates" aria-label="With a feature gate changed">
      <h3>with a feature gate changed</h3>
      <p class="quiet" role="status">
        {isLong
          ? 'The run is too long to try every gate: some change nothing.'
          : found.looked < names.length
            ? `${found.looked} of ${names.length} gates tried, ${many(found.differ.length, 'changes', 'change')} this run …`
            : found.differ.length === 0
              ? 'No gate changes this run.'
              : `${many(found.differ.length, 'gate changes', 'gates change')} this run, of ${names.length}.`}
      </p>
      <ul class="tries">
        {offered.map((gate) => (
          <li>
            <button class="what-if" onClick={() => void compare({ is: 'gate', gate, on: gates[gate] !== true })}>
              <Icon of="bolt" /> {gate} {gates[gate] === true ? 'off' : 'on'}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

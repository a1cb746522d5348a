/** What-ifs: faults and changes to a process, a node or an object at the cursor, as sentences or as a step; and runs to compare with. */
import { useState, useEffect } from 'preact/hooks';
import { compare, forkHere } from '../actions.ts';
import { openFiles } from '../trace-files.ts';
import { model, offer, type Offer as Offered, atCursor, canFork, inspected, type Offer } from '../state.ts';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { Order } from './order.tsx';
import { gateDiffers } from '../consult.ts';
import { many } from '../model/words.ts';
import type { RunData } from '../protocol.ts';
import { offerFor as ofProcess } from './decider.tsx';
import { offerFor as ofNode } from './node.tsx';
import { offerFor as ofObject } from './object.tsx';

export function Offer() {
  const of = offer.value;
  if (of === undefined) return null;
  return (
    <Dialog title={of.title} close={() => (offer.value = undefined)}>
      <div class="offer">{of.compare === true ? <Compare /> : <Faults of={of} />}</div>
    </Dialog>
  );
}

/** So many actions can be searched. */
const MANY = 9;

function Faults({ of: { faults, waits } }: { readonly of: Offered }) {
  const [typed, setTyped] = useState('');
  const [words, setWords] = useState('');
  const wanted = words.toLowerCase().split(/\s+/);
  const shown = faults.filter(({ say, typed: step }) => wanted.every((word) => `${say} ${step}`.toLowerCase().includes(word)));
  return (
    <>
      <p class="quiet">The step runs at the cursor; later steps of the scenario keep their times.</p>
      {faults.length > MANY && (
        <input
          class="field"
          type="search"
          placeholder="Find an action"
          aria-label="Find an action"
          autofocus
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
      )}
      <ul class="tries">
        {shown.map(({ say, typed: step }, at) => (
          <li>
            <button class="what-if" onClick={() => forkHere(say, step)} autofocus={at === 0 && faults.length <= MANY}>
              <Icon of="bolt" /> {say}
            </button>
          </li>
        ))}
      </ul>
      {waits !== undefined && <Order of={waits} alone={faults.length === 0} fork={forkHere} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() !== '') forkHere(typed.trim(), typed.trim());
        }}
      >
        <label>
          or a step of your own
          <input
            class="field"
            value={typed}
            placeholder="fault restart controller-manager staleBy=10s"
            onInput={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        </label>
        <button class="button primary">Try it</button>
      </form>
    </>
  );
}

function Compare() {
  const run = model.value?.run;
  const [seed, setSeed] = useState((run?.seed ?? 0) + 1);
  if (run === undefined) return null;
  return (
    <>
      <p class="quiet">The same scenario beside this run, at the same virtual instant.</p>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void compare({ is: 'seed', seed });
        }}
      >
        <label>
          with another seed
          <input
            class="field"
            type="number"
            min="0"
            step="1"
            value={seed}
            autofocus
            onInput={({ currentTarget }) => setSeed(Math.max(0, Math.floor(Number(currentTarget.value))))}
          />
        </label>
        <button class="button primary">Compare</button>
      </form>
      <Gates run={run} />
      <label>
        with a recording (<code>run --trace FILE</code>), by another build as it may be; two files stand beside each other
        <input class="field" type="file" multiple onChange={({ currentTarget }) => void openFiles([...(currentTarget.files ?? [])])} />
      </label>
    </>
  );
}

/** Entries of a run that is repeated for every gate. */
const LONGEST = 20_000;

interface Found {
  readonly looked: number;
  readonly differ: readonly string[];
}

/** What is known of a run, so that the dialog opens again with it. */
const known = new WeakMap<RunData, Found>();

function Gates({ run }: { readonly run: RunData }) {
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

/** Actions of the first so many nodes: those of others are at the nodes. */
const MOST_NODES = 12;

export function offerActions(): void {
  const of = model.value;
  if (of === undefined || !canFork.value) return;
  const { world } = atCursor(of);
  const about = inspected.value;
  const key = about === undefined ? '' : about.namespace === undefined ? about.name : `${about.namespace}/${about.name}`;
  const held = about === undefined ? undefined : world.find(about.kind, key);
  const nodes = [...of.agents].filter(([name]) => world.find('Node', name) !== undefined).slice(0, MOST_NODES);
  const all: readonly (readonly [name: string, offered: Offer])[] = [
    ...(about === undefined || held === undefined ? [] : [[about.name, ofObject(about.kind, key, about.name)] as const]),
    ...of.deciders.map(({ process }) => [process, ofProcess(process)] as const),
    ...nodes.map(([name, { process }]) => [name, ofNode(name, process, false)] as const),
  ];
  offer.value = {
    title: 'What if, here?',
    faults: all.flatMap(([name, { faults }]) =>
      faults.map(({ say, typed }) => ({ say: say.startsWith(name) ? say : `${name}: ${say}`, typed })),
    ),
  };
}

/** What-ifs: faults and changes to a process, a node or an object at the cursor, as sentences or as a step; and runs to compare with. */
import { useState } from 'preact/hooks';
import { compare } from '../actions.ts';
import { openFiles } from '../trace-files.ts';
import { here, model, offer, type Offer as Offered } from '../state.ts';
import { Dialog } from './dialog.tsx';
import { Icon } from './icon.tsx';
import { Order } from './order.tsx';

export function Offer() {
  const of = offer.value;
  if (of === undefined) return null;
  const close = (): void => {
    offer.value = undefined;
  };
  return (
    <Dialog title={of.title} close={close}>
      <div class="offer">{of.compare === true ? <Compare /> : <Faults of={of} />}</div>
    </Dialog>
  );
}

const fork = (said: string, typed: string): void => void compare({ is: 'fork', step: here.value, said, injectedFault: { typed } });

function Faults({ of: { faults, waits } }: { readonly of: Offered }) {
  const [typed, setTyped] = useState('');
  return (
    <>
      <p class="quiet">Right here, at the cursor; what was done later is done at the same instants.</p>
      <ul class="tries">
        {faults.map(({ say, typed: step }, at) => (
          <li>
            <button class="what-if" onClick={() => fork(say, step)} autofocus={at === 0}>
              <Icon of="bolt" /> {say}
            </button>
          </li>
        ))}
      </ul>
      {waits !== undefined && <Order of={waits} alone={faults.length === 0} fork={fork} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() !== '') fork(typed.trim(), typed.trim());
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
  const [gate, setGate] = useState(FIRST_GATE);
  if (run === undefined) return null;
  const { gates = {} } = run;
  const on = gates[gate] === true;
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
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void compare({ is: 'gate', gate, on: !on });
        }}
      >
        <label>
          with a feature gate {on ? 'off' : 'on'}
          <select class="field" value={gate} onChange={({ currentTarget }) => setGate(currentTarget.value)}>
            {Object.keys(gates).map((name) => (
              <option value={name}>{name}</option>
            ))}
          </select>
        </label>
        <button class="button primary">Compare</button>
      </form>
      <label>
        with a recording (<code>run --trace FILE</code>), by another build as it may be; two files stand beside each other
        <input class="field" type="file" multiple onChange={({ currentTarget }) => void openFiles([...(currentTarget.files ?? [])])} />
      </label>
    </>
  );
}

/** The gate that changes most scenarios. */
const FIRST_GATE = 'JobTrackingWithFinalizers';

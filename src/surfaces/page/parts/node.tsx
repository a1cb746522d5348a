/** A node: its actual status beside the status in its object, and its volumes. */
import { isOf } from '../../../controlplane/runtime/index.ts';
import { look, select } from '../actions.ts';
import type { Model } from '../model/index.ts';
import type { PodDensity } from '../model/layout.ts';
import type { Box } from '../model/boxes.ts';
import { processStatusAt } from '../model/lifespans.ts';
import type { Held } from '../model/world.ts';
import { many, placeName } from '../model/words.ts';
import { atCursor, canFork, differs, lens, model as main, nameOfKey, offer, stepIn, zoomed, type Offer } from '../state.ts';
import { useAtCursor } from './at-cursor.ts';
import { Icon } from './icon.tsx';
import { Name } from './name.tsx';
import { boxStyle } from './place.ts';

interface Props {
  readonly model: Model;
  readonly held: Held;
  readonly box: Box;
  readonly density: PodDensity;
  /** Whether its head has one line. */
  readonly flat: boolean;
}

export function NodeBox({ model, held, box, density, flat }: Props) {
  const { name } = held.object.metadata;
  const process = `agent/${name}`;
  const status = useAtCursor(model, (of) => processStatusAt(of.lifespans, process, stepIn(of)), process);
  const silent = status === 'crashed' || status === 'stopped';
  const reported = reportedReadyOf(held);
  const how = useAtCursor(model, (of) => (lens.value === undefined ? 'seen' : of.cacheLens.sees(lens.value, held).how), held);
  const pods = useAtCursor(model, (of) => of.world.podsOn(name).length, name);
  const cacheLens = lens.value === process;
  // Beside the number of its pods there is no space to say twice that it is well.
  const isWell = density === 'canvas' && !silent && reported.text === READY;
  const facts = (
    <p class="facts">
      <span class={silent ? 'bad' : 'good'}>{silent ? '◌ silent' : isWell ? `● ${READY}` : '● alive'}</span>
      {!isWell && (
        <span class={reported.bad ? 'bad' : ''} title={reported.taints.join(', ')}>
          {silent && !reported.bad ? 'still reported ready' : reported.text}
        </span>
      )}
      {density === 'canvas' && <span>{many(pods, 'pod')}</span>}
    </p>
  );
  return (
    <section
      class={`node ${silent ? 'silent' : ''} ${how} ${cacheLens ? 'observer' : ''} ${differs(placeName('Node', held.key)) ? 'differs' : ''} ${box.w < 140 ? 'slim' : ''}`}
      style={boxStyle(box)}
      aria-label={name}
    >
      <header>
        <button class="bare name" title={name} aria-label={name} onClick={() => select(nameOfKey('Node', name))}>
          <Name of={name} />
        </button>
        {flat && facts}
        <span class="grow" />
        {density === 'canvas' && (
          <button
            class="bare"
            aria-label={`Zoom into ${name}`}
            aria-pressed={zoomed.value === name}
            onClick={() => (zoomed.value = zoomed.value === name ? undefined : name)}
          >
            <Icon of="zoom" />
          </button>
        )}
        {BUILT_WITH_ENGINE && canFork.value && model === main.value && (
          <button
            class="bare bolt"
            aria-label={`What if something happened to ${name}?`}
            onClick={() => (offer.value = offerFor(name, process, silent))}
          >
            <Icon of="bolt" />
          </button>
        )}
        {status !== undefined && (
          <button class="bare" aria-label={`Show the cache of ${process}`} aria-pressed={cacheLens} onClick={() => look(process)}>
            <Icon of="eye" />
          </button>
        )}
      </header>
      {!flat && facts}
      {model.hasVolumes && <Volumes model={model} node={name} />}
    </section>
  );
}

export const offerFor = (node: string, process: string, silent: boolean): Offer => ({
  title: `What if, to ${node}, here?`,
  waits: { process },
  faults: [
    ...(silent
      ? [{ say: 'It recovers', typed: `fault nodeUp ${node}` }]
      : [{ say: 'It stops responding', typed: `fault nodeDown ${node}` }]),
    { say: 'It reports that it is not ready', typed: `fault nodeNotReady ${node}` },
    { say: 'It is deleted', typed: `delete Node/${node}` },
  ],
});

const READY = 'Ready';

function reportedReadyOf({ object }: Held) {
  if (!isOf('Node', object)) return { text: '', bad: false, taints: [] };
  const ready = (object.status.conditions ?? []).find(({ type }) => type === 'Ready')?.status;
  const taints = (object.spec.taints ?? []).map(({ key }) => key.split('/').at(-1) ?? key);
  const tainted = taints.length === 0 || ready !== 'True' ? '' : ` · ${taints[0] ?? ''}`;
  if (ready === 'True') return { text: `${READY}${object.spec.unschedulable === true ? ' · cordoned' : tainted}`, bad: false, taints };
  return { text: ready === 'Unknown' ? 'Ready unknown' : 'not Ready', bad: true, taints };
}

function Volumes({ model, node }: { readonly model: Model; readonly node: string }) {
  const here = atCursor(model)
    .world.list('VolumeAttachment')
    .filter(({ object }) => isOf('VolumeAttachment', object) && object.spec.nodeName === node);
  return (
    <footer>
      {here.map(({ object, key }) => {
        if (!isOf('VolumeAttachment', object)) return null;
        const leaving = object.metadata.deletionTimestamp !== undefined;
        const attached = object.status.attached;
        const claim = claimOf(model, object.spec.source.persistentVolumeName ?? '');
        const word = leaving ? 'leaves' : attached ? '' : 'comes';
        return (
          <button
            key={object.metadata.uid}
            class={`volume ${leaving ? 'leaves' : attached ? '' : 'comes'}`}
            aria-label={`Volume of ${claim} ${leaving ? 'is being detached' : attached ? 'is attached' : 'is being attached'}`}
            onClick={() => select(nameOfKey('VolumeAttachment', key))}
          >
            <i /> {claim} <small>{word}</small>
          </button>
        );
      })}
    </footer>
  );
}

function claimOf({ world }: Model, volume: string): string {
  for (const { object } of world.list('PersistentVolumeClaim'))
    if (isOf('PersistentVolumeClaim', object) && object.spec.volumeName === volume) return object.metadata.name;
  return volume;
}

/** A pod as a tile: its phase by colour, glyph and text; its left edge is the revision of its template. */
import { isOf } from '../../../controlplane/runtime/index.ts';
import { select } from '../actions.ts';
import { indexOf, revisionOf } from '../model/workloads.ts';
import type { Model } from '../model/index.ts';
import type { PodDensity } from '../model/layout.ts';
import type { Box } from '../model/boxes.ts';
import { GLYPHS, phaseOf } from '../model/phase.ts';
import type { Held } from '../model/world.ts';
import { placeName } from '../model/words.ts';
import { atCursor, differs, inspected, lens, nameOfKey, stepIn } from '../state.ts';
import { useAtCursor } from './at-cursor.ts';
import { Name } from './name.tsx';
import { boxStyle, hueOf } from './place.ts';

interface Props {
  readonly model: Model;
  readonly held: Held;
  readonly box: Box;
  readonly phantom: boolean;
  readonly density: PodDensity;
  /** Whether its write broke something. */
  readonly broken: boolean;
}

export function PodTile({ model, held, box, phantom, density, broken }: Props) {
  const { object, key } = held;
  const { name, uid, namespace } = object.metadata;
  const phase = phaseOf(object);
  const seen = cacheViewOf(model, held, phantom);
  const touched = useAtCursor(model, (of) => isTouched(of, uid), uid);
  const chosen = useAtCursor(model, () => isChosen(name, namespace), held);
  const says = seen.says ?? stateOf(held, phase);
  return (
    <button
      class={`pod ${phase.toLowerCase()} ${seen.how} ${touched ? 'touched' : ''} ${chosen ? 'chosen' : ''} ${differs(placeName('Pod', key)) ? 'differs' : ''} ${broken ? 'breached' : ''}`}
      style={{ ...boxStyle(box), '--hue': hueOf(revisionOf(object)) }}
      aria-label={`Pod ${name}, ${stateOf(held, phase)}${seen.says === undefined ? '' : `, ${seen.says}`}`}
      title={`${name}: ${says}`}
      onClick={() => select(nameOfKey('Pod', key))}
    >
      {density !== 'small' && <i>{GLYPHS[phase]}</i>}
      {density === 'large' && (
        <>
          <b>
            <Name of={tileName(held)} />
          </b>
          <small>{says}</small>
        </>
      )}
    </button>
  );
}

function isTouched(of: Model, uid: string): boolean {
  const entry = of.trace.entries[stepIn(of) - 1];
  return entry?.type === 'write' && entry.change.object.metadata.uid === uid;
}

function isChosen(name: string, namespace: string | undefined): boolean {
  const about = inspected.value;
  return about?.kind === 'Pod' && about.name === name && about.namespace === namespace;
}

/** Its phase; a pod that no node fits says so. */
function stateOf({ object }: Held, phase: string): string {
  if (phase !== 'Waiting' || !isOf('Pod', object)) return phase;
  const refused = object.status.conditions?.some(
    ({ type, status, reason }) => type === 'PodScheduled' && status === 'False' && reason === 'Unschedulable',
  );
  return refused === true ? 'Unschedulable' : phase;
}

function cacheViewOf(model: Model, held: Held, phantom: boolean): { readonly how: string; readonly says?: string } {
  if (phantom) return { how: 'phantom', says: 'deleted, still in the cache' };
  if (lens.value === undefined) return { how: 'seen' };
  const { how, saw } = atCursor(model).cacheLens.sees(lens.value, held);
  if (how === 'unseen') return { how, says: 'not observed yet' };
  if (how !== 'stale' || saw === undefined) return { how };
  const cachedPhase = phaseOf(saw);
  return { how, says: cachedPhase === phaseOf(held.object) ? 'older in the cache' : `${cachedPhase} in the cache` };
}

/** Its name, after its index or ordinal if it has one. */
function tileName({ object }: Held): string {
  const index = indexOf(object);
  return `${index === undefined ? '' : `[${index}] `}${object.metadata.name}`;
}

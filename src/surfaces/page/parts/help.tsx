/** The keys, and the legend of colours and signs. */
import { KEYS } from '../keys.ts';
import { GLYPHS, PHASES } from '../model/phase.ts';
import { help } from '../state.ts';
import { Dialog } from './dialog.tsx';

export function Help() {
  if (!help.value) return null;
  return (
    <Dialog title="Keys" close={() => (help.value = false)}>
      <dl>
        {KEYS.map(([key, what]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </>
        ))}
      </dl>
      <h3>Signs</h3>
      <ul class="legend">
        {PHASES.map((phase) => (
          <li class={`pod ${phase.toLowerCase()}`}>
            <i>{GLYPHS[phase]}</i> {phase}
          </li>
        ))}
        {CACHE_LENS.map(([how, what]) => (
          <li class={`pod ready ${how}`}>
            <i>{GLYPHS.Ready}</i> <b>{what}</b>
          </li>
        ))}
      </ul>
      <p class="quiet">
        The left edge of a pod is the revision of its template. In the swimlanes, a tick with a foot is a creation, a broken tick a
        deletion, a short tick a decision. A letter between the floors is a watch event that a process has not seen; ✗ and a red line are a
        breach.
      </p>
    </Dialog>
  );
}

const CACHE_LENS = [
  ['unseen', 'not observed yet'],
  ['stale', 'older in the cache'],
  ['phantom', 'deleted, still in the cache'],
] as const;

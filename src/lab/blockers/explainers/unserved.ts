/** Explains an object whose controllers do no work in any process. */
import type { Explainer, Wait } from '../contract.ts';
import { unservedBy } from '../processes.ts';
import { isDone } from '../words.ts';

/** Agents share these kinds, each for its own objects; the explainers of these kinds find the right agent. */
const SHARED: ReadonlySet<string> = new Set([
  'Pod',
  'Node',
  'Lease',
  'Event',
  'VolumeAttachment',
  'PersistentVolume',
  'PersistentVolumeClaim',
]);

export const unserved: Explainer = {
  name: 'unserved',
  explain(object, situation) {
    if (SHARED.has(object.kind) || isDone(object) || object.metadata.deletionTimestamp !== undefined) return [];
    const names = new Set(
      situation.introspection.processes.flatMap(({ controllers }) =>
        controllers.filter(({ reconciles }) => reconciles === object.kind).map(({ name }) => name),
      ),
    );
    const waits = new Map<string, Wait>();
    for (const controller of names) {
      const found = unservedBy(situation, ({ name }) => name === controller, 'its controller');
      if (found !== undefined && !waits.has(found.text)) waits.set(found.text, found);
    }
    return [...waits.values()];
  },
};

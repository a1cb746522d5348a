/** The controllers of an object's kind, where none of those that run them does its work. */
import type { Explainer, Wait } from '../contract.ts';
import { isUnserved } from '../processes.ts';
import { isDone } from '../words.ts';

/** Agents share these kinds, each its own objects; the explainers of the kind know whose they are. */
const SHARED: ReadonlySet<string> = new Set([
  'Pod',
  'Node',
  'Lease',
  'Event',
  'VolumeAttachment',
  'PersistentVolume',
  'PersistentVolumeClaim',
]);

export const watchOnly: Explainer = {
  name: 'nobody',
  explain(object, situation) {
    if (SHARED.has(object.kind) || isDone(object) || object.metadata.deletionTimestamp !== undefined) return [];
    const names = new Set(
      situation.introspection.processes.flatMap(({ controllers }) =>
        controllers.filter(({ reconciles }) => reconciles === object.kind).map(({ name }) => name),
      ),
    );
    const waits = new Map<string, Wait>();
    for (const controller of names) {
      const found = isUnserved(situation, ({ name }) => name === controller, 'its controller');
      if (found !== undefined && !waits.has(found.text)) waits.set(found.text, found);
    }
    return [...waits.values()];
  },
};

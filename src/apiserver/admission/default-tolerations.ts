/**
 * Adds tolerations for unreachable and unready nodes, which keep a pod there for five minutes. Models:
 * plugin/pkg/admission/defaulttolerationseconds.
 */
import type { Pod } from '../kinds/index.ts';
import type { Draft, Toleration } from '../machinery/index.ts';
import type { AdmissionPlugin } from './plugin.ts';

const SECONDS = 300;
const CONDITIONS = ['not-ready', 'unreachable'];

const covers = (toleration: Toleration, key: string): boolean =>
  (toleration.key === key || toleration.key === undefined || toleration.key === '') &&
  (toleration.effect === 'NoExecute' || toleration.effect === undefined || toleration.effect === '');

export const defaultTolerations: AdmissionPlugin = {
  name: 'DefaultTolerationSeconds',
  verbs: ['create', 'update'],
  reads: [],
  kinds: ['Pod'],
  changes: 'spec',
  mutate({ names }, _attributes, draft) {
    const { spec } = draft as Draft<Pod>;
    for (const condition of CONDITIONS) {
      const key = names.key('node', condition);
      if (spec.tolerations?.some((toleration) => covers(toleration, key)) === true) continue;
      // Frozen, so that the draft does not wrap it.
      (spec.tolerations ??= []).push(Object.freeze({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: SECONDS }));
    }
  },
};

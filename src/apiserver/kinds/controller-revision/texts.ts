/** Descriptions of ControllerRevisions and their fields, in our words. Source: spec, "ControllerRevision". */
import type { Texts } from '../../machinery/index.ts';

export const controllerRevisionTexts: Texts = {
  ControllerRevision: {
    '': 'A recorded template, for rollbacks of StatefulSets and DaemonSets.',
    data: 'The template, as a patch.',
    revision: 'Its number; the highest is the current one. A rollback gives an old revision a new number.',
  },
};

/** Descriptions of ControllerRevisions and their fields, in our words. Source: spec, "ControllerRevision". */
import type { Texts } from '../../machinery/index.ts';

export const controllerRevisionTexts: Texts = {
  ControllerRevision: {
    '': 'A template as it was: what a StatefulSet goes back to.',
    data: 'The template, as a patch.',
    revision: 'Its number; the highest is the present one. A rollback gives an old one a new number.',
  },
};

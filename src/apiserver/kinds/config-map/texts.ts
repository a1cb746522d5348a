/** Descriptions of ConfigMaps and their fields, in our words. Source: spec, "ConfigMap". */
import type { Texts } from '../../machinery/index.ts';

export const configMapTexts: Texts = {
  ConfigMap: {
    '': 'Texts and bytes that pods read.',
    immutable: 'Whether it can never be changed.',
    data: 'Texts.',
    binaryData: 'Bytes; no key is in both.',
  },
};

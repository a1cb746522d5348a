/** Descriptions of ConfigMaps and their fields, in our words. Source: spec, "ConfigMap". */
import type { Texts } from '../../machinery/index.ts';

export const configMapTexts: Texts = {
  ConfigMap: {
    '': 'Texts and bytes for pods.',
    immutable: 'Whether data is immutable.',
    data: 'Texts.',
    binaryData: 'Bytes; a key may not be in both.',
  },
};

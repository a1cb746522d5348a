/** Descriptions of Secrets and their fields, in our words. Source: spec, "Secret". */
import type { Texts } from '../../machinery/index.ts';

export const secretTexts: Texts = {
  Secret: {
    '': 'Confidential bytes for pods.',
    immutable: 'Whether data is immutable.',
    data: 'Bytes, in base64.',
    stringData: 'Texts that a write adds to data; never returned.',
    type: 'The purpose; it determines the required keys.',
  },
};

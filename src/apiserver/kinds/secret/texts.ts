/** Descriptions of Secrets and their fields, in our words. Source: spec, "Secret". */
import type { Texts } from '../../machinery/index.ts';

export const secretTexts: Texts = {
  Secret: {
    '': "Bytes that are nobody's business.",
    immutable: 'Whether it can never be changed.',
    data: 'Bytes, in base64.',
    stringData: 'Texts, put into data when written; never read back.',
    type: 'What it is for; decides which keys must be there.',
  },
};

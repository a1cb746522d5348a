/** Placeholder order slot until limit ranges land. */
import type { AdmissionPlugin } from './plugin.ts';
export const limitRanger: AdmissionPlugin = { name: 'LimitRanger', verbs: [], kinds: [] };

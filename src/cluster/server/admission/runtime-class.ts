/** Placeholder order slot until limit ranges land. */
import type { AdmissionPlugin } from './plugin.ts';
export const runtimeClass: AdmissionPlugin = { name: 'RuntimeClass', verbs: [], kinds: [] };

/** Placeholder order slot until limit ranges land. */
import type { AdmissionPlugin } from './plugin.ts';
export const resourceQuota: AdmissionPlugin = { name: 'ResourceQuota', verbs: [], kinds: [] };

/** Descriptions of the structs that several kinds share. */
import type { Texts } from './texts.ts';
import { META } from './meta.ts';
import { BATCH } from './batch.ts';
import { STORAGE } from './storage.ts';
import { NETWORKING } from './networking.ts';
import { CLUSTER } from './cluster.ts';
import { PODS } from './pods.ts';

export { COMMON } from './meta.ts';
export { SHARED_VALUES } from './values.ts';

export const SHARED_TEXTS: Texts = { ...META, ...BATCH, ...STORAGE, ...NETWORKING, ...CLUSTER, ...PODS };

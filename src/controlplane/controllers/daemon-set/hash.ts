/** The label that identifies the template of a pod or revision. */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';

export const HASH_LABEL = 'controller-revision-hash';

/** The hash in the label; undefined: there is none. */
export const hashOf = ({ metadata }: Pick<ApiObject, 'metadata'>): string | undefined => metadata.labels?.[HASH_LABEL];

/** The label that tells of which template a pod or a revision is. */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';

export const HASH_LABEL = 'controller-revision-hash';

/** Undefined where it does not say. */
export const hashOf = ({ metadata }: Pick<ApiObject, 'metadata'>): string | undefined => metadata.labels?.[HASH_LABEL];

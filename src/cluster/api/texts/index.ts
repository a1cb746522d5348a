/**
 * What the fields of the API mean, in our words: for `explain`, for editors, for `orchsim kinds`. By struct, because structs are shared:
 * a pod is described once, whoever makes it. The exotic volume sources are not described.
 */
import { APPS } from './apps.ts';
import { BATCH } from './batch.ts';
import { CLUSTER } from './cluster.ts';
import { COORDINATION } from './coordination.ts';
import { COMMON, META } from './meta.ts';
import { NETWORKING } from './networking.ts';
import { PODS } from './pods.ts';
import { STORAGE } from './storage.ts';
import type { Texts } from './texts.ts';
import { VALUES } from './values.ts';

const ALL = new Map(Object.entries<Texts[string]>({ ...META, ...BATCH, ...APPS, ...COORDINATION, ...STORAGE, ...NETWORKING, ...CLUSTER, ...PODS }));

const own = <T>(texts: Readonly<Record<string, T>> | undefined, field: string): T | undefined => (texts !== undefined && Object.hasOwn(texts, field) ? texts[field] : undefined);

/** What a struct is, as one sentence or two. */
export const structText = (struct: string): string | undefined => own(ALL.get(struct), '');

/** What a field of a struct means. */
export const fieldText = (struct: string, field: string): string | undefined => own(ALL.get(struct), field) ?? (ALL.has(struct) ? own(COMMON, field) : undefined);

/** The values that a field may have, sorted, where they are a closed set. A struct that two groups have may be named in full: `core.v1.EndpointPort`. */
export const fieldValues = (struct: string, field: string): readonly string[] | undefined => own(own(VALUES, struct), field);

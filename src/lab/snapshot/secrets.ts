/** Secrets of a dump hold nothing, unless they are asked for: a dump is passed on more easily than its cluster. */
import type { ApiObject } from '../../apiserver/machinery/index.ts';
import type { Stored } from './state.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The objects, with the values of Secrets emptied; their keys stay. */
export function emptied(stored: readonly Stored[]): { readonly stored: readonly Stored[]; readonly notes: readonly string[] } {
  let count = 0;
  const empty = stored.map((each) => {
    if (each.object.kind !== 'Secret') return each;
    count++;
    return { ...each, object: withoutValues(each.object) };
  });
  const notes =
    count === 0 ? [] : [`the values of ${count === 1 ? '1 Secret are' : `${count} Secrets are`} emptied (--with-secrets keeps them)`];
  return { stored: empty, notes };
}

function withoutValues(secret: ApiObject & { readonly data?: Readonly<Record<string, string>> }): ApiObject {
  const { annotations, ...metadata } = secret.metadata;
  const kept = Object.entries(annotations ?? {}).filter(([key]) => key !== LAST_APPLIED);
  return {
    ...secret,
    metadata: { ...metadata, ...(kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) }) },
    ...(secret.data === undefined ? {} : { data: Object.fromEntries(Object.keys(secret.data).map((key) => [key, ''])) }),
  };
}

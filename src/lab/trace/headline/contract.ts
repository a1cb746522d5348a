/** The contract of a headline. */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';

export interface Changed {
  readonly before: ApiObject;
  readonly after: ApiObject;
  /** For display: without `default/`. */
  readonly name: string;
}

/** Returns a sentence; undefined: the kind has no sentence for this change. */
export type Headline = (changed: Changed) => string | undefined;

/** Joins a list: `a, b and c`. */
export const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

/** Returns the status of a condition; the empty string where it is absent. */
export const conditionIn = (
  conditions: readonly { readonly type?: string; readonly status?: string }[] | undefined,
  type: string,
): string => conditions?.find((each) => each.type === type)?.status ?? '';

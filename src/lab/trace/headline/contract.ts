/** The contract of a kind's headline. */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';

export interface Changed {
  readonly before: ApiObject;
  readonly after: ApiObject;
  /** As people say it: without `default/`. */
  readonly name: string;
}

/** A sentence; nothing where the change is none that the kind has words for. */
export type Headline = (changed: Changed) => string | undefined;

/** A list as people say it: `a, b and c`. */
export const joined = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1) ?? ''}`;

/** A condition's status; Unknown where it is absent. */
export const conditionIn = (
  conditions: readonly { readonly type?: string; readonly status?: string }[] | undefined,
  type: string,
): string => conditions?.find((each) => each.type === type)?.status ?? '';

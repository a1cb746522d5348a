/** Values at the cursor, so that a component is rendered again only when its value changes, not at every step. */
import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Model } from '../model/index.ts';
import { atCursor } from '../state.ts';

/** Returns what `read` reads of the model at the cursor, and of other signals. `deps`: what else it depends on. */
export const useAtCursor = <T>(of: Model, read: (of: Model) => T, ...deps: readonly unknown[]): T =>
  useMemo(() => computed(() => read(atCursor(of))), [of, ...deps]).value;

/** Values at the cursor, so that a component is rendered again only when its value changes, not at every step. */
import { computed } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { Model } from '../model/index.ts';
import { atCursor } from '../state.ts';

/** Returns what `read` reads of the model at the cursor, and of other signals. `deps`: what else it depends on. */
export const useAtCursor = <T>(of: Model, read: (of: Model) => T, ...deps: readonly unknown[]): T =>
  useMemo(() => computed(() => read(atCursor(of))), [of, ...deps]).value;

/** Acts when an element, or what `watched` finds for it, has another size. What acts must not depend on a render. */
export function useResize<E extends Element>(
  host: RefObject<E | null>,
  act: (size: Partial<DOMRectReadOnly>) => void,
  watched = (element: Element): Element => element,
): void {
  useEffect(() => {
    if (host.current === null) return undefined;
    const watch = new ResizeObserver(([entry]) => act(entry?.contentRect ?? {}));
    watch.observe(watched(host.current));
    return () => watch.disconnect();
  }, []);
}

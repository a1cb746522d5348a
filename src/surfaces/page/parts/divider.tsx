/** The divider between the editor and the stage: by the pointer, or by the arrow keys. */
import { useRef } from 'preact/hooks';

const LEAST = 280;
const MOST_SHARE = 0.7;
const STEP = 24;

export function Divider() {
  const line = useRef<HTMLDivElement>(null);
  const set = (width: number): void => {
    const main = line.current?.closest('main');
    const within = Math.round(Math.max(LEAST, Math.min(innerWidth * MOST_SHARE, width)));
    main?.style.setProperty('--divided', `${within}px`);
    line.current?.setAttribute('aria-valuenow', String(within));
  };
  const width = (): number => line.current?.parentElement?.getBoundingClientRect().width ?? 0;
  return (
    <div
      ref={line}
      class="divider"
      role="separator"
      tabIndex={0}
      aria-label="Width of the editor"
      aria-orientation="vertical"
      aria-valuemin={LEAST}
      aria-valuenow={440}
      aria-valuemax={2_000}
      onPointerDown={({ pointerId }) => line.current?.setPointerCapture(pointerId)}
      onPointerMove={({ clientX, buttons }) => {
        if (buttons === 1) set(clientX - (line.current?.parentElement?.getBoundingClientRect().left ?? 0));
      }}
      onKeyDown={(event) => {
        const by = event.key === 'ArrowRight' ? STEP : event.key === 'ArrowLeft' ? -STEP : 0;
        if (by === 0) return;
        // Outside of the divider these keys move the cursor.
        event.stopPropagation();
        event.preventDefault();
        set(width() + by);
      }}
    />
  );
}

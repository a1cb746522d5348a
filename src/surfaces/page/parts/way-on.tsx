/** The way on, always in view below the notes: the open question, or the button that goes on. */
import { goOn, wayOn, type WayOn as Way } from '../way-on.ts';
import { counters } from '../counters.ts';
import { live } from '../state.ts';
import { OpenQuestion, Predicted } from './question.tsx';

export function WayOn() {
  counters.renders++;
  const way = wayOn.value;
  // From a comparison the way back is above it.
  if (way === undefined || way.is === 'back' || live.value !== undefined) return null;
  return (
    <div class="way-on">
      {way.is === 'question' ? (
        <OpenQuestion ask={way.ask} key={way.ask.question} />
      ) : way.is === 'watching' ? (
        <Predicted ask={way.ask} given={way.given} />
      ) : (
        <button class="button primary" onClick={goOn} aria-keyshortcuts="Enter">
          <span>{saidFor(way)}</span> <kbd aria-hidden="true">⏎</kbd>
        </button>
      )}
    </div>
  );
}

function saidFor(way: Exclude<Way, { readonly is: 'question' | 'watching' | 'back' }>): string {
  if (BUILT_WITH_ENGINE && way.is === 'lesson') return `Next lesson: ${way.next.title}`;
  if (way.is === 'recap') return 'What you have learned';
  if (way.is === 'step') return way.say;
  return BUILT_WITH_ENGINE ? 'Back to the course' : '';
}

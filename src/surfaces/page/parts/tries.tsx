/** What-ifs of a lesson: each is a fork from the moment of its narration step. */
import { compare } from '../actions.ts';
import { canFork, other } from '../state.ts';
import { Icon } from './icon.tsx';

interface Try {
  readonly said: string;
  /** Its index among those of its narration step. */
  readonly at: number;
  /** Number of scenario steps before it. */
  readonly taken: number;
  readonly step: number;
}

export function Tries({ of }: { readonly of: readonly Try[] }) {
  const tried = other.value?.how;
  return (
    <ul class="tries" aria-label="To try">
      {of.map(({ said, at, taken, step }) => {
        const is =
          tried?.is === 'fork' && 'try' in tried.injectedFault && tried.injectedFault.try[0] === taken && tried.injectedFault.try[1] === at;
        return (
          <li>
            <button
              class="what-if"
              disabled={!canFork.value}
              aria-pressed={is}
              onClick={() => void compare({ is: 'fork', step, said, injectedFault: { try: [taken, at] } })}
            >
              <Icon of="bolt" /> {said}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The what-ifs of a narration step: each is a fork from its moment. */
import { compare } from '../actions.ts';
import { canFork, other } from '../state.ts';
import { Icon } from './icon.tsx';

interface Props {
  readonly tries: readonly string[];
  /** Number of scenario steps before it. */
  readonly taken: number;
  readonly step: number;
}

export function Tries({ tries, taken, step }: Props) {
  const tried = other.value?.how;
  return (
    <ul class="tries" aria-label="To try">
      {tries.map((said, at) => {
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

/** The keys, on request. */
import { KEYS } from '../keys.ts';
import { help } from '../state.ts';
import { Icon } from './icon.tsx';

export function Help() {
  if (!help.value) return null;
  return (
    <div class="help" role="dialog" aria-label="Keys" onClick={() => (help.value = false)}>
      <div>
        <h2>
          Keys{' '}
          <button class="button" aria-label="Close" onClick={() => (help.value = false)}>
            <Icon of="close" />
          </button>
        </h2>
        <dl>
          {KEYS.map(([key, what]) => (
            <>
              <dt>
                <kbd>{key}</kbd>
              </dt>
              <dd>{what}</dd>
            </>
          ))}
        </dl>
      </div>
    </div>
  );
}

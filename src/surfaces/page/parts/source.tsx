/** The scenario's text where nothing can be run: to be read. */
import { scenario } from '../state.ts';

export const Source = () => (
  <pre class="code" tabIndex={0} aria-label="The scenario's text">
    {scenario.value?.text ?? ''}
  </pre>
);

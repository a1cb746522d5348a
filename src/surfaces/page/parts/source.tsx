/** The scenario's text, read-only, in pages that cannot run it. */
import { scenario } from '../state.ts';

export const Source = () => (
  <pre class="code" tabIndex={0} aria-label="The scenario's text">
    {scenario.value?.text ?? ''}
  </pre>
);

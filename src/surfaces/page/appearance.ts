/** How the page looks: presenter mode, folded sides, the theme. */
import { batch } from '@preact/signals';
import * as state from './state.ts';

/** Starts or ends presenter mode, in full screen where the browser permits it. */
export function present(is: boolean): void {
  batch(() => {
    state.presenting.value = is;
    state.blank.value = false;
  });
  document.documentElement.classList.toggle('presenting', is);
  const changed = is
    ? document.documentElement.requestFullscreen?.()
    : document.fullscreenElement === null
      ? undefined
      : document.exitFullscreen();
  // Without permission the mode works in the window.
  changed?.catch(() => undefined);
}

export function foldSide(name: 'notes' | 'inspector'): void {
  state.sides.value = { ...state.sides.value, [name]: !state.sides.value[name] };
}

export const toggleTheme = (): void => setTheme(state.theme.value === 'dark' ? 'light' : 'dark');

export function setTheme(theme: state.Theme): void {
  document.documentElement.dataset['theme'] = theme;
  state.theme.value = theme;
}
